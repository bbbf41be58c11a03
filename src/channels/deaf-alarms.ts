/**
 * Counts the alarms about an account that claims to be connected and hears nothing, and how many of them were false. An alarm was true when a
 * message turns up that the network had sent before it ended, or when the connection had to be made anew; it was false when the same
 * connection goes on and nothing was missing.
 */
export interface AlarmCounts {
  alarms: number;
  trueAlarms: number;
  falseAlarms: number;
}

export interface DeafAlarms {
  /** Nothing was heard for too long; `silentSince` is the wall's time of the last sign. Safe to repeat while it lasts. */
  raise(silentSince: number): void;
  /** Something was heard. `sentAt` is when the network took the message, by the wall's time; `now` is of the clock that counts. */
  heard(sign: { sentAt?: number; wall: number; now: number; settleMs: number }): void;
  /** The connection is no more. */
  lost(): void;
  /** Settles what has waited long enough for a message that was late. */
  settle(now: number): void;
  counts(): AlarmCounts;
}

/** A message that is no older than this came in time. */
const inTimeMs = 5000;

export function createDeafAlarms(): DeafAlarms {
  const counts: AlarmCounts = { alarms: 0, trueAlarms: 0, falseAlarms: 0 };
  let open: { silentSince: number; isConnectionLost: boolean; settleAt: number | undefined } | undefined;

  function close(kind: "trueAlarms" | "falseAlarms"): void {
    counts[kind]++;
    open = undefined;
  }

  return {
    raise(silentSince) {
      if (open) {
        open.settleAt = undefined;
        return;
      }
      counts.alarms++;
      open = { silentSince, isConnectionLost: false, settleAt: undefined };
    },
    heard({ sentAt, wall, now, settleMs }) {
      if (!open) return;
      const wasMissing = sentAt !== undefined && sentAt > open.silentSince && sentAt < wall - inTimeMs;
      if (wasMissing) return close("trueAlarms");
      open.settleAt ??= now + settleMs;
    },
    lost() {
      if (open) open.isConnectionLost = true;
    },
    settle(now) {
      if (open?.settleAt === undefined || now < open.settleAt) return;
      close(open.isConnectionLost ? "trueAlarms" : "falseAlarms");
    },
    counts: () => ({ ...counts }),
  };
}
