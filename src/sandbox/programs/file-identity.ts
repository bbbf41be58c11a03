/** Identifies a file or directory beyond its name, to detect a replacement. */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type BigIntStats,
} from "node:fs";

export interface FileIdentity {
  /** Links followed. */
  path: string;
  /** Device and inode. */
  id: string;
  size: string;
  /** When its content last changed, in nanoseconds; for a file too large to read also when its metadata did. */
  changed: string;
  /** Digest of its content, if small enough to read before each start. */
  content?: string;
}

/** Expects a real path. Undefined if there is no readable file. Synchronous: it compares what is there now. */
export function identifyFile(path: string): FileIdentity | undefined {
  const file = openQuietly(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file, { bigint: true });
    if (!found.isFile()) return undefined;
    const facts = { path, id: idOf(found), size: String(found.size) };
    if (found.size > mostRead) return { ...facts, changed: `${found.mtimeNs}/${found.ctimeNs}` };
    const content = createHash("sha256").update(readFileSync(file)).digest("hex");
    return { ...facts, changed: String(found.mtimeNs), content };
  } finally {
    closeSync(file);
  }
}

const mostRead = 4_000_000;

export interface HeldDirectory {
  id: string;
  /**
   * Leads to this directory as long as it is held, whatever its name refers to; the real path if the system has no
   * such thing.
   */
  path: string;
  /** Safe to call twice. */
  release(): void;
}

/** Undefined if this real path is no directory, or a link to one. The caller releases it. */
export function holdDirectory(real: string): HeldDirectory | undefined {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const directory = openQuietly(real, flags);
  if (directory === undefined) return undefined;
  let isHeld = true;
  const release = () => {
    if (isHeld) closeSync(directory);
    isHeld = false;
  };
  const through = `/proc/self/fd/${directory}`;
  const leadsTo = process.platform === "linux" ? linkOf(through) : real;
  if (leadsTo !== real) {
    // A link was on the way to it.
    release();
    return undefined;
  }
  const id = idOf(fstatSync(directory, { bigint: true }));
  return { id, path: process.platform === "linux" ? through : real, release };
}

const idOf = ({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string => `${dev}:${ino}`;

function openQuietly(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags);
  } catch {
    // Missing, not readable, or a link.
    return undefined;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No /proc: the target is unknown.
    return undefined;
  }
}
