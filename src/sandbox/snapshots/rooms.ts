/** The rooms of all workdirs, and what is kept in them. In each one thing is done at a time. */
import { createHash } from "node:crypto";
import { diskFailure } from "../../config/disk-failure.ts";
import type { LoopYield } from "../../infra/loop-yield.ts";
import type { Ids } from "../../infra/ids.ts";
import { createOneAtATime } from "../../infra/one-at-a-time.ts";
import type { WorkdirOpener } from "../workdir-opener.ts";
import { unlessMissing, type Disk } from "./disk.ts";
import { openRoom, type Room, type RoomParts } from "./room.ts";
import { openStore, type Store } from "./store.ts";
import type { TurnRecord } from "./turn-records.ts";

export interface RoomsParts extends Pick<RoomParts, "settings" | "isListingUsed"> {
  directory: string;
  disk: Disk;
  loopYield: LoopYield;
  ids: Ids;
  openerFor(workdir: string): WorkdirOpener;
}

export interface Rooms {
  /**
   * Does the work alone in the room of a workdir, in the order of the calls. Throws what the work does; what the disk refuses is said so that
   * people know what to do. Nothing half kept is left behind.
   */
  enter<Result>(workdir: string, work: (room: Room) => Promise<Result>): Promise<Result>;
  /** The same by the room's name; the room of a workdir is there for whoever is in it. */
  enterByName<Result>(
    name: string,
    work: (store: Store, roomOf: (workdir: string) => Room) => Promise<Result>,
  ): Promise<Result>;
  /** The names of all. */
  names(): Promise<string[]>;
  /** To look at from outside. */
  store(name: string): Store;
  /** Looks in all of them, from outside. */
  find(turnId: string): Promise<TurnRecord | undefined>;
}

export function openRooms(parts: RoomsParts): Rooms {
  const { directory, disk, loopYield, ids, openerFor, settings, isListingUsed } = parts;
  const inRoom = createOneAtATime();
  const owner = ids.make("l");

  const store = (name: string) =>
    openStore({ directory: `${directory}/${name}`, disk, loopYield, ids, owner });
  const names = async () => (await unlessMissing(disk.readdir(directory))) ?? [];

  const enterByName: Rooms["enterByName"] = (name, work) =>
    inRoom(name, async () => {
      const own = store(name);
      const roomOf = (workdir: string) =>
        openRoom({ store: own, opener: openerFor(workdir), disk, loopYield, settings, isListingUsed });
      try {
        return await work(own, roomOf);
      } catch (error) {
        throw diskFailure(error, directory);
      } finally {
        await own.blobs.drop();
      }
    });

  return {
    enter: (workdir, work) => enterByName(roomName(workdir), (_store, roomOf) => work(roomOf(workdir))),
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

const roomName = (workdir: string): string => createHash("sha256").update(workdir).digest("hex").slice(0, 32);
