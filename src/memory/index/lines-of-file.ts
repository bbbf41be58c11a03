/**
 * A memory file as the lines that can be found: one for each line of text, with who said it and when as far as the file tells.
 *
 * A day in a heading, or in the name of the file, holds for what stands below it; `Name: words` and `[13:45] Name: words` tell who and when.
 * A line that nobody has confirmed (`labelled-line.ts`) keeps its label, which comes back with every result. It is a line of words and nothing
 * else: it dates, heads and fences no other.
 */
import type { MemoryLine } from "@pincer/sdk";
import { readMemoryLine } from "../labelled-line.ts";
import { cutIntoParts } from "./cut-into-parts.ts";
import { dayOfPath, momentOf, readDay } from "./read-day.ts";
import { readSpeaker } from "./read-speaker.ts";

/** Raise it when files are parsed differently: the index is then rebuilt. */
export const linesVersion = 2;

/** One line is one result up to here; more of it becomes several that share the number. */
const longestLine = 4_000;

export interface MemoryFileText {
  /** In the workdir. */
  path: string;
  text: string;
  /** IANA name; what times of day in the file mean. */
  timezone: string;
}

export function linesOfFile({ path, text, timezone }: MemoryFileText): MemoryLine[] {
  const raw = text.replace(/^\uFEFF/, "").split(/\r\n|\n/);
  const times = createTimes(dayOfPath(path), timezone);
  const found: MemoryLine[] = [];
  let fence: string | undefined;
  for (let at = endOfFrontMatter(raw); at < raw.length; at += 1) {
    const { marks, text: said, label } = readMemoryLine((raw[at] ?? "").replaceAll(wideGap, gap));
    if (label !== undefined) {
      found.push(...partsOf({ ...readSaid(said, times), label }, at + 1));
      continue;
    }
    const words = `${marks}${said}`;
    const mark = fenceOf(words);
    if (mark && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    const isCode = fence !== undefined;
    const line = isCode ? { text: words.trim(), time: times.now() } : readLine(words, times, raw[at + 1]);
    found.push(...partsOf(line, at + 1));
  }
  return found;
}

const partsOf = (said: FoundLine, line: number): MemoryLine[] =>
  said.text === ""
    ? []
    : cutIntoParts(said.text, longestLine).map((text) => withoutGaps({ ...said, line, text }));

/** What reads a line looks at each gap from each of its places: as wide as anybody makes them that takes no time. */
const gap = " ".repeat(16);
const wideGap = /[^\S\n]{17,}/g;

type FoundLine = Pick<MemoryLine, "text" | "who" | "time" | "label">;

function readLine(words: string, times: Times, next: string | undefined): FoundLine {
  if (isOnlyMarks(words)) return { text: "" };
  const heading = headingOf(words, next);
  if (heading) {
    const time = times.enter(heading.text, heading.level);
    const { day, isAll } = readDay(plain(heading.text));
    // A day alone above others says when, and nothing else: as a result it would take the place of what was said.
    return isAll && day !== undefined ? { text: "" } : { text: heading.text, time };
  }
  const text = withoutBullet(words);
  if (readDay(plain(text)).isAll) return { text, time: times.enter(text, lowestLevel) };
  return readSaid(text, times);
}

function readSaid(text: string, times: Times): FoundLine {
  if (isOnlyMarks(text)) return { text: "" };
  const { who, clock, words: said } = readSpeaker(text);
  return { text: said, who, time: clock ? times.at(clock) : times.now() };
}

interface Times {
  now(): string | undefined;
  at(clock: string): string | undefined;
  /** Below a heading of that level from now on; the time of the heading itself. */
  enter(heading: string, level: number): string | undefined;
}

const lowestLevel = 7;

function createTimes(dayOfFile: string | undefined, timezone: string): Times {
  let headings: Array<{ level: number; day: string | undefined; clock: string | undefined }> = [];
  const dayNow = () => headings.findLast(({ day }) => day !== undefined)?.day ?? dayOfFile;
  const now = () => momentOf({ day: dayNow(), clock: headings.at(-1)?.clock }, timezone);
  return {
    now,
    at: (clock) => momentOf({ day: dayNow(), clock }, timezone),
    enter(heading, level) {
      headings = headings.filter((above) => above.level < level);
      const { day, clock } = readDay(plain(heading));
      headings.push({ level, day, clock });
      return now();
    },
  };
}

function endOfFrontMatter(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? 0 : end + 1;
}

const fenceOf = (line: string): string | undefined => /^\s*(?:>\s*)*(`{3,}|~{3,})[^`]*$/.exec(line)?.[1];

/** Rules, borders of tables, underlines of headings, comments: nothing that anybody reads. */
const isOnlyMarks = (line: string): boolean =>
  /^[\s|:=*_`~#>+-]*$/.test(line) || /^\s*<!--(?:(?!-->).)*-->\s*$/.test(line);

function headingOf(line: string, next: string | undefined): { text: string; level: number } | undefined {
  const [, marks, text] = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line) ?? [];
  if (marks && text) return { text, level: marks.length };
  const underline = /^ {0,3}(=+|-+)\s*$/.exec(next ?? "")?.[1];
  // Three or more: a single dash below a line is the beginning of a list.
  if (!underline || underline.length < 3 || /^\s*(?:[-*+>|]|\d+[.)]\s)/.test(line)) return undefined;
  return { text: line.trim(), level: underline.startsWith("=") ? 1 : 2 };
}

const withoutBullet = (line: string): string =>
  line
    .trim()
    .replace(/^(?:>\s*)+/, "")
    .replace(/^(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/, "")
    .trim();

/** Without what makes it bold. */
const plain = (text: string): string => text.replaceAll(/[*_`]+/g, "");

function withoutGaps(line: MemoryLine): MemoryLine {
  return Object.fromEntries(
    Object.entries(line).filter(([, value]) => value !== undefined),
  ) as unknown as MemoryLine;
}
