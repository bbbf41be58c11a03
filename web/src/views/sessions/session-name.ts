/** The display name of a session. */
import type { SessionView } from "@pincer/sdk";
import type { Say } from "../../texts/texts.ts";

type Named = Pick<SessionView, "label" | "opening" | "sessionKey" | "origin">;

/** What its owner calls it, else what the conversation is about, else its first words, else where it takes place. */
export const sessionName = (session: Named, say: Say): string =>
  session.label ?? (session.origin.subject || session.opening || keyName(session.sessionKey, say));

/** A key as people say it: "agent:main:named:holiday" is "holiday", "agent:main:telegram:dm:42" is "telegram · dm · 42". */
export function keyName(sessionKey: string, say: Say): string {
  const parts = /^agent:[^:]+:(.+)$/.exec(sessionKey)?.[1]?.split(":").map(readable);
  if (!parts) return sessionKey;
  if (parts.length === 1 && parts[0] === "main") return say("sessions.main");
  return (parts[0] === "named" ? parts.slice(1) : parts).join(" · ");
}

/** The address of its conversation; one that is over is named by its id, since its key belongs to the next. */
export const chatAddress = ({ state, sessionKey, sessionId }: SessionView): string =>
  `/chat/${encodeURIComponent(state === "active" ? sessionKey : sessionId)}`;

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
