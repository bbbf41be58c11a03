/**
 * Opens a transcript in whatever state the disk left it. A line counts only if its checksum fits; everything else is reported
 * and passed over. What comes out is in the order of seq, each entry once.
 */
import type { Entry, SessionEntryBody } from "@pincer/sdk";
import { createSay, type Say } from "../../infra/texts.ts";
import { decodeLine } from "./decode-line.ts";
import { encodeLine } from "./line-codec.ts";
import { createLineSplitter, type RawLine } from "./split-lines.ts";

export type HeaderEntry = SessionEntryBody & { seq: number; time: string };

export interface TranscriptProblem {
  type:
    | "bad-line"
    /** The last line was cut short, as a crash does. */
    | "torn-end"
    /** Lines that stood on one line, having lost the break between them; they were kept. */
    | "joined-lines"
    /** The same entry again. */
    | "duplicate"
    /** Another entry with a seq that was taken; the first one counts. */
    | "conflict"
    | "out-of-order"
    | "gap"
    | "header-missing"
    | "header-recovered"
    | "header-misplaced";
  /** Counted from 1; absent where no single line is meant. */
  line?: number;
  reason: string;
}

export interface TranscriptReading {
  /** Also the first of `entries`; undefined when it was lost and could not be recovered. */
  header: HeaderEntry | undefined;
  entries: Entry[];
  problems: TranscriptProblem[];
  /** How many problems there were beyond the thousand that are listed. */
  moreProblems: number;
}

/** What a lost header is made from, taken from where the file was found. */
export type HeaderHints = Omit<SessionEntryBody, "type" | "version">;

/** The reasons are in English unless told. Streams: holds the entries and one line, never the file. Throws only what the stream itself throws, never for its content. */
export async function readTranscript(
  source: Uint8Array | AsyncIterable<Uint8Array | string>,
  { hints, say = english }: { hints?: HeaderHints; say?: Say } = {},
): Promise<TranscriptReading> {
  const problems = createProblemList();
  const found = createEntryCollection(problems, say);
  const splitter = createLineSplitter(longestLine, (line) => {
    for (const entry of readLine(line, problems, say)) found.add(entry, line.number);
  });

  for await (const chunk of source instanceof Uint8Array ? [source] : source) {
    splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  }
  splitter.end();

  const { header, entries } = withHeader(found.inOrder(), hints, problems, say);
  reportGaps(entries, problems, say);
  return { header, entries, problems: problems.listed, moreProblems: problems.unlisted() };
}

const english = createSay("en");
const longestLine = 64 * 1024 * 1024;
const mostListed = 1000;

interface ProblemList {
  listed: TranscriptProblem[];
  unlisted(): number;
  add(type: TranscriptProblem["type"], line: number | undefined, reason: string): void;
}

function createProblemList(): ProblemList {
  const listed: TranscriptProblem[] = [];
  let count = 0;
  return {
    listed,
    unlisted: () => count - listed.length,
    add(type, line, reason) {
      count++;
      if (listed.length < mostListed) listed.push({ type, ...(line !== undefined && { line }), reason });
    },
  };
}

function readLine({ bytes, number, isEnded }: RawLine, problems: ProblemList, say: Say): Entry[] {
  if (bytes === null) {
    problems.add("bad-line", number, say("transcript.flaw.too-long"));
    return [];
  }
  const text = decodeText(bytes);
  if (text?.trim() === "") return [];
  const decoded =
    text === undefined
      ? { ok: false as const, reason: say("transcript.flaw.no-text") }
      : decodeLine(text, say);
  if (decoded.ok) return [decoded.entry];

  const { entries, isWhole } = readJoined(new TextDecoder().decode(bytes));
  if (entries.length > 0)
    problems.add("joined-lines", number, say("transcript.flaw.joined", { count: entries.length }));
  if (!isWhole) problems.add(isEnded ? "bad-line" : "torn-end", number, decoded.reason);
  return entries;
}

/** Undefined where the bytes are not UTF-8. A line break of the other kind is no part of the line. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r$/, "");
  } catch {
    // Damaged bytes are what this reader expects.
    return undefined;
  }
}

/**
 * Reads lines whose break was damaged. Each must begin where a good one ended, the first where the line begins: an object that
 * only looks like an entry and stands inside another entry, in a tool call's arguments say, is never taken for one.
 */
function readJoined(text: string): { entries: Entry[]; isWhole: boolean } {
  const entries: Entry[] = [];
  let start = 0;
  let tries = 0;
  for (const seal of text.matchAll(/,"sum":"[0-9a-f]{8}"\}/g)) {
    if (++tries > mostTries) break;
    const end = seal.index + seal[0].length;
    const decoded = decodeLine(text.slice(start, end));
    if (!decoded.ok) continue;
    entries.push(decoded.entry);
    // What was a line break is still one character, or none.
    start = text.startsWith("{", end) ? end : end + 1;
    tries = 0;
  }
  return { entries, isWhole: entries.length > 0 && start >= text.length };
}

const mostTries = 32;

function createEntryCollection(problems: ProblemList, say: Say) {
  const bySeq = new Map<number, Entry>();
  let highest = 0;
  let isSorted = true;
  return {
    add(entry: Entry, line: number) {
      const known = bySeq.get(entry.seq);
      if (known) {
        const isSame = encodeLine(known) === encodeLine(entry);
        problems.add(
          isSame ? "duplicate" : "conflict",
          line,
          say("transcript.flaw.repeated", { seq: entry.seq }),
        );
        return;
      }
      if (entry.seq < highest) {
        isSorted = false;
        problems.add("out-of-order", line, say("transcript.flaw.behind", { seq: entry.seq, highest }));
      }
      highest = Math.max(highest, entry.seq);
      bySeq.set(entry.seq, entry);
    },
    inOrder(): Entry[] {
      const entries = [...bySeq.values()];
      return isSorted ? entries : entries.sort((one, other) => one.seq - other.seq);
    },
  };
}

/** The header is entry 1. Leaves misplaced ones out, and puts a recovered one in. */
function withHeader(
  found: Entry[],
  hints: HeaderHints | undefined,
  problems: ProblemList,
  say: Say,
): Pick<TranscriptReading, "header" | "entries"> {
  const entries = found.filter((entry) => {
    const isMisplaced = entry.type === "session" && entry.seq !== 1;
    if (isMisplaced)
      problems.add("header-misplaced", undefined, say("transcript.flaw.second-header", { seq: entry.seq }));
    return !isMisplaced;
  });

  const first = entries[0];
  if (first?.type === "session") return { header: first, entries };
  if (!first || first.seq === 1 || !hints) {
    problems.add("header-missing", undefined, say("transcript.flaw.first-missing"));
    return { header: undefined, entries };
  }
  const header: HeaderEntry = { seq: 1, time: first.time, type: "session", ...hints, version: 1 };
  problems.add("header-recovered", undefined, say("transcript.flaw.header-made"));
  return { header, entries: [header, ...entries] };
}

function reportGaps(entries: Entry[], problems: ProblemList, say: Say): void {
  let expected = 1;
  for (const { seq } of entries) {
    if (seq > expected) {
      const key = seq - expected === 1 ? "transcript.flaw.gap" : "transcript.flaw.gaps";
      problems.add("gap", undefined, say(key, { from: expected, to: seq - 1 }));
    }
    expected = seq + 1;
  }
}
