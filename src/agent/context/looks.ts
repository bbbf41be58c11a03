/**
 * Looks at the files that a prompt is made of, most of which are not there: before each turn some twenty names are asked for, and one look at
 * a directory that has not changed says of all of them that they are still missing.
 *
 * A directory changes whenever a name comes into it or goes. Clocks of file systems are coarse, so it may change twice and look the same: it
 * counts as unchanged only when it looked like that two seconds before the name was looked for in vain. By then whatever comes later has a
 * later time. Nothing is concluded from lists of names, which file systems compare in their own ways, nor through links, whose targets come
 * and go elsewhere, nor on file systems that are not known to keep the times of directories.
 */
import { lstatSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../infra/clock.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";

/** The stamp of a file as it is now, "" where nothing is. Never throws. For use at once: each directory is looked at once per look. */
export type Look = (path: string) => string;

export interface LooksParts {
  files: Pick<WorkdirFiles, "root" | "stamp">;
  clock: Pick<Clock, "now">;
  disk?: LookDisk;
}

export interface LookDisk {
  /** What has this name; a link is `other`, wherever it leads. Never throws. */
  kindOf(path: string): "directory" | "missing" | "other";
  /** Whether a directory there has another time whenever a name comes into it. Never throws. */
  keepsTimes(directory: string): boolean;
}

/** The coarsest clock of a file system that is in use counts every other second. */
const settledAfterMs = 2000;
/** Beyond that everything is looked for again: names of days come and go. */
const mostMissing = 256;
const mostDirectories = 64;

interface SeenDirectory {
  stamp: string;
  /** Since when it is known to have this stamp. */
  since: number;
  keepsTimes?: boolean;
}

export function createLooks({ files, clock, disk = systemLookDisk }: LooksParts): () => Look {
  /** Names that were looked for in vain: where the first part of the path is missing, and how that directory looked. */
  const missing = new Map<string, { directory: string; stamp: string }>();
  const directories = new Map<string, SeenDirectory>();

  return function begin() {
    const now = clock.now();
    const seen = new Map<string, SeenDirectory>();

    function see(directory: string): SeenDirectory {
      const known = seen.get(directory);
      if (known) return known;
      const stamp = files.stamp(directory);
      const before = directories.get(directory);
      const found = before?.stamp === stamp ? before : { stamp, since: clock.now() };
      keep(directories, directory, found, mostDirectories);
      seen.set(directory, found);
      return found;
    }

    function maySpeak(directory: string): boolean {
      const found = see(directory);
      if (found.stamp === "" || now - found.since < settledAfterMs) return false;
      return (found.keepsTimes ??= disk.keepsTimes(join(files.root, directory)));
    }

    function noteMissing(path: string): void {
      let directory = ".";
      for (const name of path.split("/")) {
        if (!isPlain(name) || !maySpeak(directory)) return;
        const inside = join(directory, name);
        const kind = disk.kindOf(join(files.root, inside));
        if (kind === "missing") {
          const { stamp } = see(directory);
          // It may have become another one meanwhile.
          if (files.stamp(directory) === stamp) keep(missing, path, { directory, stamp }, mostMissing);
          return;
        }
        if (kind !== "directory") return;
        directory = inside;
      }
    }

    return (path) => {
      const known = missing.get(path);
      if (known && see(known.directory).stamp === known.stamp) return "";
      const stamp = files.stamp(path);
      if (stamp === "") noteMissing(path);
      return stamp;
    };
  };
}

function keep<Kept>(map: Map<string, Kept>, name: string, kept: Kept, most: number): void {
  if (map.size >= most && !map.has(name)) map.clear();
  map.set(name, kept);
}

const isPlain = (name: string): boolean => name !== "" && name !== "." && name !== "..";

export const systemLookDisk: LookDisk = {
  kindOf(path) {
    try {
      return lstatSync(path).isDirectory() ? "directory" : "other";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "other";
    }
  },
  keepsTimes(directory) {
    try {
      return process.platform === "linux" && timeKeepers.has(statfsSync(directory).type);
    } catch {
      // Then every name is looked for, each time.
      return false;
    }
  },
};

/** By the number that Linux gives them. Those that others serve, over a network or from a program, may tell an old time, or none. */
const timeKeepers: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs, of containers
]);
