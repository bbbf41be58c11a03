/** Detects a run in a loop: the same call with the same result, or two alternating calls, again and again. */
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "@pincer/sdk";

export interface Circle {
  tool: string;
  /** How often it was made in a row. */
  times: number;
}

/**
 * Whether one of the pending calls would go on with what was done `most` times in a row with the same result, or with two calls that took
 * turns in that way once more than that. Read from what the turn has stored, so that a crash changes nothing; what a user says in between
 * begins the count anew.
 */
export function findCircle(
  turn: readonly Message[],
  pending: readonly ToolCallBlock[],
  most: number,
): Circle | undefined {
  const done = finishedCalls(turn, 2 * (most + 1));
  for (const call of pending) {
    const wanted = signatureOf(call);
    for (const { period, rounds } of [
      { period: 1, rounds: most },
      { period: 2, rounds: most + 1 },
    ]) {
      const tail = done.slice(-period * rounds);
      if (tail.length < period * rounds || tail.at(-period)?.call !== wanted) continue;
      const isCircle = tail.every(
        ({ call: each, result }, index) =>
          index < period || (each === tail[index - period]?.call && result === tail[index - period]?.result),
      );
      if (isCircle) return { tool: call.name, times: rounds };
    }
  }
  return undefined;
}

interface Finished {
  call: string;
  result: string;
}

/** The last `count` calls that have a result, in the order in which they were asked for, since the user last spoke. */
function finishedCalls(turn: readonly Message[], count: number): Finished[] {
  const finished: Finished[] = [];
  let results = new Map<string, ToolResultMessage>();
  for (let at = turn.length - 1; at >= 0 && finished.length < count; at--) {
    const message = turn[at];
    if (!message || message.role === "user") break;
    if (message.role === "toolResult") {
      results.set(message.toolCallId, message);
      continue;
    }
    for (const call of callsOf(message).reverse()) {
      const result = results.get(call.id);
      if (result) finished.push({ call: signatureOf(call), result: outcomeOf(result) });
    }
    results = new Map();
  }
  return finished.reverse().slice(-count);
}

const callsOf = ({ content }: AssistantMessage): ToolCallBlock[] =>
  content.filter((block) => block.type === "toolCall");

const signatureOf = ({ name, arguments: given, invalidArguments }: ToolCallBlock): string =>
  canonicalJson([name, given, invalidArguments ?? null]);

/** What the model was told; how long it took is no difference. */
const outcomeOf = ({ content, isError }: ToolResultMessage): string => canonicalJson([content, isError]);

/** The same text for equal values, in whatever order their keys were written. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each,
  );
}
