/** What a compaction is given and what comes of it, for tests. */
import type { CompactionEntryBody, Message } from "@pincer/sdk";
import { compact, type CompactionParts } from "../compact.ts";
import type { CompactionInput } from "../compaction.ts";
import { assistant, entriesOf, user } from "./conversation.ts";

/** This many questions with their answers. */
export const talk = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, turn) => [user(`ask ${turn}`), assistant(`answer ${turn}`)]).flat();

export const inputOf = (
  messages: readonly Message[],
  rest: Partial<CompactionInput> = {},
): CompactionInput => ({
  said: entriesOf(messages),
  previous: undefined,
  contextWindow: 32_000,
  keep: { messages: 2 },
  trigger: "manual",
  tokensBefore: 9000,
  signal: new AbortController().signal,
  ...rest,
});

/** Throws where nothing was summed up. */
export async function compacted(
  input: CompactionInput,
  parts: CompactionParts,
): Promise<CompactionEntryBody> {
  const outcome = await compact(input, parts);
  if (outcome.type !== "compacted") throw new Error(outcome.type);
  return outcome.body;
}
