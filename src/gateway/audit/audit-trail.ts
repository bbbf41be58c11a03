/**
 * Records what happens outside of turns: sign-ins and refusals, changes made through the gateway, changed config keys.
 * Recording is cheap: facts are written in batches a moment later, and repeated refusals of the same caller are one
 * row a minute.
 */
import { methods, type MethodName } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Caller } from "../../policy/caller.ts";
import type { AuditFact, AuditStore } from "../../storage/audit/audit.ts";
import { changedPaths } from "./changed-paths.ts";

export interface AuditTrail {
  /** Returns at once; on its way to the disk within a moment. Never throws: what could not be written is told to `onError`. */
  note(fact: AuditFact): void;
  /** A request that changes something, and what came of it; one that only reads, or is recorded where it is done, is not. */
  called(request: { caller: Caller; method: MethodName; runId?: string; code?: string }): void;
  /** Somebody did not prove who they are. `from` is an address. The same again within a minute is counted, not written. */
  refused(attempt: { way: string; from: string; reason: string }): void;
  /** Another config is in force. */
  configChanged(before: Config, after: Config, actor: string): void;
  /** Resolves when everything that was noted is written, or could not be. Never throws. */
  settled(): Promise<void>;
}

/** What is noted within this time is written together. */
const waitMs = 200;
/** More that wait are not kept; their number is. */
const mostWaiting = 1000;
const repeatMs = 60_000;
const mostRepeating = 200;

export function createAuditTrail(parts: {
  audit: Pick<AuditStore, "recordAll">;
  clock: Clock;
  onError(error: unknown): void;
}): AuditTrail {
  const { audit, clock, onError } = parts;
  let waiting: AuditFact[] = [];
  let lost = 0;
  let writing: Promise<void> | undefined;
  /** Handed to the storage, and perhaps not written yet. */
  let onTheWay: Promise<unknown> = Promise.resolve();
  /** Refusals that were written less than a minute ago. */
  const repeating = new Map<string, { fact: AuditFact; since: number; times: number }>();

  async function writeSoon(): Promise<void> {
    await clock.sleep(waitMs);
    writing = undefined;
    await flush();
  }

  async function flush(): Promise<void> {
    const facts = waiting;
    if (lost > 0) facts.push(lostFact(lost));
    if (facts.length > 0) {
      waiting = [];
      lost = 0;
      onTheWay = Promise.all([onTheWay, audit.recordAll(facts, "later").catch(onError)]);
    }
    await onTheWay;
  }

  function note(fact: AuditFact): void {
    if (waiting.length >= mostWaiting) lost++;
    else waiting.push(fact);
    writing ??= writeSoon().catch(onError);
  }

  /** Those whose minute is over are told with their number. */
  function tellRepeated(isOver: (since: number) => boolean): void {
    for (const [key, { fact, since, times }] of repeating) {
      if (!isOver(since)) continue;
      repeating.delete(key);
      if (times > 0) note({ ...fact, metadata: { ...fact.metadata, times } });
    }
  }

  return {
    note,
    called({ caller, method, runId, code }) {
      if (!isRecorded(method)) return;
      note({
        actor: caller.id,
        action: "call",
        resourceType: "method",
        resourceId: method,
        ...(runId !== undefined && { runId }),
        metadata: { role: caller.role, way: caller.way, ok: code === undefined, ...(code && { code }) },
      });
    },
    refused({ way, from, reason }) {
      const now = clock.monotonic();
      tellRepeated((since) => now - since >= repeatMs);
      const key = JSON.stringify([way, from, reason]);
      const known = repeating.get(key);
      if (known) return void known.times++;
      const fact: AuditFact = {
        actor: "unknown",
        action: "refuse",
        resourceType: "caller",
        resourceId: from,
        metadata: { way, reason },
      };
      // From very many addresses at once: they are counted under one name.
      const isFlood = repeating.size >= mostRepeating;
      const flood = isFlood ? repeating.get("") : undefined;
      if (flood) return void flood.times++;
      repeating.set(isFlood ? "" : key, { fact, since: now, times: 0 });
      note(fact);
    },
    configChanged(before, after, actor) {
      const paths = changedPaths(before, after);
      if (paths.length === 0) return;
      note({
        actor,
        action: "config-change",
        resourceType: "config",
        resourceId: "config",
        metadata: {
          paths: paths.slice(0, mostPaths),
          ...(paths.length > mostPaths && { more: paths.length - mostPaths }),
        },
      });
    },
    async settled() {
      tellRepeated(() => true);
      await flush();
    },
  };
}

const mostPaths = 100;

const lostFact = (count: number): AuditFact => ({
  actor: "system",
  action: "audit-lost",
  resourceType: "audit",
  resourceId: "audit",
  metadata: { count },
});

/** Recorded by what they begin: a turn tells of itself at its end. */
const elsewhere: ReadonlySet<string> = new Set(["agent.run", "agent.continue", "audit.export"]);

const isRecorded = (method: MethodName): boolean =>
  methods[method].effect !== "read" && !elsewhere.has(method) && !method.startsWith("chat.");
