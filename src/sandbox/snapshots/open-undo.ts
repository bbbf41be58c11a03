/** What turns change is kept here, where the config wants it; loaded with the first change. */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { noLonger } from "../../infra/no-longer.ts";
import type { Snapshots, TurnDiff, TurnPlace } from "./snapshots.ts";
import type { ProgramSpans } from "../programs/program.ts";
import type { WorkdirRegistry } from "../workdir-registry.ts";
import { createWorkdirOpener } from "../workdir-opener.ts";

export interface UndoParts {
  home: Home;
  config(): Config;
  clock: Clock;
  ids: Ids;
  registry: WorkdirRegistry;
  /** What an undo brings back may be a program's work, and has a new time of change. */
  spans?: ProgramSpans | undefined;
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
  /** What a tainted turn has changed, when it is about to end; undefined if nothing, or if that takes too long. Never throws. */
  changedBy(turnId: string): Promise<TurnDiff | undefined>;
  /** Whether a program there may run what a tainted turn left and the owner has not seen. Never throws: what is unknown may be so. */
  hasUnseen(workdir: string): Promise<boolean>;
  /** What tainted turns changed in these paths, unseen by the owner; empty where nothing is kept. Throws what the disk does. */
  unseen(workdir: string, paths: readonly string[]): Promise<string>;
  snapshots: Pick<Snapshots, "list" | "find" | "undo" | "diff" | "seen">;
  /** Throws away what is kept no longer. Throws what the disk does. */
  tidy(): Promise<void>;
  /** Ends in the background what a killed process has left half-way, if it left anything. */
  recover(): Promise<void>;
  /** Resolves when nothing is being noted any more. */
  settled(): Promise<void>;
}

export function createUndo({ home, config, clock, ids, registry, spans, onError }: UndoParts): Undo {
  let opened: Promise<Snapshots> | undefined;
  /** Turns of this process of which something was to be kept. */
  const kept = new Set<string>();
  const tainted = new Set<string>();
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
      if (place.isTainted) tainted.add(place.turnId);
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
    async changedBy(turnId) {
      if (!tainted.has(turnId)) return undefined;
      const over = new AbortController();
      const tooLong = clock.sleep(mostSummaryMs, over.signal).catch(() => undefined);
      try {
        const snapshots = await open();
        const diff = snapshots.after(turnId).then(() => snapshots.diff(turnId));
        // The answer does not wait for a very large workdir.
        diff.catch(() => undefined);
        return (await Promise.race([diff, tooLong])) ?? undefined;
      } catch (error) {
        onError(error);
        return undefined;
      } finally {
        over.abort(noLonger);
      }
    },
    async unseen(workdir, paths) {
      if (paths.length === 0 || !isThere()) return "";
      return (await open()).unseen(await realpath(workdir), paths);
    },
    async hasUnseen(workdir) {
      if (!config().tools.undo.enabled) return true;
      if (!isThere()) return false;
      try {
        return await (await open()).hasUnseen(await realpath(workdir));
      } catch {
        // Then nobody knows.
        return true;
      }
    },
    turnEnded(turnId) {
      tainted.delete(turnId);
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
      diff: async (turnId) => (await open()).diff(turnId),
      seen: async (turnId) => (await open()).seen(turnId),
      undo: async (turnId, options) => {
        const snapshots = await open();
        const workdir = (await snapshots.find(turnId))?.workdir;
        const end = await spans?.began(workdir === undefined ? "everywhere" : { below: workdir });
        try {
          return await snapshots.undo(turnId, options);
        } finally {
          await end?.();
        }
      },
    },
    async recover() {
      if (!isThere()) return;
      const snapshots = await open();
      const end = await spans?.began("everywhere");
      await snapshots.recover();
      // What it does, it does in the background.
      const work: Promise<void> = snapshots
        .settled()
        .then(() => end?.())
        .catch(onError)
        .finally(() => noting.delete(work));
      noting.add(work);
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

/** How long an answer waits for what is said below it. */
const mostSummaryMs = 5000;
