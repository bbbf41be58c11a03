/** Writes, changes, removes and moves files of the workdir; one operation at a time per file. */
import { join, resolve } from "node:path";
import type { createOneAtATime } from "../infra/one-at-a-time.ts";
import { formatBytes } from "../infra/format-bytes.ts";
import { hashOf, nameIn, readWhole, type FileVersion } from "./file-version.ts";
import { openChild } from "./open-child.ts";
import { type Disk, isSame, replaceFile, statOf, takeFreeName } from "./replace-file.ts";
import {
  explain,
  type NamedPlace,
  syncNames,
  throughHandle,
  WorkdirError,
  type WorkdirOpener,
} from "./workdir-opener.ts";

export interface ChangingFiles {
  /**
   * Creates a file or replaces its content atomically, keeping its mode. Creates directories, and follows links
   * inside. With `onlyNew` an existing file stays. On disk when it resolves. Throws WorkdirError.
   */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<{ made: boolean }>;
  /**
   * Reads a whole UTF-8 text, with its byte order mark if any, and writes what `compose` returns, unless it is equal.
   * Throws WorkdirError, also if the file changed meanwhile, and what `compose` throws.
   */
  change(
    path: string,
    maxBytes: number,
    compose: (present: string) => string,
    options?: Pick<WriteOptions, "before">,
  ): Promise<void>;
  /** A whole UTF-8 text, with its byte order mark if any. Throws WorkdirError. */
  readWhole(path: string, maxBytes: number): Promise<{ text: string; mode: number }>;
  /** Removes a regular file, or a link itself; answers its real path. Throws WorkdirError. */
  remove(path: string, options?: Pick<WriteOptions, "before">): Promise<{ real: string }>;
  /** Renames a regular file. Never replaces anything. Throws WorkdirError. */
  move(from: string, to: string, options?: Pick<WriteOptions, "before">): Promise<void>;
}

export interface WriteOptions {
  /** For a new file, reduced by the umask; 0644 by default. */
  mode?: number;
  onlyNew?: boolean;
  /** Told what is about to be written, and awaited. If it throws, nothing is written. */
  before?: ((writing: AboutToWrite) => Promise<void>) | undefined;
}

export interface AboutToWrite {
  /** The real path. */
  real: string;
  /** In the workdir, or the real path. */
  name: string;
  /** Of the new content; undefined if it is too large. */
  hash: string | undefined;
  /** The new text, where it is one and at hand. */
  content?: string | undefined;
  /** What it is made of: the file before a change, or under its old name. Left out where its content is replaced as a whole. */
  from?: FileVersion | undefined;
}

export const mostWrittenBytes = 5_000_000;

export interface ChangeFilesParts {
  opener: WorkdirOpener;
  disk: Disk;
  oneAtATime: ReturnType<typeof createOneAtATime>;
}

export function createChangeFiles({ opener, disk, oneAtATime }: ChangeFilesParts): ChangingFiles {
  const inTurn = <Result>(path: string, work: () => Promise<Result>) =>
    oneAtATime(resolve(opener.root, path), work);
  /** Always in the same order, to avoid a deadlock. */
  const bothInTurn = async (from: string, to: string, work: () => Promise<void>) => {
    const [first = from, second = to] = [from, to].toSorted((a, b) =>
      resolve(opener.root, a) < resolve(opener.root, b) ? -1 : 1,
    );
    if (resolve(opener.root, from) === resolve(opener.root, to))
      throw new WorkdirError(`${to} is there already`);
    return inTurn(first, () => inTurn(second, work));
  };

  return {
    write: (path, content, { mode = 0o644, onlyNew = false, before } = {}) =>
      inTurn(path, async () => {
        refuseTooLarge(path, Buffer.byteLength(content));
        const target = await opener.openTarget(path, { make: true });
        return using(target, async () => {
          if (onlyNew && target.there) throw new WorkdirError(`${path} is there already`);
          const instead = onlyNew ? undefined : "whatever";
          await before?.({
            ...named(target),
            hash: hashOf(content),
            ...(typeof content === "string" && { content }),
          });
          opener.changing(target);
          await replaceFile({ path, place: target, content, instead, mode, disk });
          return { made: target.there === undefined };
        });
      }),
    change: (path, maxBytes, compose, { before } = {}) =>
      inTurn(path, async () => {
        const target = await opener.openTarget(path, { make: false });
        await using(target, async () => {
          const present = await readTarget(target, path, maxBytes);
          const content = compose(present.text);
          if (content === present.text) return;
          refuseTooLarge(path, Buffer.byteLength(content));
          await before?.({
            ...named(target),
            hash: hashOf(content),
            content,
            from: { ...named(target), hash: present.hash, ctimeMs: Number(present.stat.ctimeNs) / 1e6 },
          });
          opener.changing(target);
          await replaceFile({ path, place: target, content, instead: present.stat, mode: 0o644, disk });
        });
      }),
    async readWhole(path, maxBytes) {
      const target = await opener.openTarget(path, { make: false });
      const { text, stat } = await using(target, () => readTarget(target, path, maxBytes));
      return { text, mode: Number(stat.mode & 0o777n) };
    },
    remove: (path, { before } = {}) =>
      inTurn(path, async () => {
        refuseDirectory(path);
        const place = await opener.openParent(path, { make: false });
        return using(place, async (full) => {
          const found = await there(full, path);
          if (!found.isFile() && !found.isSymbolicLink()) throw notRegular(path, found.isDirectory());
          if (before && found.isFile()) await before(await asItIs(place, path));
          opener.changing(place);
          await disk.unlink(full).catch(explained(path));
          await syncNames(place.directory);
          return { real: named(place).real };
        });
      }),
    move: (from, to, { before } = {}) =>
      bothInTurn(from, to, async () => {
        refuseDirectory(from);
        refuseDirectory(to);
        const source = await opener.openParent(from, { make: false });
        await using(source, async (old) => {
          const found = await there(old, from);
          if (!found.isFile()) throw notRegular(from, found.isDirectory());
          const target = await opener.openParent(to, { make: true });
          await using(target, async (place) => {
            if (before) await before({ ...(await asItIs(source, from)), ...named(target) });
            const settle = () => syncNames(target.directory);
            opener.changing(source);
            opener.changing(target);
            await takeFreeName({ from: old, to: place, disk, settle }).catch(explained(to));
          });
          await syncNames(source.directory);
        });
      }),
  };
}

