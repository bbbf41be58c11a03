/**
 * Limits the open connections of one address without a sign-in: more would take the capacity of everybody else. A few
 * connections above the limit are told so, and that they may still authenticate; the rest are cut.
 */
import { addressKey } from "./address-key.ts";

export type Seat = "free" | "seated" | "refused" | "cut";

export interface StrangerSeats {
  /**
   * For a connection that was opened, or of which it is known by now who is behind it. free: it is not counted. cut: end it without a word. One
   * that has a seat keeps it.
   */
  take(connection: object, address: string): Seat;
  isRefused(connection: object): boolean;
  /** Somebody has signed in on it, or it is over. Safe to call twice, and for one that was never counted. */
  leave(connection: object): void;
}

/** Of one address, at once. */
const mostRefused = 8;

export function createStrangerSeats({
  most,
  isExempt,
  refused,
}: {
  /** As it is now. */
  most(): number;
  /** This machine, and proxies behind which anybody may be. */
  isExempt(address: string): boolean;
  /** Told of each that was one too many. */
  refused?(): void;
}): StrangerSeats {
  const seats = new Map<object, { key: string; seat: "seated" | "refused" }>();
  const counts = new Map<string, { seated: number; refused: number }>();

  function put(connection: object, key: string, seat: "seated" | "refused"): Seat {
    const count = counts.get(key) ?? { seated: 0, refused: 0 };
    counts.set(key, { ...count, [seat]: count[seat] + 1 });
    seats.set(connection, { key, seat });
    return seat;
  }

  return {
    take(connection, address) {
      const known = seats.get(connection);
      if (known) return known.seat;
      if (isExempt(address)) return "free";
      const key = addressKey(address);
      const count = counts.get(key) ?? { seated: 0, refused: 0 };
      if (count.seated < most()) return put(connection, key, "seated");
      refused?.();
      return count.refused < mostRefused ? put(connection, key, "refused") : "cut";
    },
    isRefused: (connection) => seats.get(connection)?.seat === "refused",
    leave(connection) {
      const known = seats.get(connection);
      if (!known) return;
      seats.delete(connection);
      const { key, seat } = known;
      const count = counts.get(key) ?? { seated: 0, refused: 0 };
      const left = { ...count, [seat]: count[seat] - 1 };
      if (left.seated + left.refused > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
