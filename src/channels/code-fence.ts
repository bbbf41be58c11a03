/** Fences of code blocks, as far as a text that is cut in two must know them. */
export interface Fence {
  /** The run of marks that opened it; at least as many of the same close it. */
  marks: string;
  /** The line that opens the block again in the next part. */
  opener: string;
}

/** The fence that is still open after `text`, which begins outside of one or, given `open`, inside it. */
export function openFenceAfter(text: string, open: Fence | undefined): Fence | undefined {
  let fence = open;
  for (const line of text.split("\n")) fence = afterLine(line, fence);
  return fence;
}

/** Whether this line ends the block. */
export const closesFence = (line: string, fence: Fence): boolean => afterLine(line, fence) === undefined;

/** Whether this line begins a block, said of a line outside of one. */
export const opensFence = (line: string): boolean => afterLine(line, undefined) !== undefined;

function afterLine(line: string, fence: Fence | undefined): Fence | undefined {
  const [, marks = "", info = ""] = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/.exec(line) ?? [];
  if (marks === "") return fence;
  if (!fence) {
    // A backtick after the marks makes it code within a line.
    if (marks.startsWith("`") && info.includes("`")) return undefined;
    const language = /^\s*([^\s`]{1,24})(?=\s|$)/.exec(info)?.[1] ?? "";
    return { marks, opener: marks + language };
  }
  const isClosing = marks[0] === fence.marks[0] && marks.length >= fence.marks.length && info.trim() === "";
  return isClosing ? undefined : fence;
}
