/** Long tool results as a request shows them. The full text is stored, and found by the number of its entry: `r123`. */
import { textOf, type ToolResultMessage } from "@pincer/sdk";
import { headAndTail, shortenText, withCommas, type OmissionMark } from "./head-and-tail.ts";

/** At most `limit` characters of it: its head and its tail. Pure; images stay; the same object where it is short enough. */
export const shortenResult = (result: ToolResultMessage, seq: number, limit: number): ToolResultMessage =>
  withText(result, (text) => (text.length > limit ? shortenText(text, limit, leftOut(seq)) : text));

/** Of an old one. Pure, and made once; the same object where it is short. */
export function trimResult(result: ToolResultMessage, seq: number): ToolResultMessage {
  const known = trimmed.get(result);
  if (known?.seq === seq) return known.message;
  const message = withText(result, (text) =>
    text.length > trimAbove ? headAndTail(text, { head: trimTo, tail: trimTo }, leftOut(seq)) : text,
  );
  trimmed.set(result, { seq, message });
  return message;
}

/** Nothing of it but its handle. Pure. */
export const removeResult = (result: ToolResultMessage, seq: number): ToolResultMessage =>
  withText(result, () => `[old tool result removed; the whole is ${handleOf(seq)}: result_read]`);

/** The same, unless it is so short that nothing would be won. Pure. */
export const removeLongResult = (result: ToolResultMessage, seq: number): ToolResultMessage =>
  textOf(result).length > worthRemoving ? removeResult(result, seq) : result;

export const hasImage = ({ content }: ToolResultMessage): boolean =>
  content.some(({ type }) => type === "image");

const trimmed = new WeakMap<ToolResultMessage, { seq: number; message: ToolResultMessage }>();
const trimAbove = 4000;
const trimTo = 1500;
const worthRemoving = 200;

const handleOf = (seq: number): string => `r${seq}`;

const leftOut =
  (seq: number): OmissionMark =>
  (count, total) =>
    `[… ${withCommas(count)} of ${withCommas(total)} characters left out; the whole is ${handleOf(seq)}: result_read]`;

function withText(result: ToolResultMessage, change: (text: string) => string): ToolResultMessage {
  const text = textOf(result);
  const changed = change(text);
  if (changed === text) return result;
  const images = result.content.filter((block) => block.type === "image");
  return { ...result, content: [{ type: "text", text: changed }, ...images] };
}
