/**
 * Quarantines what a program put among the files that steer the assistant or run by themselves, and restores what was
 * there. `skills/evil` goes to `skills.unreviewed/evil`: inside `skills` it would be read under any name.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, rename, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stampOf, type Known, type KnownFile } from "./steering-files-known.ts";
import { pointer } from "./walk-descriptors.ts";
import { throughHandle, type NamedPlace, type WorkdirOpener } from "./workdir-opener.ts";

export interface AsideParts {
  /** A real path. */
  workdir: string;
  opener: Pick<WorkdirOpener, "openParent">;
}

export interface Aside {
  /** `root`: the protected name that it is or lies in. Returns its new path. Nothing is lost. Throws what the disk does. */
  move(path: string, root: string): Promise<string>;
  /**
   * Moves a whole directory and restores `names` from it into a new one, as far as possible. Throws what the disk
   * does.
   */
  moveRest(at: { path: string; root: string }, names: Iterable<string>, known: Known): Promise<void>;
  /** Restores it; nothing may be there. Throws what the disk does. */
  putBack(path: string, was: KnownFile): Promise<KnownFile>;
}

export function createAside({ workdir, opener }: AsideParts): Aside {
  /** Quarantine directories that we made, by the protected name of their content. */
  const made = new Map<string, string>();

  async function at<Result>(
    path: string,
    use: (place: NamedPlace) => Promise<Result>,
    make = false,
  ): Promise<Result> {
    const place = await opener.openParent(path, { make });
    try {
      return await use(place);
    } finally {
      await place.directory.handle.close();
    }
  }

  /** The same, without following a link that a program put there. */
  const straightAt: typeof at = (path, use, make) =>
    at(
      path,
      async (place) => {
        if (join(place.directory.real, place.name) !== join(workdir, path))
          throw new Error(`${path} leads elsewhere`);
        return use(place);
      },
      make,
    );

  async function move(path: string, root: string): Promise<string> {
    if (path === root)
      return at(path, async (place) => {
        const into = throughHandle(place.directory);
        const free = await freeName(into, `${place.name}${aside}`);
        await insist(place, () => rename(placeOf(place), join(into, free)));
        return join(path, "..", free);
      });
    const wanted = join(await asideOf(root), relative(root, path));
    return at(path, (from) =>
      straightAt(
        wanted,
        async ({ directory, name }) => {
          const free = await freeName(throughHandle(directory), name);
          await insist(from, () => moveAway(placeOf(from), join(throughHandle(directory), free)));
          return join(wanted, "..", free);
        },
        true,
      ),
    );
  }

  /** Always a directory that we create: a program's own entry of that name stays. */
  async function asideOf(root: string): Promise<string> {
    const earlier = made.get(root);
    const isThere = earlier !== undefined && (await lstat(join(workdir, earlier)).catch(() => undefined));
    if (isThere && isThere.isDirectory()) return earlier;
    const name = await at(root, async (place) => {
      const into = throughHandle(place.directory);
      const free = await freeName(into, `${place.name}${aside}`);
      await insist(place, () => mkdir(join(into, free)));
      return join(root, "..", free);
    });
    made.set(root, name);
    return name;
  }

  const moveRest: Aside["moveRest"] = async ({ path, root }, names, known) => {
    const moved = await move(path, root);
    const takeAllBack = (from: NamedPlace) => async (to: NamedPlace) => {
      await from.directory.handle.chmod(0o700);
      await to.directory.handle.chmod(0o700 | (known.directories.get(path)?.mode ?? 0o755));
      for (const name of names)
        await takeBack({ ...from, name }, { ...to, name }, known.files.get(`${path}/${name}`));
    };
    // What cannot be moved back this way is missing, and is restored like a removed file.
    await straightAt(`${moved}/any`, (from) => straightAt(`${path}/any`, takeAllBack(from), true)).catch(
      () => undefined,
    );
  };

  return {
    move,
    moveRest,
    putBack: (path, was) =>
      at(
        path,
        async (place) => {
          const full = placeOf(place);
          await insist(place, () => make(full, was));
          return { ...was, stamp: stampOf(await lstat(full)) };
        },
        true,
      ),
  };
}

const placeOf = ({ directory, name }: NamedPlace): string => join(throughHandle(directory), name);

async function make(full: string, { content, mode }: KnownFile): Promise<void> {
  if (content?.type === "link") await symlink(content.to, full);
  if (content?.type === "file") await writeFile(full, content.bytes, { mode, flag: "wx" });
}

const aside = ".unreviewed";

/** A program may have taken many names. */
async function freeName(directory: string, name: string): Promise<string> {
  for (let number = 1; number <= mostNumbers; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await lstat(join(directory, candidate)).catch(() => undefined))) return candidate;
  }
  return `${name}-${randomUUID()}`;
}

const mostNumbers = 100;

/** A program may have removed the write permission of the directory. */
async function insist<Result>({ directory }: NamedPlace, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    await directory.handle.chmod((await directory.handle.stat()).mode | 0o700);
    return act();
  }
}

/** A directory that its owner cannot write to cannot be moved. */
async function moveAway(from: string, to: string): Promise<void> {
  const isDirectory = (await lstat(from)).isDirectory();
  if (isDirectory && process.platform === "linux") {
    // By handle, because a link may have replaced the name. Pointing at it needs no read permission.
    const directory = await open(from, pointer | constants.O_DIRECTORY);
    await chmod(`/proc/self/fd/${directory.fd}`, 0o700)
      .catch(() => undefined)
      .finally(() => directory.close());
  }
  await rename(from, to);
}

/**
 * Moving changes the stamp, which is all we know of a file whose content we did not store. A missing one is restored
 * later, if possible.
 */
async function takeBack(from: NamedPlace, to: NamedPlace, was: KnownFile | undefined): Promise<void> {
  const stat = await lstat(placeOf(from)).catch(() => undefined);
  if (!stat) return;
  await rename(placeOf(from), placeOf(to));
  if (was && was.stamp === stampOf(stat)) was.stamp = stampOf(await lstat(placeOf(to)));
}
