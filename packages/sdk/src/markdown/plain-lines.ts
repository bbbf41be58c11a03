import { parseMarkdown } from "./parse-markdown.ts";
import { plainText, type TextMarks } from "./plain-text.ts";
import { carryMarks, packLines, splitLine } from "./split-line.ts";

/**
 * An answer for networks where every line is a message: no line longer than `bytes` of UTF-8, none blank, and no
 * control characters except the network's own `marks`. Beyond `most` lines it joins those that fit together.
 */
export function plainLines(
  text: string,
  { bytes, most, marks }: { bytes: number; most: number; marks?: TextMarks | undefined },
): string[] {
  const clean = text.replaceAll("\t", "  ").replaceAll(/(?!\n)[\p{Cc}\u2028\u2029]/gu, "");
  const lines = plainText(parseMarkdown(clean), marks)
    .split("\n")
    .filter((line) => /[^\s\p{Cc}]/u.test(line));
  const signs = Object.values(marks ?? {});
  // A part takes up at most each of them.
  const space = bytes - signs.length;
  const fitting = lines.length > most ? packLines(lines, space) : lines;
  return fitting.flatMap((line) => carryMarks(splitLine(line.trimEnd(), space), signs));
}
