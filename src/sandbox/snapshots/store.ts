/** What is kept of one workdir, on the disk: contents, listings, and what is written down of each turn. */
import { constants } from "node:fs";
import type { LoopYield } from "../../infra/loop-yield.ts";
import type { Ids } from "../../infra/ids.ts";
import { createBlobs, type Blobs } from "./blobs.ts";
import { makeDirectories, unlessMissing, type Disk } from "./disk.ts";
import { besideEnd, createLineFiles } from "./line-file.ts";
import { createListings, type Listings } from "./listings.ts";
import { createTurnRecords, type TurnRecords } from "./turn-records.ts";

export interface StoreParts {
  directory: string;
  disk: Disk;
  loopYield: LoopYield;
  ids: Ids;
  /** Letters and digits that no other process has. */
  owner: string;
}

export interface Store {
  blobs: Blobs;
  records: TurnRecords;
  listings: Listings;
  /** What the file system calls now, in nanoseconds. */
  now(): Promise<bigint>;
  /** The time that long ago, in milliseconds of the file system. */
  ago(ms: number): Promise<number>;
  /** Deletes unfinished writes of killed processes, if untouched for that long. Throws what the disk does. */
  clear(restMs: number): Promise<void>;
}

/** Nothing is made on the disk before something is written. */
export function openStore({ directory, disk, loopYield, ids, owner }: StoreParts): Store {
  const makeName = () => ids.make("new");
  const lines = createLineFiles({ disk, loopYield, makeName });

  async function now(): Promise<bigint> {
    await makeDirectories(disk, directory, "temporary");
    const probe = `${directory}/temporary/${ids.make("now")}`;
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const handle = await disk.create(probe, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    const { ctimeNs } = await handle.stat({ bigint: true }).finally(() => handle.close());
    await disk.unlink(probe);
    return ctimeNs;
  }

  const ago = async (ms: number) => Math.ceil(Number(await now()) / 1e6) - ms;

  async function clearIn(name: string, end: string, before: number): Promise<void> {
    const found = (await unlessMissing(disk.readdir(`${directory}/${name}`))) ?? [];
    for (const each of found.filter((file) => file.endsWith(end))) {
      const path = `${directory}/${name}/${each}`;
      const stat = await unlessMissing(disk.lstat(path));
      // Another process may be writing it at this moment.
      if (stat && stat.mtimeMs <= before) await unlessMissing(disk.unlink(path));
    }
  }

  return {
    blobs: createBlobs({ directory, disk, loopYield, makeName }),
    records: createTurnRecords({ directory: `${directory}/turns`, disk, lines }),
    listings: createListings({ directory: `${directory}/listings`, owner, disk, lines }),
    now,
    ago,
    async clear(restMs) {
      const before = await ago(restMs);
      await clearIn("temporary", "", before);
      for (const name of ["turns", "listings"]) await clearIn(name, besideEnd, before);
    },
  };
}
