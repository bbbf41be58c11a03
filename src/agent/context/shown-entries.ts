/**
 * Messages as a request shows them if there is space: with the time above people's messages, and long results
 * shortened.
 */
import { wellFormedMessages, type Message, type MessageEntry, type ToolResultMessage } from "@pincer/sdk";
import { isPaired } from "../../models/history/is-paired.ts";
import { messageTokens } from "./estimate-tokens.ts";
import { timeNote } from "./notes.ts";
import type { ViewSettings } from "./session-view.ts";
import { shortenResult } from "./shorten-result.ts";

export interface ShownEntry {
  seq: number;
  /** When it was said, in milliseconds; NaN if unknown. */
  at: number;
  /** Of the present turn. */
  isTurn: boolean;
  /** As it is kept, except that its pairs are whole. */
  said: Message;
  message: Message;
  /** The same without what was opened again for it; left out where nothing was. */
  plain?: Message;
  /** What the message takes, by our own count. */
  tokens: number;
}

interface Look extends Pick<ViewSettings, "timezone" | "resultChars" | "resultCharsByTool"> {
  /** What stands above the words of this entry, besides its time. */
  opened?: { seq: number; text: string } | undefined;
}

/** Every call followed by its result. Pure. */
export function showEntries(
  history: readonly MessageEntry[],
  turn: readonly MessageEntry[],
  { timezone, resultChars, resultCharsByTool }: Omit<Look, "opened">,
  opened?: Look["opened"],
): ShownEntry[] {
  const look = { timezone, resultChars, resultCharsByTool, opened };
  const entries = [...history, ...turn];
  const firstOfTurn = turn[0]?.seq ?? Infinity;
  const kept = entries.map(({ message }) => message);
  if (isPaired(kept))
    return entries.map((entry) =>
      show(entry, { said: entry.message, isTurn: entry.seq >= firstOfTurn, look }),
    );
  const { messages } = wellFormedMessages(kept);

  // What was repaired keeps its content, by which it is known again; what was put in belongs to what stands before it.
  const byContent = new Map(entries.map((entry) => [entry.message.content, entry]));
  let entry = entries[0];
  return messages.flatMap((message) => {
    entry = byContent.get(message.content) ?? entry;
    return entry ? [show(entry, { said: message, isTurn: entry.seq >= firstOfTurn, look })] : [];
  });
}

/** The entry with the other message, if that is smaller. */
export function smallerAs(entry: ShownEntry, message: Message): ShownEntry {
  if (message === entry.message) return entry;
  const tokens = messageTokens(message);
  return tokens < entry.tokens ? { ...entry, message, tokens } : entry;
}

interface Showing {
  said: Message;
  isTurn: boolean;
  look: Look;
}

function show({ seq, time }: MessageEntry, { said, isTurn, look }: Showing): ShownEntry {
  const plain = said.role === "toolResult" ? shownResult(said, seq, look) : noted(said, time, look);
  const message = isTurn ? withOpened(plain, seq, look) : plain;
  const entry = { seq, at: Date.parse(time), isTurn, said, message, tokens: messageTokens(message) };
  return message === plain ? entry : { ...entry, plain };
}

/** A result as it is shown where there is space. Pure. */
export const shownResult = (
  result: ToolResultMessage,
  seq: number,
  look: Pick<Look, "resultChars" | "resultCharsByTool">,
): ToolResultMessage => shortenResult(result, seq, limitFor(result.toolName, look));

function withOpened(message: Message, seq: number, { opened }: Look): Message {
  if (message.role !== "user" || opened?.seq !== seq) return message;
  return { ...message, note: [opened.text, message.note].filter(Boolean).join("\n") };
}

function limitFor(
  tool: string,
  { resultChars, resultCharsByTool = {} }: Pick<Look, "resultChars" | "resultCharsByTool">,
): number {
  return Object.hasOwn(resultCharsByTool, tool) ? (resultCharsByTool[tool] ?? resultChars) : resultChars;
}

function noted(said: Message, time: string, { timezone }: Look): Message {
  const note = said.role === "user" && said.note === undefined ? timeNote(time, timezone) : undefined;
  return note === undefined || said.role !== "user" ? said : { ...said, note };
}
