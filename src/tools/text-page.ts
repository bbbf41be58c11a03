/** A part of a long text, for tools that read one in several calls. */
import { cutAfter, cutBefore } from "../infra/cut-text.ts";

export const mostPageChars = 20_000;

export interface TextPage {
  text: string;
  from: number;
  to: number;
  total: number;
  /** Where to go on, if there is more. */
  next?: number;
  /** The same for the model: `characters 0 to 20000 of 48213; go on with offset 20000`. */
  place: string;
}

/** `name`: what the text is called. Throws where the offset is behind its end. */
export function pageOf(
  text: string,
  { offset = 0, limit = mostPageChars, name }: { offset?: number; limit?: number; name: string },
): TextPage {
  const total = text.length;
  if (offset >= total && total > 0)
    throw new Error(`${name} has ${total} characters; offset ${offset} is behind its end`);
  const from = cutBefore(text, offset);
  const to = endOf(text, offset, limit);
  const next = to < total ? to : undefined;
  const rest = next === undefined ? "the end" : `go on with offset ${next}`;
  const place = `characters ${from} to ${to} of ${total}; ${rest}`;
  return { text: text.slice(from, to), from, to, total, ...(next !== undefined && { next }), place };
}

/** Always beyond the offset, so that reading on reaches the end. */
function endOf(text: string, offset: number, limit: number): number {
  const end = cutBefore(text, offset + limit);
  return end > offset ? end : cutAfter(text, offset + 1);
}
