/** What a conversation shows besides what was said: its record, the commands that there are, and which model usually answers. */
import type { CommandFactView, SessionView } from "@pincer/sdk";
import type { Page } from "../../shell/page.ts";

export interface ChatFacts {
  commands: readonly CommandFactView[];
  /** Undefined before something was said, and for those who may not see it. */
  session: SessionView | undefined;
  /** Empty where it is not known. */
  usualModel: string;
}

export const noFacts: ChatFacts = { commands: [], session: undefined, usualModel: "" };

/** What holds for every conversation. Never throws: what this person may not see is left out. */
export async function readUsual(
  { link, language }: Page,
  signal: AbortSignal,
): Promise<Pick<ChatFacts, "commands" | "usualModel">> {
  const [commands, status] = await Promise.all([
    link.request("commands.list", { language }, { signal }).catch(() => undefined),
    link.request("models.status", {}, { signal }).catch(() => undefined),
  ]);
  return { commands: commands?.commands ?? [], usualModel: status?.answers ?? "" };
}

/** Likewise. */
export const readSession = (
  { link }: Page,
  sessionId: string,
  signal: AbortSignal,
): Promise<SessionView | undefined> =>
  link.request("sessions.find", { sessionKey: sessionId }, { signal }).catch(() => undefined);
