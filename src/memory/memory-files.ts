/**
 * An agent's memory, in files of its workdir that people can read and change: the memory file for what lasts, and a
 * note for each day. Both layouts are read, whichever is written: `memory/2026-11-15.md` and
 * `memory/202611/20261115.md`.
 */
import type { WriteOptions } from "../sandbox/change-files.ts";
import type { Clock } from "../infra/clock.ts";
import type { WorkdirFiles } from "../sandbox/workdir-files.ts";
import { readWorkdirTexts, type WantedTexts, type WorkdirTexts } from "../sandbox/workdir-texts.ts";
import { createCalendar } from "./calendar.ts";
import { composeNote, findNote, tidyNote } from "./compose-note.ts";
import { confirmedOnly } from "./confirmed-only.ts";

export type MemoryLayout = "flat" | "monthly";

/** The lines that the owner vouches for, and how many others were left out. */
export interface ConfirmedTexts extends WorkdirTexts {
  unconfirmed: number;
}

export interface MemoryFiles {
  /** The memory file, its beginning if it is too long; its two possible places share the space. Never throws. */
  longTerm(maxChars: number): Promise<ConfirmedTexts>;
  /**
   * The notes of this many days up to today, newest last; the newest gets space first, and long notes keep their end.
   * Never throws.
   */
  notes(days: number, maxChars: number): Promise<ConfirmedTexts>;
  /**
   * Changes whenever what the two above give for `days` may have, be it because a day is over. Reads nothing.
   * Never throws.
   */
  stamp(days: number): string;
  /**
   * Adds a note, on disk when it resolves; its lines are as `asMemoryLine` writes them. A note that the file already
   * has is not added again, nor one that yesterday's ended with: a call repeated after a crash may come after
   * midnight. Throws a WorkdirError that says what to do.
   */
  append(note: NewNote): Promise<AppendedNote>;
  /** Whether a note of today could be written. Never throws. */
  isWritable(): Promise<boolean>;
  /** Where a note of today goes, in the workdir. */
  todayPath(): string;
}

export interface NewNote {
  text: string;
  /** Unless told: today. */
  file?: MemoryFileName | undefined;
}

export const memoryFileNames = ["today", "MEMORY.md"] as const;
export type MemoryFileName = (typeof memoryFileNames)[number];

export interface AppendedNote {
  /** In the workdir. */
  path: string;
  /** Where it begins, counted from 1. */
  line: number;
  /** False: it was there already. */
  added: boolean;
}

export interface MemoryFilesParts {
  files: Pick<WorkdirFiles, "read" | "readEnd" | "append" | "isWritable" | "stamp">;
  clock: Clock;
  /** IANA name; where a day begins and ends. */
  timezone: string;
  layout: MemoryLayout;
  /** Labels what is written. */
  writing?(): { before: NonNullable<WriteOptions["before"]>; done(): Promise<void> };
}

const mostFileBytes = 1024 * 1024;
/** Where what lasts may be; the second only where the first is not. */
export const memoryFiles = ["MEMORY.md", "memory.md", "memory/MEMORY.md"];

export function createMemoryFiles({
  files,
  clock,
  timezone,
  layout,
  writing,
}: MemoryFilesParts): MemoryFiles {
  const { daysUpTo } = createCalendar(timezone);
  const lastDays = (days: number) => daysUpTo(clock.now(), days);
  const todayPath = () => noteIn[layout](lastDays(1)[0] ?? "");
  const isThere = (path: string) => files.stamp(path) !== "";
  const memoryFileToWrite = () =>
    memoryFiles.find(isThere) ?? (layout === "monthly" ? "memory/MEMORY.md" : "MEMORY.md");

  async function endOfYesterday(note: string): Promise<AppendedNote | undefined> {
    const path = noteIn[layout](lastDays(2)[1] ?? "");
    // What cannot be read is no hindrance: today's note is another file.
    const found = isThere(path) ? await files.read(path, mostFileBytes).catch(() => undefined) : undefined;
    const text = found?.text.replaceAll("\r\n", "\n").trimEnd();
    if (text === undefined) return undefined;
    const lines = text.split("\n");
    const at = findNote(lines, note, Math.max(0, lines.length - note.split("\n").length));
    return at < 0 ? undefined : { path, line: at + 1, added: false };
  }

  async function readConfirmed(wanted: WantedTexts): Promise<ConfirmedTexts> {
    const confirmed = confirmedOnly(files, mostFileBytes);
    const found = await readWorkdirTexts(confirmed, wanted);
    return { ...found, unconfirmed: confirmed.leftOut() };
  }

  return {
    todayPath,
    isWritable: () => files.isWritable(todayPath()),
    async longTerm(maxChars) {
      const names = memoryFiles.filter((path) => path !== "memory.md" || !isThere("MEMORY.md"));
      return readConfirmed({ names, maxChars, totalMaxChars: maxChars, keep: "beginning" });
    },
    async notes(days, maxChars) {
      const names = lastDays(days).flatMap(notesOf);
      const found = await readConfirmed({ names, maxChars, totalMaxChars: maxChars, keep: "end" });
      return { ...found, texts: found.texts.toReversed() };
    },
    stamp(days) {
      const dates = lastDays(Math.max(days, 1));
      const paths = [...memoryFiles, ...dates.slice(0, days).flatMap(notesOf)];
      return [dates[0], ...paths.map((path) => files.stamp(path))].join(" ");
    },
    async append({ text, file = "today" }) {
      const note = tidyNote(text);
      const path = file === "today" ? todayPath() : memoryFileToWrite();
      const before = file === "today" ? await endOfYesterday(note) : undefined;
      if (before) return before;
      let place = { line: 1, added: false };
      const compose = (present: string) => {
        const { addition, line } = composeNote(present, note);
        place = { line, added: addition !== "" };
        return addition;
      };
      const labelling = writing?.();
      await files.append(path, mostFileBytes, compose, { before: labelling?.before });
      await labelling?.done();
      return { path, ...place };
    },
  };
}

/** Where a day (`2026-11-15`) is in each layout. */
const noteIn: Record<MemoryLayout, (day: string) => string> = {
  flat: (day) => `memory/${day}.md`,
  monthly: (day) => `memory/${day.slice(0, 7).replace("-", "")}/${day.replaceAll("-", "")}.md`,
};

const notesOf = (day: string): string[] => [noteIn.monthly(day), noteIn.flat(day)];
