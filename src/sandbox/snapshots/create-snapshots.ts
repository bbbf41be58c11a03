/**
 * Records what turns change in workdirs. Before a call that changes something, the current content is stored; when
 * the turn is over, both states are compared and only the difference stays recorded, with what is needed to restore
 * it. An undo is a change like any other.
 *
 * Each workdir has its own store, which does one thing at a time. Contents are on disk before the records that name
 * them.
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
import { diffOf } from "./turn-diff.ts";
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
  /** Called with what could not be recovered. */
  onError(error: unknown): void;
  hosts?: Hosts;
  disk?: Disk;
  /** How long unreferenced content stays: another process may be about to reference it. */
  restMs?: number;
}

const anHour = 3_600_000;

export function createSnapshots(parts: SnapshotParts): Snapshots {
  const { directory, clock, ids, settings, disk = systemDisk, restMs = anHour } = parts;
  const hosts = parts.hosts ?? createHosts();
  /** Running turns of this process, and their workdirs. */
  const running = new Map<string, string>();
  /** Their records. */
  const open = new Map<string, TurnRecord>();
  /** Removed files that no longer count, because the limit ended the turn and it was resumed. */
  const forgiven = new Map<string, number>();
  /** Records of which nothing is left to see. */
  const passed = new Map<string, string>();
  /** Comparisons and recoveries in progress. */
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
      const found = known ?? (await takeUp(store, place));
      const record = taintedBy(place, found);
      const goesOn = !known && record.kept.size > 0;
      const isKept =
        record.listing !== undefined ||
        (paths !== "anything" && paths.every((path) => record.kept.has(path)));
      // What is not on disk does not count as stored.
      open.delete(place.turnId);
      const others = [...open.values()].filter(({ workdir }) => workdir === place.workdir);
      if (paths === "anything") for (const other of others) leaveTo(other, record);
      const notKept = isKept ? [] : await store.keep(record, paths, signal);
      if (isKept && record !== known) await store.records.write(record);
      for (const other of others.filter(({ listing }) => listing !== undefined))
        if (leaveTo(record, other)) await store.records.write(other);
      open.set(place.turnId, record);
      if (goesOn) forgiven.set(place.turnId, await removedIn(store, record, 0));
      return { notKept: [...new Set(notKept)] };
    });
  };

  /** A turn that resumes after a restart extends its record; one that was undone meanwhile starts over. */
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
    if (found.isTainted) fresh.isTainted = true;
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

  /** Enters the store of a local turn at once, so that the next turn begins after the comparison. */
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

  /** Reading must not end a running turn: its later changes would belong to nobody. */
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

  /** Completes a half-done undo: it was wanted. */
  async function finish(store: WorkdirStore, record: TurnRecord): Promise<void> {
    if (await hosts.isElsewhere(record.host)) return;
    if (record.undoes === undefined) return endIn(store, record.turnId);
    if (!(await isThere(record.workdir))) return;
    const undone = await store.records.find(record.undoes);
    // If the turn is not waiting for it, only the last note is missing.
    if (undone?.undoing === record.turnId) await undoing.undo(store, undone, record.force === true);
    else await store.close(record);
  }

  /** Reports failures and continues with the rest. */
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
          // Otherwise the one before it would count as the newest.
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
    async diff(turnId) {
      await endUnlessRunning(turnId);
      const record = await stores.find(turnId);
      if (record?.state !== "closed") return undefined;
      return stores.enter(record.workdir, (store) => diffOf(store, record));
    },
    async seen(turnId) {
      await endUnlessRunning(turnId);
      const found = await stores.find(turnId);
      if (!found) return;
      await stores.enter(found.workdir, async ({ records }) => {
        const record = await records.find(turnId);
        if (record?.state === "closed" && record.seen !== true)
          await records.write({ ...record, seen: true });
      });
    },
    unseen: (workdir, paths) =>
      stores.enter(workdir, async (store) => {
        const texts: string[] = [];
        if (!(await store.records.some(isUnseen, passed))) return "";
        for await (const record of store.records.newest()) {
          const changes = record.changes.filter(({ path }) => paths.includes(path));
          if (!isUnseen(record) || changes.length === 0) continue;
          texts.push((await diffOf(store, { ...record, changes })).text);
        }
        return texts.join("\n");
      }),
    hasUnseen: (workdir) => stores.enter(workdir, ({ records }) => records.some(isUnseen, passed)),
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

/** Once tainted, it stays so. */
const taintedBy = ({ isTainted }: TurnPlace, record: TurnRecord): TurnRecord =>
  isTainted === true && record.isTainted !== true ? { ...record, isTainted } : record;

const isUnseen = ({ isTainted, seen, undoneBy, undoes }: TurnRecord): boolean =>
  isTainted === true && seen !== true && undoneBy === undefined && undoes === undefined;

/** A change that one turn declares does not count for another that runs beside it. Returns whether that was new. */
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

/** The same directory, and no link in its place. */
const isThere = async (workdir: string): Promise<boolean> =>
  (await realpath(workdir).catch(() => undefined)) === workdir;

const isWanted = (
  record: TurnRecord,
  { sessionKey, agentId }: { sessionKey?: string; agentId?: string },
): boolean =>
  (sessionKey === undefined || record.sessionKey === sessionKey) &&
  (agentId === undefined || record.agentId === agentId);

function viewOf(record: TurnRecord): TurnChanges {
  const { turnId, sessionKey, agentId, workdir, at, notKept, changes, undoneBy, undoes, seen } = record;
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
    ...(seen === true ? { isSeen: seen } : {}),
  };
}
