/**
 * Limits what an agent may do unobserved: messages per minute to all recipients together, and files deleted in one
 * turn. Counted in this process only: a restart takes longer than a burst.
 */
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";

/** `reason`: which limit, for people. */
export type EffectVerdict = { ok: true } | { ok: false; reason: string };

export interface EffectRate {
  /** Counts one more, or refuses without counting. */
  take(agentId: string, kind: "message"): EffectVerdict;
  /** Whether one turn may have deleted this many files. Counts nothing. */
  deleted(files: number): EffectVerdict;
}

export interface EffectRateParts {
  clock: Pick<Clock, "monotonic">;
  /** The current limits. */
  limits(): { messagesPerMinute: number; deletedFiles: number };
  say: Say;
}

const minuteMs = 60_000;

export function createEffectRate({ clock, limits, say }: EffectRateParts): EffectRate {
  /** When each agent sent its recent messages. */
  const sent = new Map<string, number[]>();

  return {
    take(agentId) {
      const now = clock.monotonic();
      const { messagesPerMinute: count } = limits();
      const lately = (sent.get(agentId) ?? []).filter((at) => at > now - minuteMs);
      if (lately.length >= count) return { ok: false, reason: say("limit.messages", { count }) };
      sent.set(agentId, [...lately, now]);
      return { ok: true };
    },
    deleted(files) {
      const { deletedFiles: count } = limits();
      if (files <= count) return { ok: true };
      return { ok: false, reason: say("limit.deleted-files", { deleted: files, count }) };
    },
  };
}
