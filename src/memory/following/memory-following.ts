/**
 * Keeps the index up to date while a gateway runs: files are watched, messages are reported, and missed changes are
 * found first.
 */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { createMemoryFollower, type Behind, type Due, type MemoryFollower } from "./follow-memory.ts";
import type { AgentPlace } from "./memory-surroundings.ts";
import { watchMemory, type MemoryWatch } from "./watch-memory.ts";

export interface MemoryFollowing {
  /** Begins, where the config wants it. */
  begin(): void;
  isOn(): boolean;
  /** The config is another one: all of it is looked at again. */
  refresh(): void;
  said(sessionId: string): void;
  missed(): void;
  behind(): Behind;
  isWatching(): boolean;
  /** Waits for what runs. Safe to call twice. */
  stop(): Promise<void>;
}

export interface MemoryFollowingParts {
  config(): Config;
  clock: Clock;
  /** Of those that are there. */
  places(): AgentPlace[];
  agentCount(): number;
  bring(due: Due, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

/** What was missed while no gateway ran is looked for when starting up is over. */
const firstLookMs = 20_000;

export function createMemoryFollowing(parts: MemoryFollowingParts): MemoryFollowing {
  const { config, clock, places, onError } = parts;
  const stopping = new AbortController();
  let hasBegun = false;
  /** What was written while no gateway ran is known to be missing until it was looked for. */
  let hasLooked = false;
  let follower: MemoryFollower | undefined;
  let watches: MemoryWatch[] = [];

  const settings = () => config().agents.defaults.memorySearch;

  async function bring(due: Due, signal: AbortSignal): Promise<void> {
    await parts.bring(due, signal);
    hasLooked ||= due.everything;
    watchNewPlaces();
  }

  function followAsConfigured(): void {
    const { enabled, sync } = settings();
    if (!enabled) {
      follower?.stop().catch(onError);
      follower = undefined;
    } else
      follower ??= createMemoryFollower({
        clock,
        bring,
        onError,
        quietMs: Math.max(sync.watchDebounceMs, 1),
      });
    watchAll();
  }

  function watchAll(): void {
    for (const watch of watches) watch.close();
    const isWanted = follower !== undefined && settings().sync.watch;
    watches = (isWanted ? places() : []).map(({ agentId, workdir }) =>
      watchMemory({ workdir, onChange: () => follower?.written(agentId), onTrouble: onError }),
    );
  }

  /** A workdir is made when it is first worked in. */
  function watchNewPlaces(): void {
    const isWanted = follower !== undefined && settings().sync.watch;
    // Nearly always all are there and watched, and then nothing is looked at.
    if (!isWanted || watches.length >= parts.agentCount()) return;
    const there = places();
    if (there.length <= watches.length) return;
    watchAll();
    for (const { agentId } of there) follower?.written(agentId);
  }

  return {
    begin() {
      hasBegun = true;
      followAsConfigured();
      clock.sleep(firstLookMs, stopping.signal).then(
        () => follower?.missed(),
        () => undefined, // stopped before
      );
    },
    isOn: () => follower !== undefined,
    refresh() {
      if (!hasBegun) return;
      followAsConfigured();
      follower?.missed();
    },
    said(sessionId) {
      follower?.said(sessionId);
      watchNewPlaces();
    },
    missed: () => follower?.missed(),
    behind() {
      const { files, sessions } = follower?.behind() ?? { files: false, sessions: 0 };
      return { files: files || (follower !== undefined && !hasLooked), sessions };
    },
    isWatching: () => watches.length > 0,
    async stop() {
      stopping.abort(new Error("the memory is closed"));
      for (const watch of watches) watch.close();
      watches = [];
      await follower?.stop();
    },
  };
}
