/** Fences of code blocks, line by line: in the open, in a list item or in a quotation. */
export interface Fence {
  /** The run of marks that opened it; at least as many of the same close it. */
  marks: string;
  /** The line that opens the same block again elsewhere: the marks and the language. */
  opener: string;
  language: string | undefined;
  /** What stands before the marks: indentation, list markers, quotation marks. */
  prefix: string;
}

/** Outside of a block: the block that this line opens. */
export function fenceOpenedBy(line: string): Fence | undefined {
  const [, prefix = "", marks = "", info = ""] = openingLine.exec(line) ?? [];
  // A backtick after the marks makes it code within a line.
  if (marks === "" || (marks.startsWith("`") && info.includes("`"))) return undefined;
  const language = /^\s*([^\s`]{1,24})(?=\s|$)/.exec(info)?.[1];
  return { marks, opener: marks + (language ?? ""), language, prefix };
}

/** Inside of one: whether this line is the one that closes it. */
export function closesFence(line: string, fence: Fence): boolean {
  const [, before = "", marks = ""] = closingLine.exec(line) ?? [];
  if (marks === "" || marks[0] !== fence.marks[0] || marks.length < fence.marks.length) return false;
  return before.length <= fence.prefix.length + 3 && before.includes(">") === fence.prefix.includes(">");
}

/** Inside of one: whether the block is over before this line, because the quotation around it is. */
export const leavesQuotedFence = (line: string, fence: Fence): boolean =>
  fence.prefix.includes(">") && !/^[ \t]*>/.test(line);

const openingLine = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(`{3,}|~{3,})([^\n]*)$/;
const closingLine = /^([ \t>]*)(`{3,}|~{3,})[ \t\r]*$/;
