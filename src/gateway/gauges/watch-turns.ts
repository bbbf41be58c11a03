/** Measures turns while they run. */
import type { TurnWatch } from "../../agent/turns/turn-events.ts";
import type { Clock } from "../../infra/clock.ts";
import type { GaugeMeters } from "./gauge-meters.ts";

export interface TurnGauges {
  watch: Required<Pick<TurnWatch, "begun" | "event" | "ended" | "over">>;
}

/** Beyond that the oldest is forgotten: it was left by somebody who never said that it ended. */
const mostOpen = 2000;

export function measureTurns(meters: GaugeMeters, clock: Clock): TurnGauges {
  /** Tool calls so far, by turn. */
  const calls = new Map<string, number>();
  /** Questions that were told before: the same one may be told again. */
  const asked = new Set<string>();

  const seconds = (from: string | null, to: number) =>
    from === null ? Number.NaN : Math.max(0, to - Date.parse(from)) / 1000;

  return {
    watch: {
      begun(turn) {
        calls.set(turn.turnId, 0);
        forgetOldest(calls, mostOpen);
        // One that goes on after a crash or an answer has waited for something else.
        if (turn.claims <= 1) meters.queueSeconds.observe(seconds(turn.queuedAt, clock.now()));
      },
      event({ turnId }, event) {
        switch (event.type) {
          case "tool-call-start":
            calls.set(turnId, (calls.get(turnId) ?? 0) + 1);
            break;
          case "tool-call-end":
            meters.toolCalls.add(
              1,
              event.call.name,
              event.result.ok ? "ok" : (event.result.error?.code ?? "failed"),
            );
            break;
          case "start-over":
            // What the voice takes back for its own reasons is no trouble of the stream.
            if (event.reason !== "it was reasoning") meters.interruptions.add(1);
            break;
          case "end":
            if (event.message.stopReason === "error") meters.interruptions.add(1);
            break;
          case "approval-asked":
            if (asked.has(event.approval.id)) break;
            asked.add(event.approval.id);
            forgetOldest(asked, mostOpen);
            meters.approvals.add(1);
            break;
          case "approval-answered":
            meters.approvalAnswers.add(1, event.state);
            break;
        }
      },
      ended(turn) {
        meters.turns.add(1, turn.ending?.type ?? "unknown");
        meters.turnSeconds.observe(seconds(turn.startedAt, Date.parse(turn.endedAt ?? "") || clock.now()));
        meters.turnToolCalls.observe(calls.get(turn.turnId) ?? 0);
        calls.delete(turn.turnId);
      },
      over: (turnId) => void calls.delete(turnId),
    },
  };
}

function forgetOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}
