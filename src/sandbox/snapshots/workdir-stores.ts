/** The stores of all workdirs. Each does one thing at a time. */
import { createHash } from "node:crypto";
import { diskFailure } from "../../config/disk-failure.ts";
import type { LoopYield } from "../../infra/loop-yield.ts";
import type { Ids } from "../../infra/ids.ts";
import { createOneAtATime } from "../../infra/one-at-a-time.ts";
import type { WorkdirOpener } from "../workdir-opener.ts";
import { unlessMissing, type Disk } from "./disk.ts";
import { openWorkdirStore, type WorkdirStore, type WorkdirStoreParts } from "./workdir-store.ts";
import { openStore, type Store } from "./store.ts";
import type { TurnRecord } from "./turn-records.ts";

export interface WorkdirStoresParts extends Pick<WorkdirStoreParts, "settings" | "isListingUsed"> {
  directory: string;
  disk: Disk;
  loopYield: LoopYield;
  ids: Ids;
  openerFor(workdir: string): WorkdirOpener;
}

export interface WorkdirStores {
  /**
   * Runs the work with exclusive access to the store of a workdir, in call order. Throws what the work does; disk
   * errors say what to do. Leaves nothing unfinished behind.
   */
  enter<Result>(workdir: string, work: (room: WorkdirStore) => Promise<Result>): Promise<Result>;
  /** The same by the store's name; `work` opens the workdir's own store. */
  enterByName<Result>(
    name: string,
    work: (store: Store, storeOf: (workdir: string) => WorkdirStore) => Promise<Result>,
  ): Promise<Result>;
  /** The names of all. */
  names(): Promise<string[]>;
  /** To look at from outside. */
  store(name: string): Store;
  /** Looks in all of them, from outside. */
  find(turnId: string): Promise<TurnRecord | undefined>;
}

export function openWorkdirStores(parts: WorkdirStoresParts): WorkdirStores {
  const { directory, disk, loopYield, ids, openerFor, settings, isListingUsed } = parts;
  const oneAtATime = createOneAtATime();
  const owner = ids.make("l");

  const store = (name: string) =>
    openStore({ directory: `${directory}/${name}`, disk, loopYield, ids, owner });
  const names = async () => (await unlessMissing(disk.readdir(directory))) ?? [];

  const enterByName: WorkdirStores["enterByName"] = (name, work) =>
    oneAtATime(name, async () => {
      const own = store(name);
      const storeOf = (workdir: string) =>
        openWorkdirStore({
          store: own,
          opener: openerFor(workdir),
          disk,
          loopYield,
          settings,
          isListingUsed,
        });
      try {
        return await work(own, storeOf);
      } catch (error) {
        throw diskFailure(error, directory);
      } finally {
        await own.blobs.drop();
      }
    });

  return {
    enter: (workdir, work) => enterByName(storeName(workdir), (_store, storeOf) => work(storeOf(workdir))),
    enterByName,
    names,
    store,
    async find(turnId) {
      for (const name of await names()) {
        const record = await store(name).records.find(turnId);
        if (record) return record;
      }
      return undefined;
    },
  };
}

const storeName = (workdir: string): string =>
  createHash("sha256").update(workdir).digest("hex").slice(0, 32);
