/**
 * Hot reload. Waits until the file has been quiet for a moment, loads it, and tells what changed. Only a whole,
 * valid file is ever applied: one that is half-written, broken, empty or gone leaves the present config in force.
 */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../infra/clock.ts";
import { formatPath, isTable, type ConfigPath } from "./config-path.ts";
import { loadConfig, type LoadConfigRequest } from "./load-config.ts";
import { problemOf, type LoadedConfig, type Problem } from "./loaded-config.ts";

interface ConfigDifference {
  path: string;
  /** Masked where it is a secret. */
  before: unknown;
  after: unknown;
}

export type ConfigEvent =
  | { type: "applied"; changes: ConfigDifference[]; loaded: LoadedConfig }
  | { type: "rejected"; problems: Problem[] };

/** Calls back at each sign of change of the file; what kind does not matter. */
export type WatchFile = (file: string, onSign: () => void) => Promise<{ close(): Promise<void> }>;

export interface ConfigWatch {
  /** What is in force now. */
  current(): LoadedConfig;
  /** Resolves when no reload is under way. */
  settled(): Promise<void>;
  /** No event comes after it has resolved. Safe to call twice. */
  close(): Promise<void>;
}

const quietMs = 300;

export async function watchConfig(parts: {
  request: LoadConfigRequest;
  loaded: LoadedConfig;
  clock: Clock;
  /** May throw: that is its own affair, and the watch goes on. */
  onEvent(event: ConfigEvent): void;
  watchFile?: WatchFile;
  load?: (request: LoadConfigRequest) => Promise<LoadedConfig>;
}): Promise<ConfigWatch> {
  const { request, clock, watchFile = watchWithChokidar, load = loadConfig } = parts;
  let current = parts.loaded;
  let waiting = new AbortController();
  let isClosed = false;
  let work: Promise<void> = Promise.resolve();

  function onEvent(event: ConfigEvent): void {
    try {
      parts.onEvent(event);
    } catch {
      // Whoever listens has failed to pass it on; the config in force and the next reload do not depend on that.
    }
  }

  async function reload(): Promise<void> {
    const next = await load(request);
    if (isClosed) return;
    if (next.mode === "safe") return onEvent({ type: "rejected", problems: next.problems });
    if (!next.hasText && current.hasText) {
      const facts = { severity: "error", type: "unreadable", file: next.file } as const;
      return onEvent({ type: "rejected", problems: [problemOf(facts, "config.problem.gone")] });
    }
    const { maskConfig } = await import("./mask-config.ts");
    const changes = differences(current.config, next.config).map(({ path }) => path);
    const [before, after] = [
      maskConfig(current.config, current.secretPaths),
      maskConfig(next.config, next.secretPaths),
    ];
    current = next;
    if (changes.length === 0) return;
    const show = (path: ConfigPath) => ({
      path: formatPath(path),
      before: at(before, path),
      after: at(after, path),
    });
    onEvent({ type: "applied", changes: changes.map(show), loaded: next });
  }

  function rejectFault(thrown: unknown): void {
    if (isClosed) return;
    const reason =
      thrown instanceof Error ? ((thrown as NodeJS.ErrnoException).code ?? thrown.name) : "unknown";
    const facts = { severity: "error", type: "unreadable", file: request.home.configFile } as const;
    onEvent({ type: "rejected", problems: [problemOf(facts, "config.problem.not-loaded", { reason })] });
  }

  function onSign(): void {
    waiting.abort();
    if (isClosed) return;
    const mine = (waiting = new AbortController());
    clock.sleep(quietMs, mine.signal).then(
      () => {
        work = work.then(reload).catch(rejectFault);
      },
      // Another sign came first, and waits in its turn.
      () => undefined,
    );
  }

  const watcher = await watchFile(request.home.configFile, onSign);
  return {
    current: () => current,
    settled: () => work,
    async close() {
      isClosed = true;
      waiting.abort();
      await watcher.close();
      await work;
    },
  };
}

function differences(before: unknown, after: unknown, path: ConfigPath = []): Array<{ path: ConfigPath }> {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isTable(before) || !isTable(after)) return [{ path }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differences(before[name], after[name], [...path, name]));
}

const at = (value: unknown, path: ConfigPath): unknown =>
  path.reduce<unknown>((inner, name) => (isTable(inner) ? inner[String(name)] : undefined), value);

const watchWithChokidar: WatchFile = async (file, onSign) => {
  const { watch } = await import("chokidar");
  const watcher = watch(file, { ignoreInitial: true });
  watcher.on("all", onSign);
  // Watching is a convenience: where the system refuses it, changes count from the next start on.
  watcher.on("error", () => undefined);
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  return { close: () => watcher.close() };
};
