/**
 * The structure of a text, as far as a cut needs it: code blocks, and stretches to keep together. One pass over the
 * lines; a full Markdown tree takes a hundred times as long.
 */
import {
  closesFence,
  fenceOpenedBy,
  leavesQuotedFence,
  type Fence,
} from "../agent/reply-stream/code-fence.ts";
import { inlineStretches } from "./split-text-inline.ts";

export interface CodeBlock extends Fence {
  /** Where the line begins that opens it, and where that line ends. */
  start: number;
  openerEnd: number;
  /** Where the line begins that closes it; the end of the block when none does. */
  closerStart: number;
  end: number;
}

export interface Outline {
  blocks: CodeBlock[];
  /** The block that contains this position. */
  blockAt(at: number): CodeBlock | undefined;
  /**
   * How bad a cut here is: 0 harmless, 1 a pity, 2 only if there is no other place, 3 everything after it would
   * change.
   */
  harmAt(at: number): 0 | Harm;
}

type Harm = 1 | 2 | 3;

/** Stretches longer than `limit` cannot be kept together and are ignored. */
export function outlineOf(text: string, limit: number): Outline {
  const harms = { 1: countsFor(text), 2: countsFor(text), 3: countsFor(text) };
  const keep = (start: number, end: number, harm: Harm) => {
    if (end - start < 2 || end - start > limit) return;
    const counts = harms[harm];
    counts[start + 1] = (counts[start + 1] ?? 0) + 1;
    counts[end] = (counts[end] ?? 0) - 1;
  };

  const lines = linesOf(text);
  const blocks = codeBlocksOf(lines, text.length);
  for (const block of blocks) {
    const isNested = block.prefix.length > 3 || block.prefix.includes(">");
    if (isNested && block.end - block.start <= limit * 0.9) keep(block.start, block.end, 2);
    else if (block.end - block.start <= limit / 2) keep(block.start, block.end, 1);
  }
  keepLines(lines, blocks, limit, keep);

  for (const counts of Object.values(harms))
    for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
  return {
    blocks,
    blockAt(at) {
      const index = blocks.findLastIndex((block) => block.start < at);
      const block = blocks[index];
      return block && at < block.end ? block : undefined;
    },
    harmAt: (at) => ([3, 2, 1] as const).find((harm) => (harms[harm][at] ?? 0) > 0) ?? 0,
  };
}

const countsFor = (text: string) => new Int32Array(text.length + 2);

interface Line {
  start: number;
  text: string;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    lines.push({ start, text: text.slice(start, end) });
    start = end + 1;
  }
  return lines;
}

const endOf = (line: Line): number => line.start + line.text.length;

function codeBlocksOf(lines: Line[], length: number): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: CodeBlock | undefined;
  for (const line of lines) {
    if (open && closesFence(line.text, open)) {
      [open.closerStart, open.end] = [line.start, endOf(line)];
      open = undefined;
      continue;
    }
    if (open && leavesQuotedFence(line.text, open)) {
      open.closerStart = open.end = line.start - 1;
      open = undefined;
    }
    const fence = open ? undefined : fenceOpenedBy(line.text);
    if (!fence) continue;
    // Without a closing line the block extends to the end.
    open = { ...fence, start: line.start, openerEnd: endOf(line), closerStart: length + 1, end: length + 1 };
    blocks.push(open);
  }
  return blocks;
}

type Keep = (start: number, end: number, harm: Harm) => void;

function keepLines(lines: Line[], blocks: CodeBlock[], limit: number, keep: Keep): void {
  let next = 0;
  let paragraph: { start: number; text: string } | undefined;
  const endParagraph = () => {
    if (!paragraph) return;
    for (const { start, end } of inlineStretches(paragraph.text))
      keep(paragraph.start + start, paragraph.start + end, 2);
    paragraph = undefined;
  };
  lines.forEach((line, index) => {
    keepOffLineStarts(line, keep);
    while ((blocks[next]?.end ?? Infinity) < line.start) next++;
    if ((blocks[next]?.start ?? Infinity) <= line.start) {
      endParagraph();
      keep(line.start, endOf(line), 2);
      return;
    }
    const marker = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/.exec(line.text)?.[0];
    if (marker !== undefined) keep(line.start, line.start + marker.length + 1, 2);
    if (/^ {0,3}#{1,6}(?:\s|$)/.test(line.text)) keepHeading(lines, index, keep);
    if (isTableHead(line, lines[index + 1])) keepTable(lines, index, limit, keep);
    if (line.text.trim() === "" || /^[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]/.test(line.text))
      endParagraph();
    if (line.text.trim() === "") return;
    paragraph ??= { start: line.start, text: "" };
    paragraph.text += `${paragraph.text === "" ? "" : "\n"}${line.text}`;
  });
  endParagraph();
}

/** Three backticks or tildes inside a line open no block; at the start of a part they would. */
function keepOffLineStarts({ start, text }: Line, keep: Keep): void {
  for (const { 0: marks, index } of text.matchAll(/(?<!`)`{3,}|(?<!~)~{3,}/g)) {
    const before = text.slice(0, index).trimEnd().length;
    if (before > 0) keep(start + before - 1, start + index + marks.length, 3);
  }
}

/** A heading stays with the beginning of what follows. */
function keepHeading(lines: Line[], index: number, keep: Keep): void {
  const heading = lines[index];
  const after = lines.slice(index + 1, index + 4).find(({ text }) => text.trim() !== "");
  if (!heading) return;
  keep(heading.start, endOf(heading), 2);
  // Less strict, so that a sequence of headings can be cut.
  if (after) keep(heading.start, Math.min(endOf(after), after.start + 64), 1);
}

const isTableHead = (head: Line, rule: Line | undefined): boolean =>
  rule !== undefined &&
  head.text.includes("|") &&
  rule.text.includes("-") &&
  rule.text.length < 2000 &&
  /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$/.test(rule.text);

/** Rows stay whole, the head stays with the first row, and a small table stays together. */
function keepTable(lines: Line[], index: number, limit: number, keep: Keep): void {
  const [head, first] = [lines[index], lines[index + 2]];
  let last = index + 1;
  while (lines[last + 1]?.text.includes("|")) last++;
  const end = endOf(lines[last] ?? { start: 0, text: "" });
  if (!head) return;
  keep(head.start, first && last >= index + 2 ? endOf(first) : end, 2);
  for (let row = index + 3; row <= last; row++) {
    const line = lines[row];
    if (line) keep(line.start, endOf(line), 2);
  }
  if (end - head.start <= limit * 0.7) keep(head.start, end, 2);
}
