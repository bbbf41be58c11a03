/**
 * What turns changed in workdirs. Before a call that changes something, what is there is kept by its content; when the turn is over, both
 * sides are compared and only the difference stays written down, with what is needed to put it back. An undoing is a change like any other.
 *
 * Each workdir has a room of its own, in which one thing is done at a time. Contents come onto the disk before the records that name them.
 */
import { realpath } from "node:fs/promises";
import { diskFailure } from "../../config/disk-failure.ts";
import { createLoopYield } from "../../infra/loop-yield.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { WorkdirOpener } from "../workdir-opener.ts";
import { systemDisk, type Disk } from "./disk.ts";
import { countRemoved } from "./count-removed.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import type { KeepSettings } from "./keep-tree.ts";
import { pruneStore } from "./prune-store.ts";
import type { WorkdirStore } from "./workdir-store.ts";
import { openWorkdirStores } from "./workdir-stores.ts";
import type { Snapshots, TurnChanges, TurnPlace } from "./snapshots.ts";
import type { Store } from "./store.ts";
import type { TurnRecord } from "./turn-records.ts";
import { changedPath, createUndoing } from "./undo-turn.ts";

export interface SnapshotSettings extends KeepSettings {
  keepDays: number;
}

export interface SnapshotParts {
  directory: string;
  clock: Pick<Clock, "now">;
  ids: Ids;
  /** As they are now. */
  settings(): SnapshotSettings;
  openerFor(workdir: string): WorkdirOpener;
  /** Told what could not be recovered. */
  onError(error: unknown): void;
  hosts?: Hosts;
  disk?: Disk;
  /** How long what nothing names is left in peace: another process may be about to name it. */
  restMs?: number;
}

const anHour = 3_600_000;

