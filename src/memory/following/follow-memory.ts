/**
 * Updates the index in the background: soon after the last message, since more may follow, and at intervals during
 * long conversations. What failed stays queued.
 */
import type { Clock } from "../../infra/clock.ts";

export interface MemoryFollower {
  /** Something was said there. Costs next to nothing. */
  said(sessionId: string): void;
  /** A file of the agent's memory may have changed. */
  written(agentId: string): void;
  /** All of it is to be looked at: sessions and files. */
  missed(): void;
  behind(): Behind;
  /** Nothing more is begun; waits for what runs. */
  stop(): Promise<void>;
}

export interface Behind {
  /** Whether files wait to be looked at. */
  files: boolean;
  /** Those in which something was said that the index does not have. */
  sessions: number;
}

export interface MemoryFollowerParts {
  clock: Clock;
  /** Updates the index; throws if it cannot. */
  bring(due: Due, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
  /** Delay after the last change. */
  quietMs?: number;
  /** The longest delay after the first change. */
  latestMs?: number;
}

export interface Due {
  everything: boolean;
  sessions: ReadonlySet<string>;
  agents: ReadonlySet<string>;
}

export function createMemoryFollower({
  clock,
  bring,
  onError,
  quietMs = 3000,
  latestMs = 60_000,
}: MemoryFollowerParts): MemoryFollower {
  const stopping = new AbortController();
  let due = nothing();
  let bringing: Due = nothing();
  let last = 0;
  let working: Promise<void> | undefined;
  let fails = 0;

  function note(change: (due: Mutable) => void): void {
    if (stopping.signal.aborted) return;
    change(due);
    last = clock.monotonic();
    working ??= work();
  }

  async function work(): Promise<void> {
    // Only what is queued now: later changes start a new round.
    for (; isDue(due) && !stopping.signal.aborted;) {
      try {
        await untilQuiet();
      } catch {
        break; // stopped
      }
      const taken = due;
      due = nothing();
      bringing = taken;
      try {
        await bring(taken, stopping.signal);
        fails = 0;
      } catch (error) {
        due = together(taken, due);
        if (stopping.signal.aborted) break;
        fails++;
        onError(error);
      } finally {
        bringing = nothing();
      }
    }
    working = undefined;
  }

  async function untilQuiet(): Promise<void> {
    // After a failure longer and longer: what is broken does not mend by being asked again.
    const quiet = Math.min(quietMs * 2 ** fails, latestMs * 5);
    const until = clock.monotonic() + Math.max(latestMs, quiet);
    for (;;) {
      const left = Math.min(last + quiet, until) - clock.monotonic();
      if (left <= 0 && fails === 0) return;
      await clock.sleep(fails > 0 ? quiet : left, stopping.signal);
      if (fails > 0) return;
    }
  }

  return {
    said: (sessionId) => note(({ sessions }) => void sessions.add(sessionId)),
    written: (agentId) => note(({ agents }) => void agents.add(agentId)),
    missed: () => note((all) => void (all.everything = true)),
    behind() {
      const { everything, agents, sessions } = together(bringing, due);
      return { files: everything || agents.size > 0, sessions: sessions.size };
    },
    async stop() {
      stopping.abort(new Error("the gateway stops"));
      await working;
    },
  };
}

interface Mutable extends Due {
  sessions: Set<string>;
  agents: Set<string>;
}

const nothing = (): Mutable => ({ everything: false, sessions: new Set(), agents: new Set() });

const isDue = ({ everything, sessions, agents }: Due): boolean =>
  everything || sessions.size > 0 || agents.size > 0;

const together = (first: Due, second: Due): Mutable => ({
  everything: first.everything || second.everything,
  sessions: new Set([...first.sessions, ...second.sessions]),
  agents: new Set([...first.agents, ...second.agents]),
});
