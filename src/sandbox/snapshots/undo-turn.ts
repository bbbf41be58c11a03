/**
 * Undoes what a turn changed, as a change of its own. The turn's record names the undo first, and the current content
 * is stored before any path is touched: so it can be resumed wherever it stopped, and undone like a turn.
 */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { isAddedObject } from "./git-objects.ts";
import type { Hosts } from "./hosts.ts";
import { canMake, isSame, type Change, type State } from "./kept.ts";
import { restorePaths } from "./restore-paths.ts";
import type { WorkdirStore } from "./workdir-store.ts";
import type { ChangedPath, UndoReport } from "./snapshots.ts";
import type { TurnRecord } from "./turn-records.ts";

export interface Undoing {
  /** For a closed record, with exclusive access. Throws what the disk does; then it can be repeated. */
  undo(store: WorkdirStore, record: TurnRecord, force: boolean): Promise<UndoReport>;
}

export interface UndoingParts {
  ids: Ids;
  clock: Pick<Clock, "now">;
  hosts: Pick<Hosts, "own">;
}

export function createUndoing({ ids, clock, hosts }: UndoingParts): Undoing {
  return {
    async undo(store, found, force) {
      const record = { ...found, undoing: found.undoing ?? ids.make("u") };
      if (found.undoing === undefined) await store.records.write(record);
      const { turnId } = record;
      const changes = undoable(record);
      const begun = await store.records.find(record.undoing);
      const own = begun ? await takeUp(store, begun) : await begin(store, record, force);
      const steps = changes.map(({ path, before, after }) => ({
        path,
        from: own.kept.get(path) ?? (own.kept.has(path) ? null : after),
        to: before,
      }));
      const mark = `pincer-${own.turnId}`;
      const outcome = await restorePaths({ ...store, mark }, steps, force);
      await settle(store, record, force || outcome.conflicts.length === 0);
      const restored = (await store.close(own)).map(changedPath);
      return {
        turnId,
        ...(restored.length > 0 ? { undoId: own.turnId } : {}),
        restored,
        conflicts: outcome.conflicts,
        notKept: [...new Set([...outcome.notKept, ...record.notKept])],
      };
    },
  };

  async function takeUp(store: WorkdirStore, begun: TurnRecord): Promise<TurnRecord> {
    const own: TurnRecord = { ...begun, host: await hosts.own() };
    await store.records.write(own);
    return own;
  }

  async function begin(
    store: WorkdirStore,
    record: TurnRecord & { undoing: string },
    force: boolean,
  ): Promise<TurnRecord> {
    const kept = new Map<string, State>();
    for (const { path, before, after } of undoable(record)) {
      const now = await store.look(path);
      if (now === undefined || !canMake(before) || isSame(now, before)) continue;
      if (force || isSame(now, after)) kept.set(path, now);
    }
    await store.blobs.flush();
    const { sessionKey, agentId, workdir } = record;
    const own: TurnRecord = {
      turnId: record.undoing,
      sessionKey,
      agentId,
      workdir,
      at: clock.now(),
      state: "open",
      host: await hosts.own(),
      undoes: record.turnId,
      force,
      exclude: [],
      unknown: [],
      notKept: [],
      kept,
      changes: [],
    };
    await store.records.write(own);
    return own;
  }

  /** An undoing that was undone leaves what it undid as it was before, to be undone again. */
  async function settle(
    store: WorkdirStore,
    record: TurnRecord & { undoing: string },
    isUndone: boolean,
  ): Promise<void> {
    const first = record.undoes === undefined ? undefined : await store.records.find(record.undoes);
    if (isUndone && first?.undoneBy === record.turnId) {
      const { undoneBy: _undoneBy, ...standing } = first;
      await store.records.write(standing);
    }
    const { undoing, ...rest } = record;
    await store.records.write(isUndone ? { ...rest, undoneBy: undoing } : rest);
  }
}

const undoable = ({ changes }: TurnRecord): Change[] => changes.filter((change) => !isAddedObject(change));

export function changedPath({ path, before, after }: Change): ChangedPath {
  const isDirectory = (after ?? before)?.type === "directory";
  const change = before === null ? "made" : after === null ? "removed" : "changed";
  return { path: isDirectory ? `${path}/` : path, change };
}
