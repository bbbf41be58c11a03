/**
 * Resolves a path on Linux without trusting a name twice. It walks from a held descriptor of the root, component by
 * component, through `/proc/self/fd/N/name`, with O_PATH descriptors: nothing is opened for use until its type is
 * known. It reads links and walks their targets itself, and `..` steps back on the list of held descriptors. The
 * kernel never resolves anything for us, so swapping a component between check and use has no effect.
 */
import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, mkdir, open, readlink, statfs } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../infra/sync-to-disk.ts";
import { errno } from "./errno.ts";
import { ClosedPath, type Place, type Territory, type Wanted } from "./territory.ts";

/** Throws ClosedPath, and the system's errors. The caller closes the result. */
export async function walkDescriptors(
  territory: Territory,
  path: string,
  { make }: Wanted = {},
): Promise<Place> {
  const { reach, realRoot, rootId, closedIds } = territory;
  const isConfined = reach === "workdir";
  const rootNames = namesOf(realRoot);
  let todo = start();
  const top = await openTop(isConfined ? realRoot : "/");
  const held: Held[] = [top];
  let last: Held | undefined;
  /** The number of names up to the workdir itself, which may lie in a closed directory. */
  let onTheWay = isConfined ? 0 : commonStart(todo);
  let links = 0;

  try {
    for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
      onTheWay -= 1;
      if (name === "" || name === ".") continue;
      if (name === "..") {
        await stepBack();
        continue;
      }
      if (onTheWay < 0 && isClosed()) throw new ClosedPath();
      const found = await look(name);
      if (found === "again") continue;
      if (found === undefined) return nothingAt(name);
      if (found.stat.isDirectory()) {
        held.push(found);
        if (held.length > deepest) throw errno("ENAMETOOLONG");
      } else if (todo.length > 0) {
        await found.handle.close();
        throw errno("ENOTDIR");
      } else last = found;
    }
    if (last === undefined && isClosed()) throw new ClosedPath();
    return placeOf(last ?? current());
  } catch (error) {
    await closeAll();
    throw error;
  }

  function start(): string[] {
    if (!path.startsWith("/")) return isConfined ? path.split("/") : [...rootNames, ...path.split("/")];
    return fromAbsolute(path);
  }

  /** The rest of an absolute path below the root. */
  function fromAbsolute(target: string): string[] {
    const names = namesOf(target);
    if (!isConfined) return trailing(target, names);
    for (const own of [rootNames, namesOf(territory.root)])
      if (own.every((name, index) => names[index] === name)) return trailing(target, names.slice(own.length));
    throw new ClosedPath();
  }

  function commonStart(names: readonly string[]): number {
    return rootNames.every((name, index) => names[index] === name) ? rootNames.length : 0;
  }

  function current(): Held {
    const directory = held.at(-1);
    if (!directory) throw new Error("a walk holds its top until it ends");
    return directory;
  }

  async function stepBack(): Promise<void> {
    if (held.length > 1) await held.pop()?.handle.close();
    else if (isConfined) throw new ClosedPath();
  }

  /** In a closed directory, unless we are in a workdir inside it. */
  function isClosed(): boolean {
    const closedAt = held.findLastIndex(({ stat }) => closedIds.has(idOf(stat)));
    return closedAt >= 0 && held.findLastIndex(({ stat }) => idOf(stat) === rootId) <= closedAt;
  }

  /** The child of that name; undefined if there is none, `again` if the walk continues with other names. */
  async function look(name: string): Promise<Held | "again" | undefined> {
    const place = join(through(current().handle), name);
    const handle = await open(place, pointer).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (!handle) return (await madeInstead(place)) ? putBack(name) : undefined;
    try {
      const stat = await handle.stat({ bigint: true });
      if (!stat.isSymbolicLink()) {
        if (stat.dev !== current().stat.dev && (await isOfTheKernel(handle))) throw new ClosedPath();
        return { handle, name, stat };
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    links += 1;
    if (links > mostLinks) throw errno("ELOOP");
    return follow(name, await readlink(place).catch(swappedSince));
  }

  /** Continues with the target of a link, which is walked like any path. */
  async function follow(name: string, target: string | undefined): Promise<"again"> {
    if (target === undefined) return putBack(name);
    if (target.startsWith("/")) {
      todo = [...fromAbsolute(target), ...todo];
      for (const { handle } of held.splice(1)) await handle.close();
    } else todo = [...target.split("/"), ...todo];
    onTheWay = 0;
    return "again";
  }

  function putBack(name: string): "again" {
    todo.unshift(name);
    onTheWay += 1;
    return "again";
  }

  /** True if a missing directory exists now. */
  async function madeInstead(place: string): Promise<boolean> {
    if (make === undefined || todo.length === 0 || todo.includes("..")) return false;
    // Before the first is created, since none would be of use.
    if (held.length + todo.length > deepest) throw errno("ENAMETOOLONG");
    await mkdir(place, { mode: make }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    // Not every file system supports this for directories.
    await syncDirectory(through(current().handle)).catch(() => undefined);
    return true;
  }

  function nothingAt(name: string): Place {
    if (todo.length > 0) throw errno("ENOENT");
    const place = join(through(current().handle), name);
    return {
      kind: "missing",
      name,
      real: realOf(name),
      open: (flags, mode) => open(place, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode),
      openDirectory: () => reopen(current().handle, constants.O_DIRECTORY),
      directoryReal: realOf(),
      close: closeAll,
    };
  }

  function placeOf({ handle, stat, name }: Held): Place {
    const directory = last ? current() : (held.at(-2) ?? current());
    const names = held.slice(1, last ? undefined : -1).map((one) => one.name);
    const directoryReal = join(top.name, ...names);
    return {
      kind: stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other",
      name,
      stat,
      real: held.length === 1 && !last ? top.name : join(directoryReal, name),
      // The checked descriptor, not the name: it refers to the same thing as long as it is held.
      open: (flags) => reopen(handle, flags),
      openDirectory: () => reopen(directory.handle, constants.O_DIRECTORY),
      directoryReal,
      close: closeAll,
    };
  }

  function realOf(...more: string[]): string {
    return join(top.name, ...held.slice(1).map((one) => one.name), ...more);
  }

  async function closeAll(): Promise<void> {
    const handles = [...held.splice(0), ...(last ? [last] : [])];
    last = undefined;
    await Promise.all(handles.map(({ handle }) => handle.close()));
  }
}

interface Held {
  handle: FileHandle;
  name: string;
  stat: BigIntStats;
}

/** Linux only, and Node does not define it. */
const onlyPoints = 0o10000000;
/** Flags for a descriptor that points at something, even a link, and opens nothing. */
export const pointer: number = onlyPoints | constants.O_NOFOLLOW;
const mostLinks = 40;
const deepest = 256;

/** `statfs` types of kernel file systems: proc, sysfs, terminals, control groups, debugging and such. */
const kernelFileSystems = new Set([
  0x9fa0, 0x62656572, 0x1cd1, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x6e736673,
  0x42494e4d,
]);

/** Whether the handle is on one of them. Opens nothing. */
export const isOfTheKernel = async (handle: FileHandle): Promise<boolean> =>
  kernelFileSystems.has((await statfs(through(handle))).type);

async function openTop(path: string): Promise<Held> {
  const handle = await open(path, onlyPoints | constants.O_DIRECTORY);
  try {
    // A link that appeared after the resolution has led elsewhere.
    if ((await readlink(through(handle))) !== path) throw new ClosedPath();
    return { handle, name: path, stat: await handle.stat({ bigint: true }) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const idOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

const through = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

const reopen = (handle: FileHandle, flags: number): Promise<FileHandle> =>
  open(through(handle), flags | constants.O_NONBLOCK);

const namesOf = (path: string): string[] => path.split("/").filter((name) => name !== "");

/** A trailing slash asks for a directory. */
const trailing = (path: string, names: string[]): string[] => (/\/\.?$/.test(path) ? [...names, "."] : names);

function swappedSince(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EINVAL" && error.code !== "ENOENT") throw error;
}