export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { directory, clock, ids, settings, disk = systemDisk, restMs = anHour } = parts;
  const hosts = parts.hosts ?? createHosts();
  /** Turns that are under way here, and their workdirs. */
  const running = new Map<string, string>();
  /** What is written down of them. */
  const open = new Map<string, TurnRecord>();
  /** How much of what they had removed counts no longer: they were ended, and go on. */
  const forgiven = new Map<string, number>();
  /** What is being compared and recovered. */
  const ending = new Set<Promise<void>>();
  const undoing = createUndoing({ ids, clock, hosts });
  const stores = openWorkdirStores({
    ...parts,
    disk,
    loopYield: createLoopYield(),
    isListingUsed: (listing, turnId) =>
      open.values().some((record) => record.listing === listing && record.turnId !== turnId),
  });

  const before: Snapshots["before"] = async (place, paths, signal) => {
    if (paths !== "anything" && paths.length === 0) return { notKept: [] };
    running.set(place.turnId, place.workdir);
    return stores.enter(place.workdir, async (store) => {
      signal?.throwIfAborted();
      const known = open.get(place.turnId);
      const record = known ?? (await takeUp(store, place));
      const goesOn = !known && record.kept.size > 0;
      const isKept =
        record.listing !== undefined ||
        (paths !== "anything" && paths.every((path) => record.kept.has(path)));
      // What did not come onto the disk does not count as kept.
      open.delete(place.turnId);
      const others = [...open.values()].filter(({ workdir }) => workdir === place.workdir);
      if (paths === "anything") for (const other of others) leaveTo(other, record);
      const notKept = isKept ? [] : await store.keep(record, paths, signal);
      if (isKept && !known) await store.records.write(record);
      for (const other of others.filter(({ listing }) => listing !== undefined))
        if (leaveTo(record, other)) await store.records.write(other);
      open.set(place.turnId, record);
      if (goesOn) forgiven.set(place.turnId, await removedIn(store, record, 0));
      return { notKept: [...new Set(notKept)] };
    });
  };

  /** A turn that goes on after a restart adds to what it had changed; one that was undone meanwhile begins anew. */
  async function takeUp(store: WorkdirStore, place: TurnPlace): Promise<TurnRecord> {
    const found = await store.records.find(place.turnId);
    const host = await hosts.own();
    const fresh: TurnRecord = {
      ...place,
      at: found?.at ?? clock.now(),
      state: "open",
      host,
      exclude: [...settings().exclude],
      unknown: [],
      notKept: [],
      kept: new Map(),
      changes: [],
    };
    if (!found || found.undoneBy !== undefined) return fresh;
    if (found.state === "open") return { ...found, host };
    const kept = new Map(found.changes.map(({ path, before: held }) => [path, held]));
    return { ...fresh, exclude: found.exclude, notKept: found.notKept, kept };
  }

  const removed: Snapshots["removed"] = async (turnId, many) => {
    const workdir = running.get(turnId);
    if (workdir === undefined) return 0;
    return stores.enter(workdir, async (store) => {
      const record = open.get(turnId);
      const count = record ? await removedIn(store, record, many) : 0;
      return Math.max(0, count - (forgiven.get(turnId) ?? 0));
    });
  };

  async function removedIn(
    { opener, listings }: WorkdirStore,
    record: TurnRecord,
    many: number,
  ): Promise<number> {
    const listed = record.listing === undefined ? undefined : await listings.read(record.listing);
    return countRemoved(opener, { ...record, listed }, many);
  }

  const after = (turnId: string): Promise<void> => inBackground(end(turnId));

  function inBackground(begun: Promise<void>): Promise<void> {
    const work: Promise<void> = begun.finally(() => ending.delete(work));
    ending.add(work);
    return work;
  }

  /** Of a turn that runs here the room is entered at once, so that the next turn begins when this one has been compared. */
  async function end(turnId: string): Promise<void> {
    const workdir = running.get(turnId) ?? (await stores.find(turnId))?.workdir;
    if (workdir !== undefined) await stores.enter(workdir, (store) => endIn(store, turnId));
  }

  async function endIn(store: WorkdirStore, turnId: string): Promise<void> {
    const record = open.get(turnId) ?? (await store.records.find(turnId));
    running.delete(turnId);
    open.delete(turnId);
    forgiven.delete(turnId);
    if (record?.state !== "open" || record.undoes !== undefined) return;
    if (await hosts.isElsewhere(record.host)) return;
    if (await isThere(record.workdir)) await store.close(record);
  }

  /** A turn that runs here is not ended by somebody who looks: what its call changes then would be nobody's. */
  async function endUnlessRunning(turnId: string): Promise<void> {
    await Promise.allSettled(ending);
    if (!running.has(turnId)) await after(turnId);
  }

  const undo: Snapshots["undo"] = async (turnId, { force }) => {
    await after(turnId);
    const found = await stores.find(turnId);
    if (!found) throw unknownTurn(turnId);
    return stores.enter(found.workdir, async (store) => {
      const record = await undoable(store, turnId);
      return undoing.undo(store, record, force);
    });
  };

  async function undoable({ records }: WorkdirStore, turnId: string): Promise<TurnRecord> {
    const record = await records.find(turnId);
    if (!record) throw unknownTurn(turnId);
    const { state, host, undoneBy, workdir } = record;
    if (state === "open") throw (await hosts.isElsewhere(host)) ? stillRuns(turnId) : unknownTurn(turnId);
    if (undoneBy !== undefined)
      throw failure(
        "usage/bad-argument",
        "undo.already",
        { turnId, undoneBy },
        { hint: "undo.already.hint" },
      );
    if (!(await isThere(workdir)))
      throw failure(
        "usage/not-found",
        "undo.no-workdir",
        { turnId, workdir },
        { hint: "undo.no-workdir.hint" },
      );
    return record;
  }

  /** Half an undoing is brought to its end: that was wanted. */
  async function finish(store: WorkdirStore, record: TurnRecord): Promise<void> {
    if (await hosts.isElsewhere(record.host)) return;
    if (record.undoes === undefined) return endIn(store, record.turnId);
    if (!(await isThere(record.workdir))) return;
    const undone = await store.records.find(record.undoes);
    // Where the turn no longer waits for it, everything but the last note was done.
    if (undone?.undoing === record.turnId) await undoing.undo(store, undone, record.force === true);
    else await store.close(record);
  }

  /** What cannot be done is told, and no reason to leave the rest. */
  async function recoverIn(store: Store, storeOf: (workdir: string) => WorkdirStore): Promise<void> {
    const tell = (error: unknown) => parts.onError(diskFailure(error, directory));
    await store.clear(restMs).catch(tell);
    for await (const record of store.records.newest())
      if (record.state === "open" && !running.has(record.turnId))
        await finish(storeOf(record.workdir), record).catch(tell);
  }

  return {
    before,
    removed,
    after,
    undo,
    async list({ limit, isOver = false, ...where }) {
      await Promise.allSettled(ending);
      const found: TurnChanges[] = [];
      for (const name of await stores.names()) {
        const { records } = stores.store(name);
        let count = 0;
        for await (const record of records.newest()) {
          if (count >= limit) break;
          if (!isWanted(record, where)) continue;
          if (record.state === "open") await (isOver ? after : endUnlessRunning)(record.turnId);
          const ended = record.state === "open" ? await records.find(record.turnId) : record;
          // The one before it would be taken for the newest.
          if (isOver && ended?.state === "open" && (await hosts.isElsewhere(ended.host)))
            throw stillRuns(ended.turnId);
          if (ended?.state !== "closed") continue;
          found.push(viewOf(ended));
          count++;
        }
      }
      return found.toSorted((one, other) => (one.at > other.at ? -1 : 1)).slice(0, limit);
    },
    async find(turnId) {
      await endUnlessRunning(turnId);
      const record = await stores.find(turnId);
      return record?.state === "closed" ? viewOf(record) : undefined;
    },
    async prune() {
      const { keepDays, maxBytes } = settings();
      const oldest = clock.now() - keepDays * 24 * anHour;
      const isRunning = async ({ turnId, state, host }: TurnRecord) =>
        running.has(turnId) || (state === "open" && (await hosts.isElsewhere(host)));
      for (const name of await stores.names())
        await stores.enterByName(name, (store) => pruneStore(store, { oldest, maxBytes, restMs, isRunning }));
    },
    async recover() {
      for (const name of await stores.names())
        void inBackground(stores.enterByName(name, recoverIn).catch(parts.onError));
    },
    async settled() {
      await Promise.allSettled(ending);
    },
  };
}

