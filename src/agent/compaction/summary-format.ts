/** The text of a summary: what was said, then failures and files, and what it covers. */
import type { FileLists } from "./file-lists.ts";

export const unavailable = "Summary unavailable due to context limits. Older messages were truncated.";

const turnTitle = "Turn Context: ";
const between = `\n\n---\n\n${turnTitle}`;

/** A turn that is cut in two is summarised separately, because the reader continues in the middle of it. */
export function joinTurn(history: string, turn: string | undefined): string {
  if (turn === undefined) return history;
  return history === "" ? `${turnTitle}${turn}` : `${history}${between}${turn}`;
}

export interface SummaryParts {
  text: string;
  failures: readonly string[];
  files: FileLists & { leftOut: number };
  /** Characters that each list of files may take. */
  maxFileChars: number;
  range: { from: number; to: number; takesUpPrevious: boolean };
}

export function formatSummary({ text, failures, files, maxFileChars, range }: SummaryParts): string {
  const sections = [
    text.trim(),
    failures.length > 0 ? [failuresTitle, ...failures].join("\n") : "",
    fileSection("read-files", files.readFiles, maxFileChars),
    fileSection("modified-files", files.modifiedFiles, maxFileChars),
    files.leftOut > 0 ? `(and ${files.leftOut} files before these)` : "",
    pointBack(range),
  ];
  return sections.filter(Boolean).join("\n\n");
}

/** What was said in short, as `joinTurn` put it together, without what `formatSummary` put below it. Any other text is all history. */
export function readSummary(summary: string): { history: string; turn: string | undefined } {
  const text = summary.replace(added, "").trim();
  if (text.startsWith(turnTitle)) return { history: "", turn: text.slice(turnTitle.length) };
  const place = text.lastIndexOf(between);
  if (place < 0) return { history: text, turn: undefined };
  return { history: text.slice(0, place), turn: text.slice(place + between.length) };
}

const failuresTitle = "## Tool Failures";

/** Everything from the first added section to the end. */
const added =
  /(?:(?:^|\n\n)## Tool Failures(?:\n(?:- |\(and ).*)+)?(?:\n\n<read-files>\n[^<>]*<\/read-files>)?(?:\n\n<modified-files>\n[^<>]*<\/modified-files>)?(?:\n\n\(and \d+ files before these\))?(?:\n\n\(stands for entries [^\n]*\))?$/u;

function fileSection(tag: string, paths: readonly string[], maxChars: number): string {
  if (paths.length === 0) return "";
  const shown: string[] = [];
  let chars = 0;
  for (const path of paths) {
    chars += path.length + 1;
    if (chars > maxChars) break;
    shown.push(path);
  }
  const more = paths.length - shown.length;
  return [`<${tag}>`, ...shown, ...(more > 0 ? [`(and ${more} more)`] : []), `</${tag}>`].join("\n");
}

const pointBack = ({ from, to, takesUpPrevious }: SummaryParts["range"]): string =>
  `(stands for entries #${from}–#${to} of this session${takesUpPrevious ? ", and takes up the summary before it" : ""})`;
