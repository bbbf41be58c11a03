/**
 * JSON as it is stored, read. The same text is read again and again: who asked and with which wishes stands in every row of a turn, and its entries
 * are read by whoever audits, copies and shows them. So what was read last is kept, and nobody can change it.
 */
import { onceForRecent } from "../../infra/once-for-recent.ts";
import { frozen } from "../../infra/once-per-frozen.ts";

/** Some hundred kilobytes in all: the texts of the turns that run at present. */
const mostKept = 256;
const longestKept = 1024;

export const readStored = <Value>(text: string): Value =>
  (text.length <= longestKept ? readOnce(text) : read(text)) as Value;

const read = (text: string): unknown => frozen(JSON.parse(text) as unknown);
const readOnce = onceForRecent(read, mostKept);
