/** Code blocks deep in lists or quotations cannot be reopened after a cut, so they move to the margin. */
import { outlineOf, type CodeBlock } from "./split-text-outline.ts";

/**
 * Returns the text unchanged if there is no such block. Removes only the marks and white space before the block's
 * lines.
 */
export function liftCodeBlocks(text: string, limit: number): string {
  if (!/^(?:[ \t]{4}|[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t])).*(?:```|~~~)/m.test(text)) return text;
  let lifted = "";
  let at = 0;
  for (const block of outlineOf(text, limit).blocks) {
    const isDeep = block.prefix.length > 3 || block.prefix.includes(">");
    if (!isDeep || block.end - block.start <= limit * 0.9) continue;
    lifted += text.slice(at, block.start) + lift(text.slice(block.start, block.end), block);
    at = Math.min(block.end, text.length);
  }
  return lifted + text.slice(at);
}

function lift(code: string, { prefix }: CodeBlock): string {
  const [opener = "", ...lines] = code.split("\n");
  const marker = /[^\s>]/.test(prefix) ? `${prefix.trimEnd()}\n` : "";
  const bare = lines.map((line) => withoutPrefix(line, prefix));
  return `${marker}${[opener.slice(prefix.length), ...bare].join("\n")}`;
}

/** Removes the quotation marks of the prefix, then as much white space; the rest is code. */
function withoutPrefix(line: string, prefix: string): string {
  const levels = prefix.split(">");
  const width = columnsOf(levels.pop() ?? "");
  let at = 0;
  for (let level = 0; level < levels.length; level++) {
    const mark = /^[ \t]*>/.exec(line.slice(at));
    if (!mark) break;
    at += mark[0].length;
  }
  const start = at;
  while (/[ \t]/.test(line[at] ?? "") && columnsOf(line.slice(start, at + 1)) <= width) at++;
  return line.slice(at);
}

/** A tab moves to the next multiple of four columns. */
const columnsOf = (text: string): number =>
  Array.from(text).reduce((column, mark) => (mark === "\t" ? column + 4 - (column % 4) : column + 1), 0);
