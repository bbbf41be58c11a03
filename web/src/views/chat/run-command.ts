/** What a line that is a command leads to: an answer to show, a turn, or words for the model after all. */
import type { GatewayLink } from "@pincer/sdk/client";
import type { Language } from "../../texts/texts.ts";

export type CommandOutcome =
  | { type: "answered"; output: string }
  /** A turn is queued for it; what there is to say, it says. */
  | { type: "turn"; output: string }
  /** It is no command. */
  | { type: "words" };

export interface CommandLine {
  line: string;
  /** As the address names it; empty for the main one. */
  session: string;
  sessionKey: string;
  language: Language;
}

/** Throws LinkError. */
export async function runCommand(
  link: Pick<GatewayLink, "request">,
  { line, session, sessionKey, language }: CommandLine,
): Promise<CommandOutcome> {
  const named = session === "" ? {} : { sessionKey: session };
  const { name, output, turn } = await link.request("commands.run", { ...named, line, language });
  if (name === null) return { type: "words" };
  if (!turn) return { type: "answered", output };
  const words = line.trim().replace(/^\S+\s*/, "");
  const place = sessionKey === "" ? {} : { sessionKey };
  if (turn.continues) {
    await link.request("agent.continue", { ...place, ...(words === "" ? {} : { input: words }) });
  } else {
    const input = "newSession" in turn.wishes && words !== "" ? words : line;
    await link.request("agent.run", { ...place, ...turn.wishes, input });
  }
  return { type: "turn", output };
}
