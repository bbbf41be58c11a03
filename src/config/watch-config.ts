/**
 * Hot reload. Waits until the file has been quiet for a moment, loads it, and tells what changed. Only a whole,
 * valid file is ever applied: one that is half-written, broken, empty or gone leaves the present config in force.
 */
import { isDeepStrictEqual } from "node:util";
import { formatPath, isTable, type ConfigPath } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { configStamp } from "./config-stamp.ts";
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

/** Calls back at each sign of change of the file since it had the stamp `since`; what kind does not matter. */
export type WatchFile = (
  file: string,
  onSign: () => void,
  since: string,
) => Promise<{ close(): Promise<void> }>;

export interface ConfigWatch {
  /** What is in force now. */
  current(): LoadedConfig;
  /** Takes the file up now, without waiting for it to be quiet. Resolves to why it was refused; to nothing when it is in force. */
  reload(): Promise<Problem[]>;
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
  const { request, clock, watchFile = lookAtFile, load = loadConfig } = parts;
  let current = parts.loaded;
  let waiting = new AbortController();
  let isClosed = false;
  let work: Promise<void> = Promise.resolve();

  function onEvent(event: ConfigEvent): void {
    try {
      parts.onEvent(event);
    } catch {
      // A listener has failed to pass it on; the config in force and the next reload do not depend on that.
    }
  }

  function reject(problems: Problem[]): Problem[] {
    if (!isClosed) onEvent({ type: "rejected", problems });
    return problems;
  }

  async function takeUp(): Promise<Problem[]> {
    const next = await load(request);
    if (isClosed) return [];
    if (next.mode === "safe") return reject(next.problems);
    if (!next.hasText && current.hasText) {
      const facts = { severity: "error", type: "unreadable", file: next.file } as const;
      return reject([problemOf(facts, "config.problem.gone")]);
    }
    const { maskConfig } = await import("./mask-config.ts");
    const changes = differences(current.config, next.config).map(({ path }) => path);
    const [before, after] = [
      maskConfig(current.config, current.secretPaths),
      maskConfig(next.config, next.secretPaths),
    ];
    current = next;
    if (changes.length === 0) return [];
    const show = (path: ConfigPath) => ({
      path: formatPath(path),
      before: at(before, path),
      after: at(after, path),
    });
    onEvent({ type: "applied", changes: changes.map(show), loaded: next });
    return [];
  }

  function rejectFault(thrown: unknown): Problem[] {
    const reason =
      thrown instanceof Error ? ((thrown as NodeJS.ErrnoException).code ?? thrown.name) : "unknown";
    const facts = { severity: "error", type: "unreadable", file: request.home.configFile } as const;
    return reject([problemOf(facts, "config.problem.not-loaded", { reason })]);
  }

  /** One after the other: of two that overlap the later must win. */
  function reload(): Promise<Problem[]> {
    const outcome = work.then(takeUp).catch(rejectFault);
    work = outcome.then(() => undefined);
    return outcome;
  }

  function onSign(): void {
    waiting.abort();
    if (isClosed) return;
    const mine = (waiting = new AbortController());
    clock.sleep(quietMs, mine.signal).then(
      () => void reload(),
      // Another sign came first, and waits in its turn.
      () => undefined,
    );
  }

  const watcher = await watchFile(request.home.configFile, onSign, current.stamp);
  return {
    current: () => current,
    reload() {
      // What waited for the file to be quiet is done with it.
      waiting.abort();
      return reload();
    },
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

/**
 * Looks, instead of being told: the system tells of changes in a directory, and in that of the config the database is written to all
 * the time. It also works where the system tells nothing: on network drives, and for files that a container has from outside.
 */
const lookAtFile: WatchFile = async (file, onSign, since) => {
  let last = since;
  let isLooking = false;
  const look = async () => {
    // A drive that hangs is asked once.
    if (isLooking) return;
    isLooking = true;
    const stamp = await configStamp(file);
    isLooking = false;
    if (stamp === last) return;
    last = stamp;
    onSign();
  };
  const timer = setInterval(() => void look(), lookAgainMs);
  return { close: async () => clearInterval(timer) };
};

const lookAgainMs = 500;
