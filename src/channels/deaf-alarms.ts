/**
 * Counts alarms about accounts that claim to be connected and hear nothing, and how many were false. An alarm was
 * true if a message arrives that the network had sent before it ended, if asking for messages failed, or if the
 * connection had to be replaced. It was false if the same connection goes on and nothing was missing.
 */
export interface AlarmCounts {
  alarms: number;
  trueAlarms: number;
  falseAlarms: number;
}

export interface DeafAlarms {
  /**
   * Nothing was heard for too long; `silentSince` is the wall-clock time of the last sign. `isFailing`: asking fails.
   * Safe to repeat.
   */
  raise(silentSince: number, why?: { isFailing: boolean }): void;
  /** Something was heard. `sentAt`: when the network took the message, wall-clock; `now`: monotonic. */
  heard(sign: { sentAt?: number; wall: number; now: number; settleMs: number }): void;
  /** The connection ended. */
  lost(): void;
  /** Settles alarms that have waited long enough for a late message. */
  settle(now: number): void;
  counts(): AlarmCounts;
}

/** A message no older than this arrived in time. */
const inTimeMs = 5000;

export function createDeafAlarms(): DeafAlarms {
  const counts: AlarmCounts = { alarms: 0, trueAlarms: 0, falseAlarms: 0 };
  let open: { silentSince: number; isProven: boolean; settleAt: number | undefined } | undefined;

  function close(kind: "trueAlarms" | "falseAlarms"): void {
    counts[kind]++;
    open = undefined;
  }

  return {
    raise(silentSince, { isFailing } = { isFailing: false }) {
      if (open) {
        open.settleAt = undefined;
        open.isProven ||= isFailing;
        return;
      }
      counts.alarms++;
      open = { silentSince, isProven: isFailing, settleAt: undefined };
    },
    heard({ sentAt, wall, now, settleMs }) {
      if (!open) return;
      const wasMissing = sentAt !== undefined && sentAt > open.silentSince && sentAt < wall - inTimeMs;
      if (wasMissing) return close("trueAlarms");
      open.settleAt ??= now + settleMs;
    },
    lost() {
      if (open) open.isProven = true;
    },
    settle(now) {
      if (open?.settleAt === undefined || now < open.settleAt) return;
      close(open.isProven ? "trueAlarms" : "falseAlarms");
    },
    counts: () => ({ ...counts }),
  };
}
