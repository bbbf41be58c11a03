/**
 * A history as one model takes it. Whatever was stored, and no matter who said it, the result is never refused for its form: a refused
 * history would be refused again on every turn. Looks only at what came before, so that a growing conversation keeps its beginning
 * byte for byte, which is what the providers' caches live on.
 */
import { wellFormedMessages, type Message, type Repair } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { nameCalls } from "./call-ids.ts";
import { flattenExchanges } from "./flatten-exchanges.ts";
import { isPaired } from "./is-paired.ts";
import { sanitizeSessionHistory } from "./sanitize-history.ts";
import { validateAnthropicTurns, validateGeminiTurns, validateMistralTurns } from "./validate-turns.ts";

/** `plain` is words and nothing else: tried once when a provider refused the request all the same. */
export type HistoryLevel = "normal" | "plain";

/**
 * Pure. Calls without a result count as interrupted. Ends with a message that wants an answer. Of a history that is not plain as a whole
 * the messages before `plainUntil` are; the results of a call stay with it, on its side.
 */
export function prepareHistory(
  messages: readonly Message[],
  record: ModelRecord,
  level: HistoryLevel,
  plainUntil = 0,
): Message[] {
  const whole = messages.map((message) => (hasNote(message) ? noteInWords(message) : message));
  const { messages: paired, repairs } = isPaired(whole)
    ? { messages: whole, repairs: [] }
    : wellFormedMessages(whole);
  const named = nameCalls(paired, record);
  const border = level === "plain" ? paired.length : placeOfBorder(whole, paired, repairs, plainUntil);
  const clean =
    border === 0
      ? sanitizeSessionHistory(named, record)
      : [
          ...inPlainWords(named.slice(0, border), record),
          ...sanitizeSessionHistory(named.slice(border), record),
        ];
  if (record.api.startsWith("google-")) return validateGeminiTurns(clean, record);
  if (record.api === "mistral-conversations") return validateMistralTurns(clean, record);
  return validateAnthropicTurns(clean, record);
}

/** Of many others nothing has to be looked up. */
const hasNote = (message: Message): boolean => message.role === "user" && message.note !== undefined;

/** The note as a line above the first words; it goes with a message that says nothing. */
function noteInWords(message: Message): Message {
  if (message.role !== "user" || message.note === undefined) return message;
  const { role, content, note } = message;
  const [only] = content;
  if (content.length === 1 && only?.type === "text" && only.text.trim() !== "")
    return { role, content: [{ type: "text", text: `${note}\n${only.text}` }] };
  const first = content.findIndex((block) => block.type === "text" && block.text.trim() !== "");
  if (first < 0 && content.every(({ type }) => type === "text")) return { role, content };
  if (first < 0) return { role, content: [{ type: "text", text: note }, ...content] };
  const noted = content.map((block, index) =>
    index === first && block.type === "text" ? { ...block, text: `${note}\n${block.text}` } : block,
  );
  return { role, content: noted };
}

/** Where those stand in the paired history that stood before `until`. What people and models said keeps its order; results follow calls. */
function placeOfBorder(
  messages: readonly Message[],
  paired: readonly Message[],
  repairs: readonly Repair[],
  until: number,
): number {
  if (until <= 0) return 0;
  const dropped = new Set(repairs.flatMap((each) => (each.type === "message-dropped" ? [each.index] : [])));
  const isSaid = ({ role }: Message) => role !== "toolResult";
  let left = messages.filter((each, index) => index < until && isSaid(each) && !dropped.has(index)).length;
  const border = paired.findIndex((each) => isSaid(each) && left-- === 0);
  return border < 0 ? paired.length : border;
}

function inPlainWords(messages: readonly Message[], record: ModelRecord): Message[] {
  // A stranger to everybody: nothing that was signed is its own.
  const stranger: ModelRecord = { ...record, api: "plain", input: ["text"] };
  return flattenExchanges(sanitizeSessionHistory(messages, stranger), () => true);
}
