/** What turns change is kept here, where the config wants it; loaded with the first change. */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Snapshots } from "../../sandbox/snapshots/snapshots.ts";
import type { WorkdirKeeper } from "../../sandbox/workdir-keeper.ts";
import { createWorkdirOpener } from "../../sandbox/workdir-opener.ts";
import type { Hands } from "./hands.ts";

export interface UndoRoomParts {
  home: Home;
  config(): Config;
  clock: Clock;
  ids: Ids;
  keeper: WorkdirKeeper;
  onError(error: unknown): void;
}

export interface UndoRoom extends Pick<Hands, "keep" | "removed" | "turnEnded" | "snapshots" | "tidy"> {
  /** Ends in the background what a killed process has left half-way, if it left anything. */
  recover(): Promise<void>;
  /** Resolves when nothing is being noted any more. */
  settled(): Promise<void>;
}

export function createUndoRoom({ home, config, clock, ids, keeper, onError }: UndoRoomParts): UndoRoom {
  let opened: Promise<Snapshots> | undefined;
  /** Turns of this process of which something was to be kept. */
  const kept = new Set<string>();
  const noting = new Set<Promise<void>>();

  const open = () =>
    (opened ??= load().catch((error: unknown) => {
      // The next one tries again.
      opened = undefined;
      throw error;
    }));

  async function load(): Promise<Snapshots> {
    const { createSnapshots } = await import("../../sandbox/snapshots/create-snapshots.ts");
    return createSnapshots({
      directory: home.snapshotsDir,
      clock,
      ids,
      settings: () => config().tools.undo,
      openerFor: (workdir) => createWorkdirOpener({ workdir, closed: home.root, keeper }),
      onError,
    });
  }

  const isThere = () => opened !== undefined || existsSync(home.snapshotsDir);

  return {
    async keep(place, changes, signal) {
      if (!config().tools.undo.enabled || changes.length === 0) return;
      // Also where it fails or is stopped half-way: the turn is over some time.
      kept.add(place.turnId);
      const snapshots = await open();
      await snapshots.before(
        { ...place, workdir: keeper.same(place.workdir, await realpath(place.workdir)) },
        changes,
        signal,
      );
    },
    async removed(turnId) {
      if (!kept.has(turnId)) return 0;
      try {
        return await (await open()).removed(turnId, config().tools.limits.deletedFiles);
      } catch (error) {
        onError(error);
        return 0;
      }
    },
    turnEnded(turnId) {
      if (!kept.delete(turnId)) return;
      const work: Promise<void> = open()
        .then((snapshots) => snapshots.after(turnId))
        .catch(onError)
        .finally(() => noting.delete(work));
      noting.add(work);
    },
    snapshots: {
      list: async (where) => (await open()).list(where),
      find: async (turnId) => (await open()).find(turnId),
      undo: async (turnId, options) => (await open()).undo(turnId, options),
    },
    async recover() {
      if (isThere()) await (await open()).recover();
    },
    async tidy() {
      if (isThere()) await (await open()).prune();
    },
    async settled() {
      await Promise.all(noting);
      await (await opened)?.settled();
    },
  };
}
