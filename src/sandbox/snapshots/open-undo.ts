/** What turns change is kept here, where the config wants it; loaded with the first change. */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Snapshots, TurnPlace } from "./snapshots.ts";
import type { WorkdirRegistry } from "../workdir-registry.ts";
import { createWorkdirOpener } from "../workdir-opener.ts";

export interface UndoParts {
  home: Home;
  config(): Config;
  clock: Clock;
  ids: Ids;
  registry: WorkdirRegistry;
  onError(error: unknown): void;
}

/** What turns change can be undone. */
export interface Undo {
  /** Keeps what a call of a turn may change. Throws PincerError: then the call must not run. */
  keep(place: TurnPlace, changes: readonly string[] | "anything", signal: AbortSignal): Promise<void>;
  /** How many files the running turn has removed so far, as far as its changes are kept; what cannot be counted is told and counts as none. Never throws. */
  removed(turnId: string): Promise<number>;
  /** Notes in the background what the turn has changed. */
  turnEnded(turnId: string): void;
  snapshots: Pick<Snapshots, "list" | "find" | "undo">;
  /** Throws away what is kept no longer. Throws what the disk does. */
  tidy(): Promise<void>;
  /** Ends in the background what a killed process has left half-way, if it left anything. */
  recover(): Promise<void>;
  /** Resolves when nothing is being noted any more. */
  settled(): Promise<void>;
}

export function createUndo({ home, config, clock, ids, registry, onError }: UndoParts): Undo {
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
    const { createSnapshots } = await import("./create-snapshots.ts");
    return createSnapshots({
      directory: home.snapshotsDir,
      clock,
      ids,
      settings: () => config().tools.undo,
      openerFor: (workdir) => createWorkdirOpener({ workdir, closed: home.root, registry }),
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
        { ...place, workdir: registry.same(place.workdir, await realpath(place.workdir)) },
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
