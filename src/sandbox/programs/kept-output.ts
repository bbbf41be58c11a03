/**
 * The last of what a program said: in memory as bytes, and on the disk as they came, so that they are there after the process that had the program
 * is gone. The file holds at most twice what is kept, and no secret whole.
 */
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import type { Clock } from "../../infra/clock.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { plainOutput, unfinishedFrom } from "./plain-output.ts";
import type { ProgramOutput } from "./program.ts";

export const mostKept = 200_000;

export interface KeptOutput {
  add(bytes: Buffer): void;
  read(): ProgramOutput;
  /** What came since it was asked last. A character or a sequence that is not whole yet waits for its rest, unless the program has ended. */
  readNew(isOver: boolean): ProgramOutput;
  /** Bytes that the file begins after. */
  fileStart(): number;
  /** When all of it is on the disk. Never rejects: a full disk costs the copy, not the program. */
  written(): Promise<void>;
}

export interface KeptOutputParts {
  file: string;
  /** The file begins later than before. */
  onFileStart(): void;
  redactor: Pick<Redactor, "text">;
  clock: Pick<Clock, "now">;
}

export function keepOutput({ file, onFileStart, redactor, clock }: KeptOutputParts): KeptOutput {
  let kept: Buffer[] = [];
  let size = 0;
  let total = 0;
  let told = 0;
  let lastCame = 0;
  let unwritten: Buffer[] = [];
  let unwrittenSize = 0;
  /** The disk is slower than the program: not all between file and memory is held any more. */
  let isBehind = false;
  /** The last that went to the file, as it was said. */
  let lastWritten: Buffer = Buffer.alloc(0);
  let inFile = 0;
  let fileStart = 0;
  let writing: Promise<void> | undefined;

  const bytes = () => {
    const whole = Buffer.concat(kept).subarray(-mostKept);
    kept = [whole];
    size = whole.length;
    return whole;
  };

  async function write(): Promise<void> {
    while (unwrittenSize > 0 || isBehind) {
      const next = isBehind ? undefined : hidden(Buffer.concat(unwritten), lastWritten, redactor);
      if (next && inFile + next.length <= 2 * mostKept) {
        lastWritten = Buffer.concat([lastWritten, ...unwritten]).subarray(-longestSecret);
        forget();
        inFile += next.length;
        await appendFile(file, next, { mode: 0o600 });
        continue;
      }
      const whole = bytes();
      // What came meanwhile is in it.
      forget();
      lastWritten = whole.subarray(-longestSecret);
      fileStart = total - whole.length;
      const said = hidden(whole, Buffer.alloc(0), redactor) ?? whole;
      inFile = said.length;
      await writeFile(`${file}.new`, said, { mode: 0o600 });
      await rename(`${file}.new`, file);
      onFileStart();
    }
  }

  function forget(): void {
    unwritten = [];
    unwrittenSize = 0;
    isBehind = false;
  }

  return {
    add(chunk) {
      kept.push(chunk);
      size += chunk.length;
      total += chunk.length;
      lastCame = clock.now();
      if (size > 2 * mostKept) bytes();
      unwritten.push(chunk);
      unwrittenSize += chunk.length;
      if (unwrittenSize > mostKept) {
        forget();
        isBehind = true;
      }
      // A failed write is not repeated for these bytes; the next ones try again.
      writing ??= write()
        .catch(() => undefined)
        .finally(() => (writing = undefined));
    },
    read: () => outputOf(bytes(), total, redactor),
    readNew(isOver) {
      const whole = bytes();
      const start = total - whole.length;
      const fresh = whole.subarray(Math.max(0, told - start));
      const end = isOver ? fresh.length : unfinishedFrom(fresh);
      const isStillComing = !isOver && clock.now() - lastCame < quietMs;
      const shown = fresh.subarray(0, isStillComing ? endOfWords(fresh, end) : end);
      const dropped = Math.max(0, start - told);
      told = total - (fresh.length - shown.length);
      const cut = dropped > 0 ? fromWord(fromCharacter(shown)) : shown;
      return { text: redactor.text(plainOutput(decode(cut))), dropped };
    },
    fileStart: () => fileStart,
    async written() {
      await writing;
    },
  };
}

/** After so long nobody expects the rest of a word: the program waits, perhaps for an answer. */
const quietMs = 50;

/** Up to where no word is that may still go on: a secret is recognised only whole. One that is very long is not waited for. */
function endOfWords(bytes: Buffer, from: number): number {
  let end = from;
  const isOfWord = (byte: number) => byte > 0x20 && byte < 0x7f;
  while (end > 0 && from - end <= longestWord && isOfWord(bytes[end - 1] ?? 0)) end--;
  return from - end > longestWord ? from : end;
}

const longestWord = 1000;
const longestSecret = 4000;

/** As it may be on the disk; undefined where a secret began in what is there already. A terminal writes the ends of lines in its own way. */
function hidden(bytes: Buffer, before: Buffer, redactor: Pick<Redactor, "text">): Buffer | undefined {
  const [said, earlier] = [decode(bytes), decode(before)];
  const redacted = redactor.text(plainEnds(said));
  const apart = plainEnds(redactor.text(plainEnds(earlier)) + redacted);
  if (redactor.text(plainEnds(earlier + said)) !== apart) return undefined;
  return redacted === plainEnds(said) ? bytes : Buffer.from(redacted);
}

const plainEnds = (text: string): string => text.replaceAll("\r\n", "\n");

/** What a file of somebody who is gone holds. A missing file says nothing. */
export async function readKeptOutput(
  file: string,
  fileStart: number,
  redactor: Pick<Redactor, "text">,
): Promise<ProgramOutput> {
  const whole = await readFile(file).catch(() => Buffer.alloc(0));
  return outputOf(whole.subarray(-mostKept), fileStart + whole.length, redactor);
}

function outputOf(bytes: Buffer, total: number, redactor: Pick<Redactor, "text">): ProgramOutput {
  const dropped = total - bytes.length;
  const shown = decode(dropped > 0 ? fromWord(fromCharacter(bytes)) : bytes);
  return { text: redactor.text(plainOutput(shown)), dropped };
}

/** The cut may have gone through a secret: what is left of its word goes, too. */
function fromWord(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, longestWord).findIndex((byte) => byte <= 0x20);
  return start > 0 ? bytes.subarray(start) : bytes;
}

/** The cut may have gone through a character. */
function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

const decode = (bytes: Buffer): string => bytes.toString("utf8");