const named = ({ directory, name, realRoot }: NamedPlace & { realRoot: string }) => {
  const real = join(directory.real, name);
  return { real, name: nameIn(realRoot, real) };
};

/** For whoever removes or moves it, and may put it back. */
async function asItIs(place: NamedPlace & { realRoot: string }, path: string): Promise<AboutToWrite> {
  const opened = await openChild(place.directory, place.name, "file");
  if (!opened) throw new WorkdirError(`${path} may not be opened`);
  try {
    const { version } = await readWhole(opened.handle, { ...named(place), realRoot: place.realRoot });
    return { ...named(place), hash: version.hash, from: version };
  } finally {
    await opened.handle.close();
  }
}

/** Passes on the full path of the place, and closes its directory afterwards. */
async function using<Result>(place: NamedPlace, work: (full: string) => Promise<Result>): Promise<Result> {
  try {
    return await work(join(throughHandle(place.directory), place.name));
  } finally {
    await place.directory.handle.close();
  }
}

async function readTarget(
  target: Awaited<ReturnType<WorkdirOpener["openTarget"]>>,
  path: string,
  maxBytes: number,
) {
  if (!target.there) throw explain(Object.assign(new Error(path), { code: "ENOENT" }), path);
  const opened = await openChild(target.directory, target.name, "file");
  if (!opened) throw new WorkdirError(`${path} may not be opened`);
  try {
    const stat = await opened.handle.stat({ bigint: true });
    if (stat.size > BigInt(maxBytes))
      throw new WorkdirError(
        `${path} has ${formatBytes(Number(stat.size))}; at most ${formatBytes(maxBytes)} can be changed`,
      );
    const bytes = await opened.handle.readFile();
    if (!isSame(await opened.handle.stat({ bigint: true }), stat))
      throw new WorkdirError(`${path} is being written by somebody else; try again`);
    return { text: decode(bytes, path), stat, hash: hashOf(bytes) };
  } finally {
    await opened.handle.close();
  }
}

/** Accepts only text that is written back byte for byte. */
function decode(bytes: Buffer, path: string): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Reported below.
  }
  throw new WorkdirError(`${path} is not a UTF-8 text file`);
}

async function there(full: string, path: string) {
  const found = await statOf(full);
  if (!found) throw explain(Object.assign(new Error(path), { code: "ENOENT" }), path);
  return found;
}

function refuseTooLarge(path: string, bytes: number): void {
  if (bytes > mostWrittenBytes)
    throw new WorkdirError(
      `${path} would have ${formatBytes(bytes)}; at most ${formatBytes(mostWrittenBytes)} can be written`,
    );
}

/** A trailing slash asks for a directory. */
function refuseDirectory(path: string): void {
  if (path.endsWith("/")) throw notRegular(path, true);
}

const notRegular = (path: string, isDirectory: boolean) =>
  new WorkdirError(`${path} is ${isDirectory ? "a directory" : "not a regular file"}`);

const explained = (path: string) => (error: unknown) => {
  throw explain(error, path);
};
