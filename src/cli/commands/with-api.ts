/** What commands that use an API share: opening it, closing it, and asking before something is deleted. */
import type { Command } from "commander";
import { openApi, type ApiFamily } from "../../app/open-api.ts";
import type { OpenApi } from "../../gateway/methods/api.ts";
import { failure } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";

/** Opens the API in the running gateway or over the home, and closes it whatever happens. */
export async function withApi<Family extends ApiFamily, Result>(
  family: Family,
  { program, context }: { program: Command; context: CommandContext },
  work: (opened: OpenApi<Family>) => Promise<Result>,
): Promise<Result> {
  const opened = await openApi(family, { ...context, version: program.version() ?? "" });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** False, with a message, if the answer was no. Throws `usage/bad-argument` if nobody can be asked. */
export async function isSure(
  { terminal, say }: CommandContext,
  question: string,
  {
    yes,
    otherwise,
  }: {
    yes: boolean | undefined;
    otherwise: "outbox.drop.not" | "deadletters.drop.not" | "undo.not" | "policy.accept.not";
  },
): Promise<boolean> {
  const sure = await confirm(terminal, question, yes === true);
  if (sure === "nobody-to-ask") throw failure("usage/bad-argument", otherwise, {}, { hint: "confirm.hint" });
  if (sure === "no") terminal.err(`${say(otherwise)}\n`);
  return sure === "yes";
}

/** Where something goes, in one word for people. */
export function placeName(
  destination: {
    channel: string;
    accountId: string;
    target: { peerKind: string; peerId: string; threadId?: string };
  } | null,
): string {
  if (!destination) return "-";
  const { channel, accountId, target } = destination;
  const thread = target.threadId === undefined ? "" : `/${target.threadId}`;
  return `${channel}:${target.peerId}${thread}${accountId === "default" ? "" : ` (${accountId})`}`;
}

/** One line of a longer text. */
export function firstLine(text: string, most = 60): string {
  const [line = ""] = text.split("\n");
  const characters = [...line];
  return characters.length > most || line.length < text.length
    ? `${characters.slice(0, most).join("")}…`
    : line;
}
