/**
 * What a text is made of, as far as a cut must know: its code blocks, and the stretches that are better kept in one piece. One quick
 * look over the lines instead of a whole Markdown tree, which takes a hundred times as long and is needed by nobody here.
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
  /** The block that a cut here would be within. */
  blockAt(at: number): CodeBlock | undefined;
  /** How bad a cut here is: 0 not at all, 1 a pity, 2 only where there is no other place. */
  harmAt(at: number): 0 | 1 | 2;
}

/** Stretches longer than `limit` cannot be kept in one piece, and do not count. */
export function outlineOf(text: string, limit: number): Outline {
  const harm = [new Int32Array(text.length + 2), new Int32Array(text.length + 2)] as const;
  const keep = (start: number, end: number, isPity: boolean) => {
    if (end - start < 2 || end - start > limit) return;
    const counts = harm[isPity ? 0 : 1];
    counts[start + 1] = (counts[start + 1] ?? 0) + 1;
    counts[end] = (counts[end] ?? 0) - 1;
  };

  const lines = linesOf(text);
  const blocks = codeBlocksOf(lines, text.length);
  for (const block of blocks) {
    const isNested = block.prefix.length > 3 || block.prefix.includes(">");
    if (isNested && block.end - block.start <= limit * 0.9) keep(block.start, block.end, false);
    else if (block.end - block.start <= limit / 2) keep(block.start, block.end, true);
  }
  keepLines(lines, blocks, limit, keep);

  for (const counts of harm)
    for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
  return {
    blocks,
    blockAt(at) {
      const index = blocks.findLastIndex((block) => block.start < at);
      const block = blocks[index];
      return block && at < block.end ? block : undefined;
    },
    harmAt: (at) => ((harm[1][at] ?? 0) > 0 ? 2 : (harm[0][at] ?? 0) > 0 ? 1 : 0),
  };
}

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
    // Until a line closes it, it goes on beyond the end.
    open = { ...fence, start: line.start, openerEnd: endOf(line), closerStart: length + 1, end: length + 1 };
    blocks.push(open);
  }
  return blocks;
}

type Keep = (start: number, end: number, isPity: boolean) => void;

function keepLines(lines: Line[], blocks: CodeBlock[], limit: number, keep: Keep): void {
  let next = 0;
  let paragraph: { start: number; text: string } | undefined;
  const endParagraph = () => {
    if (!paragraph) return;
    for (const { start, end } of inlineStretches(paragraph.text))
      keep(paragraph.start + start, paragraph.start + end, false);
    paragraph = undefined;
  };
  lines.forEach((line, index) => {
    while ((blocks[next]?.end ?? Infinity) < line.start) next++;
    if ((blocks[next]?.start ?? Infinity) <= line.start) {
      endParagraph();
      keep(line.start, endOf(line), false);
      return;
    }
    const marker = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/.exec(line.text)?.[0];
    if (marker !== undefined) keep(line.start, line.start + marker.length + 1, false);
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

/** A heading stays with the first words of what follows it. */
function keepHeading(lines: Line[], index: number, keep: Keep): void {
  const heading = lines[index];
  const after = lines.slice(index + 1, index + 4).find(({ text }) => text.trim() !== "");
  if (heading) keep(heading.start, after ? Math.min(endOf(after), after.start + 64) : endOf(heading), false);
}

const isTableHead = (head: Line, rule: Line | undefined): boolean =>
  rule !== undefined &&
  head.text.includes("|") &&
  rule.text.includes("-") &&
  rule.text.length < 2000 &&
  /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$/.test(rule.text);

/** Rows are whole, the head stays with the first of them, and a small table is better kept together. */
function keepTable(lines: Line[], index: number, limit: number, keep: Keep): void {
  const [head, first] = [lines[index], lines[index + 2]];
  let last = index + 1;
  while (lines[last + 1]?.text.includes("|")) last++;
  const end = endOf(lines[last] ?? { start: 0, text: "" });
  if (!head) return;
  keep(head.start, first && last >= index + 2 ? endOf(first) : end, false);
  for (let row = index + 3; row <= last; row++) {
    const line = lines[row];
    if (line) keep(line.start, endOf(line), false);
  }
  if (end - head.start <= limit * 0.7) keep(head.start, end, true);
}
