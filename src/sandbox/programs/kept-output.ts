/**
 * The last output of a program: in memory as bytes, and on disk, where it outlives the host process. The file holds
 * at most twice the limit, and no complete secret.
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
  /**
   * What came since the last call. An incomplete character or sequence waits for its rest, unless the program has
   * ended.
   */
  readNew(isOver: boolean): ProgramOutput;
  /** The offset of the file's first byte. */
  fileStart(): number;
  /** Resolves when everything is on disk. Never rejects: a full disk costs the copy, not the program. */
  written(): Promise<void>;
}

export interface KeptOutputParts {
  file: string;
  /** The offset of the file has changed. */
  onFileStart(): void;
  redactor: Pick<Redactor, "text">;
  clock: Pick<Clock, "monotonic">;
}

export function keepOutput({ file, onFileStart, redactor, clock }: KeptOutputParts): KeptOutput {
  let kept: Buffer[] = [];
  let size = 0;
  let total = 0;
  let told = 0;
  let lastCame = 0;
  let unwritten: Buffer[] = [];
  let unwrittenSize = 0;
  /** The disk is slower than the program: some bytes between file and memory are lost. */
  let isBehind = false;
  /** The last bytes written to the file, unredacted. */
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
      // What came meanwhile is included.
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
      lastCame = clock.monotonic();
      if (size > 2 * mostKept) bytes();
      unwritten.push(chunk);
      unwrittenSize += chunk.length;
      if (unwrittenSize > mostKept) {
        forget();
        isBehind = true;
      }
      // A failed write is not retried for these bytes; the next ones are tried again.
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
      const isStillComing = !isOver && clock.monotonic() - lastCame < quietMs;
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

/** After this silence the rest of a word is not expected: the program waits, perhaps for input. */
const quietMs = 50;

/** Up to the last complete word: a secret is recognised only as a whole. A very long word is not waited for. */
function endOfWords(bytes: Buffer, from: number): number {
  let end = from;
  const isOfWord = (byte: number) => byte > 0x20 && byte < 0x7f;
  while (end > 0 && from - end <= longestWord && isOfWord(bytes[end - 1] ?? 0)) end--;
  return from - end > longestWord ? from : end;
}

const longestWord = 1000;
const longestSecret = 4000;

/** For the disk; undefined if a secret began in what is already written. A terminal changes line ends. */
function hidden(bytes: Buffer, before: Buffer, redactor: Pick<Redactor, "text">): Buffer | undefined {
  const [said, earlier] = [decode(bytes), decode(before)];
  const redacted = redactor.text(plainEnds(said));
  const apart = plainEnds(redactor.text(plainEnds(earlier)) + redacted);
  if (redactor.text(plainEnds(earlier + said)) !== apart) return undefined;
  return redacted === plainEnds(said) ? bytes : Buffer.from(redacted);
}

const plainEnds = (text: string): string => text.replaceAll("\r\n", "\n");

/** The output of a program whose host is gone. A missing file is empty. */
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

/** The cut may have split a secret: drops the rest of its word. */
function fromWord(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, longestWord).findIndex((byte) => byte <= 0x20);
  return start > 0 ? bytes.subarray(start) : bytes;
}

/** The cut may have split a character. */
function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

const decode = (bytes: Buffer): string => bytes.toString("utf8");
