/** What a file or a directory is, beyond its name: so that another one under the same name is noticed. */
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
  /** Device and number. */
  id: string;
  size: string;
  /** When its content changed last, in nanoseconds; of one too large to be read also when anything else of it did. */
  changed: string;
  /** Over its content, where that is not too large to be read before each start. */
  content?: string;
}

/** Of a real path. Undefined where there is no file that could be read. Looks at the disk and waits for it: what is compared is what is there now. */
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
  /** Leads to this very directory for as long as it is held, whatever its name leads to by then; its real path where the system has no such thing. */
  path: string;
  /** Safe to call twice. */
  release(): void;
}

/** Undefined where there is no directory under this real path, or only a link to one. Whoever asks releases it. */
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
    // A link stood on the way to it.
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
    // Not there, not ours to read, or a link: either way it is not what was meant.
    return undefined;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No /proc: what it leads to cannot be seen.
    return undefined;
  }
}
