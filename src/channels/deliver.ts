/**
 * Delivers the outbox to the channels: one lane per conversation, in order, each message once. Every decision comes
 * from stored rows; memory holds only waiting times. A deliverer that starts on the same store continues where
 * another was killed.
 */
import { createRecent } from "@pincer/sdk";
import { createAccountPace } from "./account-pace.ts";
import { startLane, type DeliveryLane } from "./delivery-lane.ts";
import type { DeliveryParts, DeliveryShared, OwedRow } from "./delivery-step.ts";
import { within } from "../infra/within.ts";

export interface Deliverer {
  /** Resumes what an earlier process left. Throws what the store does. */
  start(): Promise<void>;
  /** There is something to do in these conversations. Never throws; does nothing once stopped. */
  wake(rows: readonly OwedRow[]): void;
  /** An account connected or disconnected: lanes that wait for it check again. */
  connectionChanged(channel: string, accountId: string): void;
  /**
   * Sends first what can be sent now, within that time; then starts no new send. One that still runs is settled by the
   * next start.
   */
  stop(withinMs: number): Promise<void>;
  /** Resolves when nothing is left to do, waiting included. */
  idle(): Promise<void>;
}

/** Messages that may grow at the same time. */
const mostShown = 1000;

type Optional = "sendTimeoutMs" | "onProgress" | "onHeld";

export function createDeliverer(
  parts: Omit<DeliveryParts, Optional> & Partial<Pick<DeliveryParts, Optional>>,
): Deliverer {
  const stopping = new AbortController();
  const stopped = new AbortController();
  const shared: DeliveryShared = {
    sendTimeoutMs: 30_000,
    onProgress: () => undefined,
    onHeld: () => undefined,
    ...parts,
    pace: createAccountPace(parts.clock),
    shown: createRecent(mostShown),
    stopping: stopping.signal,
    stopped: stopped.signal,
  };
  const lanes = new Map<string, DeliveryLane>();

  function wakeConversation(conversation: string, owed?: OwedRow): void {
    const lane = lanes.get(conversation);
    if (lane) return lane.wake(owed);
    if (stopping.signal.aborted) return;
    const onEnd = () => lanes.delete(conversation);
    lanes.set(conversation, startLane(shared, { conversation, owed, onEnd }));
  }

  async function idle(): Promise<void> {
    while (lanes.size > 0) await Promise.all(Array.from(lanes.values(), ({ done }) => done));
  }

  return {
    async start() {
      await parts.outbox.recover();
      for (const conversation of await parts.outbox.unfinished()) wakeConversation(conversation);
    },
    wake(rows) {
      for (const row of rows) wakeConversation(row.conversation, row);
    },
    connectionChanged(channel, accountId) {
      for (const lane of lanes.values()) lane.connectionChanged(channel, accountId);
    },
    async stop(withinMs) {
      const resting = Promise.all(Array.from(lanes.values(), (lane) => lane.untilRest()));
      await within(parts.clock, withinMs / 2, resting);
      stopping.abort();
      for (const lane of lanes.values()) lane.wake();
      await within(parts.clock, withinMs / 2, idle());
      stopped.abort();
      await idle();
    },
    idle,
  };
}
