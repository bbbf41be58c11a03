/**
 * What a command has in common with equally harmless ones, for an owner who approves all of them at once. Only for
 * one plain program whose words are all known and stay in the workdir; anything uncertain has no shape.
 */
import type { CommandReading } from "./command-reading.ts";
import { isSafeCommand } from "./is-safe-command.ts";
import type { Place } from "./stays-inside.ts";

export interface CommandShape {
  /** As it is written. */
  program: string;
  /** Whole words, each once, sorted, where operands are free; otherwise all words in their order. */
  words: readonly string[];
  /** Whether any other operands in the workdir would do as well. */
  hasFreeOperands: boolean;
}

/** Undefined where there is none. */
export function shapeOfCommand(reading: CommandReading, place: Place): CommandShape | undefined {
  if (reading.type !== "read" || reading.commands.length !== 1) return undefined;
  const [{ words, assignments, redirects, standing }] = reading.commands as [(typeof reading.commands)[0]];
  const [program, ...rest] = words;
  if (!program || assignments.length > 0 || redirects.length > 0 || standing.length > 0) return undefined;
  if (!isSafeCommand(reading, { ...place, safeBins: [program.text] })) return undefined;
  const texts = rest.map(({ text }) => text);
  if (!onlyReads.has(program.text)) {
    // The names that a pattern becomes are other ones each time.
    if (rest.some(({ type }) => type !== "fixed")) return undefined;
    return { program: program.text, words: texts, hasFreeOperands: false };
  }
  const end = texts.indexOf("--");
  const beforeEnd = end < 0 ? texts : texts.slice(0, end);
  const options = beforeEnd.filter((text) => text.startsWith("-") && text !== "-");
  return { program: program.text, words: [...new Set(options)].sort(), hasFreeOperands: true };
}

/** Programs to which every word that is no option is something to read. */
const onlyReads: ReadonlySet<string> = new Set(
  "cat head tail wc ls stat du nl tac cmp diff cksum md5sum sha1sum sha256sum sha512sum".split(" "),
);
