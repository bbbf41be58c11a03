/**
 * JSON as it is stored, read. The same text is read again and again: who asked and with which wishes stands in every row of a turn, and its entries
 * are read by whoever audits, copies and shows them. So what was read last is kept, and nobody can change it.
 */
import { frozen } from "../infra/once-per-frozen.ts";

/** Some hundred kilobytes in all: the texts of the turns that run at present. */
const mostKept = 256;
const longestKept = 1024;

const kept = new Map<string, unknown>();

export function readStored<Value>(text: string): Value {
  const known = kept.get(text);
  if (known !== undefined) return known as Value;
  const value = frozen(JSON.parse(text) as Value);
  if (text.length <= longestKept) keep(text, value);
  return value;
}

/** What has been there longest goes; where it is needed still it comes back with the next reading. */
function keep(text: string, value: unknown): void {
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
  kept.set(text, value);
}