/** What one turn says that it changes is not taken for a change of another that runs beside it. Answers whether that was news. */
function leaveTo(owner: TurnRecord, other: TurnRecord): boolean {
  const known = new Set([...other.kept.keys(), ...other.unknown]);
  const own = [...owner.kept.keys()].filter((path) => !known.has(path));
  other.unknown.push(...own);
  return own.length > 0;
}

const unknownTurn = (turnId: string) =>
  failure("usage/not-found", "undo.unknown", { turnId }, { hint: "undo.unknown.hint" });

const stillRuns = (turnId: string) =>
  failure("session/busy", "undo.running", { turnId }, { hint: "undo.running.hint" });

/** As it was: the very directory, and no link in its place. */
const isThere = async (workdir: string): Promise<boolean> =>
  (await realpath(workdir).catch(() => undefined)) === workdir;

const isWanted = (
  record: TurnRecord,
  { sessionKey, agentId }: { sessionKey?: string; agentId?: string },
): boolean =>
  (sessionKey === undefined || record.sessionKey === sessionKey) &&
  (agentId === undefined || record.agentId === agentId);

function viewOf(record: TurnRecord): TurnChanges {
  const { turnId, sessionKey, agentId, workdir, at, notKept, changes, undoneBy, undoes } = record;
  return {
    turnId,
    sessionKey,
    agentId,
    workdir,
    at: new Date(at).toISOString(),
    paths: changes.map(changedPath),
    notKept,
    ...(undoneBy === undefined ? {} : { undoneBy }),
    ...(undoes === undefined ? {} : { undoes }),
  };
}
