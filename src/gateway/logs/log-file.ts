/**
 * The gateway's log file: readable only by its owner, rotated by size, and never a reason to fail. Each line is
 * written at once, so that the last lines before a crash are there; lines that a full disk rejects are counted and
 * reported when there is space again.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../../config/home.ts";

export interface LogFile {
  /** One line without its end. Never throws. */
  write(line: string): void;
  /** Safe to call twice; a line that comes later opens it again. */
  close(): void;
}

export interface LogLimits {
  /** Size at which the file is put aside. */
  maxBytes: number;
  /** How many that were put aside are kept. */
  keepFiles: number;
}

/** What is asked of the file system; tests hand in one that fills up. */
export interface LogDisk {
  open(path: string): number;
  size(descriptor: number): { bytes: number; isGone: boolean };
  write(descriptor: number, bytes: Buffer, offset: number): number;
  close(descriptor: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

export interface LogFileParts {
  file: string;
  /** As the config has them now. */
  limits(): LogLimits;
  /** The line that says how many are missing. */
  sayLost(count: number): string;
  disk?: LogDisk;
}

/** The log first, then those that were put aside, newest first: `gateway.log`, `gateway.log.1`, … */
export const asideName = (file: string, place: number): string => (place === 0 ? file : `${file}.${place}`);

export function openLogFile({ file, limits, sayLost, disk = systemDisk }: LogFileParts): LogFile {
  let descriptor: number | undefined;
  let bytes = 0;
  let lost = 0;
  /** The last line was cut off: the next one must not be glued to it. */
  let isTorn = false;

  function write(line: string): void {
    try {
      const text = lost > 0 ? `${sayLost(lost)}\n${line}\n` : `${line}\n`;
      put(Buffer.from(isTorn ? `\n${text}` : text));
      lost = 0;
      isTorn = false;
    } catch {
      // A log that cannot be written must not take the gateway down; that lines are missing is said as soon as one can be written.
      lost += 1;
      close();
    }
  }

  function put(line: Buffer): void {
    const at = ready(line.length);
    for (let done = 0; done < line.length;) {
      const written = disk.write(at, line, done);
      isTorn ||= written > 0;
      done += written;
      bytes += written;
    }
  }

  /** The file to which this many bytes can be written. */
  function ready(coming: number): number {
    let open = descriptor ?? reopen();
    // Somebody else took it away, as tools that rotate logs do: lines must not vanish with it.
    if (disk.size(open).isGone) {
      close();
      open = reopen();
    }
    if (bytes > 0 && bytes + coming > limits().maxBytes) {
      putAside();
      open = reopen();
    }
    return open;
  }

  function reopen(): number {
    descriptor = disk.open(file);
    ({ bytes } = disk.size(descriptor));
    return descriptor;
  }

  /** From the oldest on, so that none is overwritten before it has moved. Where that fails, the file goes on growing: no line is lost for it. */
  function putAside(): void {
    close();
    const { keepFiles } = limits();
    // Fewer may be kept than before.
    for (let place = Math.max(keepFiles, 1); tryTo(() => disk.remove(asideName(file, place))); place++);
    if (keepFiles === 0) tryTo(() => disk.remove(file));
    for (let place = keepFiles - 1; place >= 0; place--)
      tryTo(() => disk.rename(asideName(file, place), asideName(file, place + 1)));
  }

  function close(): void {
    if (descriptor === undefined) return;
    const open = descriptor;
    descriptor = undefined;
    tryTo(() => disk.close(open));
  }

  return { write, close };
}

function tryTo(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** A link in the log's place is not followed: it would lead our words to somebody else's file. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

const systemDisk: LogDisk = {
  open(path) {
    ensureDir(dirname(path));
    const descriptor = openSync(path, flags, 0o600);
    // One that was there before may have been made with other rights.
    fchmodSync(descriptor, 0o600);
    return descriptor;
  },
  size(descriptor) {
    const { size, nlink } = fstatSync(descriptor);
    return { bytes: size, isGone: nlink === 0 };
  },
  write: (descriptor, bytes, offset) => writeSync(descriptor, bytes, offset),
  close: closeSync,
  rename: renameSync,
  remove: unlinkSync,
};
