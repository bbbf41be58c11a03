/** `/remember` and `/forget`: the owner confirms or deletes what was learnt from others. */
import { asPincerError, type UnconfirmedLineView } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import { oneLine, shorten } from "../infra/one-line.ts";
import type { Say } from "../infra/texts.ts";
import { answered, placeOfCall, type Command, type CommandCall } from "./command.ts";

export interface MemoryCommandParts {
  say: Say;
  unconfirmed: {
    list(agentId: string): Promise<UnconfirmedLineView[]>;
    /** Throws PincerError `usage/not-found` where no line, or more than one, is meant. */
    confirm(agentId: string, ref: string): Promise<UnconfirmedLineView>;
    /** Throws likewise. */
    drop(agentId: string, ref: string): Promise<UnconfirmedLineView>;
  };
}

type Parts = MemoryCommandParts;

const mostListed = 10;
const longest = 200;

const words = {
  aliases: [],
  group: "gate",
  access: "owner",
  usage: "[ref]",
  arguments: [{ name: "ref" }],
} as const;

export const memoryCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "remember",
    ...words,
    help: "command.about.remember",
    run: async (parts, call) => answered(await settle(parts, call, "confirm")),
  },
  {
    name: "forget",
    ...words,
    help: "command.about.forget",
    run: async (parts, call) => answered(await settle(parts, call, "drop")),
  },
];

async function settle(
  { say, unconfirmed }: Parts,
  call: CommandCall,
  verdict: "confirm" | "drop",
): Promise<string> {
  const { agentId } = call.context.session;
  const ref = call.words.trim();
  // What is remembered is not for everybody who reads along.
  const { isGroup } = placeOfCall(call.context);
  if (ref === "" && isGroup) return say("command.memory.not-here");
  if (ref === "") return waitingWords(await unconfirmed.list(agentId), call.prefix, say);
  try {
    const { text } = await unconfirmed[verdict](agentId, ref);
    return say(`command.memory.${verdict}`, { text: isGroup ? ref : shorten(oneLine(text), longest) });
  } catch (error) {
    const known = asPincerError(error);
    if (known.code !== "usage/not-found" && known.code !== "storage/failed") throw error;
    return sayError(known, say).message;
  }
}

function waitingWords(lines: readonly UnconfirmedLineView[], prefix: string, say: Say): string {
  if (lines.length === 0) return say("memory.unconfirmed.none");
  const shown = lines
    .slice(0, mostListed)
    .map(({ ref, label, text }) => `${ref} [${oneLine(label)}] ${shorten(oneLine(text), longest)}`);
  const more =
    lines.length > mostListed ? [say("command.memory.more", { count: lines.length - mostListed })] : [];
  return [...shown, ...more, say("command.memory.next", { prefix })].join("\n");
}
