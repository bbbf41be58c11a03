/** Measures requests to models from their ledger rows. */
import type { UsageStore } from "../../storage/usage/usage.ts";
import type { GaugeMeters } from "./gauge-meters.ts";

export interface UsageGauges {
  /** The same ledger; what is settled in it is counted. */
  wrap(usage: UsageStore): UsageStore;
  /** The model whose last requests all failed, and how; undefined where none did. */
  trouble(): { model: string; code: string; times: number } | undefined;
}

const mostOpen = 2000;
/** This many failures in a row are not bad luck any more. */
const failuresInARow = 3;

export function measureUsage(meters: GaugeMeters): UsageGauges {
  const open = new Map<number, { model: string; turnId: string | null }>();
  /** The model of a turn's last request, where that failed: the next one with another model is a fallback. */
  const failed = new Map<string, string>();
  const inARow = new Map<string, { code: string; times: number }>();

  function noteFallback(turnId: string | null, model: string): void {
    const before = turnId === null ? undefined : failed.get(turnId);
    if (turnId === null || before === undefined) return;
    failed.delete(turnId);
    if (before !== model) meters.modelFallbacks.add(1, before, model);
  }

  function noteOutcome(model: string, turnId: string | null, outcome: string): void {
    if (outcome === "aborted") return;
    if (outcome === "ok") {
      inARow.delete(model);
      return;
    }
    if (outcome === "timeout") meters.modelTimeouts.add(1, model);
    inARow.set(model, { code: outcome, times: (inARow.get(model)?.times ?? 0) + 1 });
    forgetOldest(inARow);
    if (turnId === null) return;
    failed.set(turnId, model);
    forgetOldest(failed);
  }

  return {
    wrap: (usage) => ({
      ...usage,
      async open(opening, judge) {
        const outcome = await usage.open(opening, judge);
        if (!outcome.opened) return outcome;
        const { turnId, provider, model } = opening;
        const name = `${provider}/${model}`;
        noteFallback(turnId, name);
        open.set(outcome.position, { model: name, turnId });
        forgetOldest(open);
        return outcome;
      },
      async settle(position, settlement) {
        const begun = open.get(position);
        open.delete(position);
        if (begun) {
          const { usage: used, outcome, durationMs } = settlement;
          const { model, turnId } = begun;
          meters.modelCalls.add(1, model, outcome);
          meters.modelSeconds.observe(durationMs / 1000, model);
          for (const kind of ["input", "output", "cacheRead", "cacheWrite"] as const)
            meters.modelTokens.add(used[kind], model, kind);
          meters.modelCost.add(used.cost, model);
          noteOutcome(model, turnId, outcome);
        }
        await usage.settle(position, settlement);
      },
      async release(position) {
        open.delete(position);
        await usage.release(position);
      },
    }),
    trouble() {
      for (const [model, { code, times }] of inARow)
        if (times >= failuresInARow) return { model, code, times };
      return undefined;
    },
  };
}

function forgetOldest<Key>(kept: Map<Key, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > mostOpen && oldest !== undefined) kept.delete(oldest);
}
