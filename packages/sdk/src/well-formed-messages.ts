/**
 * Repairs a stored history so that every model accepts it: each tool call is followed at once by exactly one result,
 * in the order of the calls, no result is without its call, and no call id is used twice. A provider would refuse a
 * broken history on every turn, so every request to a model passes here.
 */
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "./message.ts";

/** What was changed; `index` is the message's place in what came in. */
export type Repair =
  /** No result was kept: an error result says that the outcome is unknown. */
  | { type: "result-missing"; index: number; toolCallId: string }
  /** A result stood elsewhere than right after its call. */
  | { type: "result-moved"; index: number; toolCallId: string }
  /** A result without a call, or a second one for a call. */
  | { type: "result-dropped"; index: number; toolCallId: string }
  /** The id was used before, or empty. */
  | { type: "call-renamed"; index: number; toolCallId: string; newId: string }
  /** A call of a message that broke off, and that never ran. */
  | { type: "call-dropped"; index: number; toolCallId: string }
  /** Nothing was left of a message that broke off. */
  | { type: "message-dropped"; index: number };

export const unknownOutcome = "interrupted: the outcome of this call is unknown";

/**
 * Pure. A well-formed history comes back as the same array; otherwise untouched messages are the same objects. What users and
 * assistants said is never dropped. Applying it again changes nothing. A message at the end whose calls are still to run counts
 * as interrupted: settle its calls first.
 */
export function wellFormedMessages(messages: Message[]): { messages: Message[]; repairs: Repair[] } {
  const results = assignResults(messages);
  const kept = new Set(Array.from(results.values(), (result) => result.index));
  const repairs: Repair[] = [];
  const output: Message[] = [];
  const usedIds = new Set<string>();

  for (const [index, message] of messages.entries()) {
    if (message.role === "user") output.push(message);
    if (message.role === "toolResult" && !kept.has(index)) {
      repairs.push({ type: "result-dropped", index, toolCallId: message.toolCallId });
    }
    if (message.role !== "assistant") continue;

    const settled = settleCalls(message, index, results, usedIds, repairs);
    if (settled.message) output.push(settled.message);
    let before = index;
    for (const { id, block, result } of settled.calls) {
      output.push(answer(id, block, result?.message));
      if (!result) {
        repairs.push({ type: "result-missing", index, toolCallId: id });
        continue;
      }
      if (!follows(messages, before, result.index, kept)) {
        repairs.push({ type: "result-moved", index: result.index, toolCallId: id });
      }
      before = result.index;
    }
  }
  return repairs.length === 0 ? { messages, repairs } : { messages: output, repairs };
}

interface KeptResult {
  message: ToolResultMessage;
  index: number;
}

/** Which result belongs to which call, by the call's place: the same object may well stand in a history twice. */
type Assignment = Map<string, KeptResult>;

const placeOf = (messageIndex: number, blockIndex: number): string => `${messageIndex}/${blockIndex}`;

/**
 * A result belongs to the nearest message before it that called this id and still waits for an answer. A result that stands
 * before its call is believed only where a single call has the id: otherwise it may be another call's outcome.
 */
function assignResults(messages: Message[]): Assignment {
  const assigned: Assignment = new Map();
  // By id, for each message that calls it: the places that wait.
  const waiting = new Map<string, string[][]>();
  const places = new Map<string, string[]>();
  const early: KeptResult[] = [];

  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      for (const [id, calls] of Map.groupBy(callPlaces(message, index), (call) => call.id)) {
        append(
          waiting,
          id,
          calls.map((call) => call.place),
        );
        for (const call of calls) append(places, id, call.place);
      }
    } else if (message.role === "toolResult") {
      const stack = waiting.get(message.toolCallId);
      const place = stack?.at(-1)?.shift();
      if (stack?.at(-1)?.length === 0) stack.pop();
      if (place === undefined) early.push({ message, index });
      else assigned.set(place, { message, index });
    }
  }

  for (const result of early) {
    const [only, ...others] = places.get(result.message.toolCallId) ?? [];
    if (only !== undefined && others.length === 0 && !assigned.has(only)) assigned.set(only, result);
  }
  return assigned;
}

function callPlaces(message: AssistantMessage, index: number): Array<{ id: string; place: string }> {
  return message.content.flatMap((block, blockIndex) =>
    block.type === "toolCall" ? [{ id: block.id, place: placeOf(index, blockIndex) }] : [],
  );
}

/** Whether nothing that stays stands between `before` and `index`. */
function follows(messages: Message[], before: number, index: number, kept: Set<number>): boolean {
  if (index < before) return false;
  for (let between = before + 1; between < index; between++) {
    if (messages[between]?.role !== "toolResult" || kept.has(between)) return false;
  }
  return true;
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

interface SettledCall {
  id: string;
  block: ToolCallBlock;
  result: KeptResult | undefined;
}

/** Drops calls that never ran, gives used ids a new name, and answers with the message as it may stay. */
function settleCalls(
  message: AssistantMessage,
  index: number,
  results: Assignment,
  usedIds: Set<string>,
  repairs: Repair[],
): { message: AssistantMessage | undefined; calls: SettledCall[] } {
  const brokeOff = message.stopReason === "error" || message.stopReason === "aborted";
  const calls: SettledCall[] = [];
  let changed = false;

  const content = message.content.flatMap((block, blockIndex): AssistantMessage["content"] => {
    if (block.type !== "toolCall") return [block];
    const result = results.get(placeOf(index, blockIndex));
    if (brokeOff && !result) {
      repairs.push({ type: "call-dropped", index, toolCallId: block.id });
      changed = true;
      return [];
    }
    const id = unusedId(block.id, usedIds);
    usedIds.add(id);
    calls.push({ id, block, result });
    if (id === block.id) return [block];
    repairs.push({ type: "call-renamed", index, toolCallId: block.id, newId: id });
    changed = true;
    return [{ ...block, id }];
  });

  if (!changed) return { message, calls };
  if (content.length > 0) return { message: { ...message, content }, calls };
  repairs.push({ type: "message-dropped", index });
  return { message: undefined, calls };
}

/** Looks only at what came before, so that a growing history keeps the names it has given. */
function unusedId(id: string, used: Set<string>): string {
  if (id !== "" && !used.has(id)) return id;
  const stem = id === "" ? "call" : id;
  let number = 2;
  while (used.has(`${stem}-${number}`)) number++;
  return `${stem}-${number}`;
}

function answer(id: string, block: ToolCallBlock, result: ToolResultMessage | undefined): ToolResultMessage {
  if (result) return result.toolCallId === id ? result : { ...result, toolCallId: id };
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: block.name,
    content: [{ type: "text", text: unknownOutcome }],
    isError: true,
  };
}
