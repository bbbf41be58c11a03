/**
 * Carries the outbox to the channels: one lane per conversation, in order, each message once. Everything is decided from the stored rows;
 * what is held in memory are waiting times, so a deliverer that starts on the same store goes on where another was killed.
 */
import { createAccountPace } from "./account-pace.ts";
import { startLane, type DeliveryLane } from "./delivery-lane.ts";
import type { DeliveryParts, DeliveryShared } from "./delivery-step.ts";
import { within } from "../infra/within.ts";

export interface Deliverer {
  /** Takes up what a process before this one left. Throws what the store throws. */
  start(): Promise<void>;
  /** There is something to do in these conversations. Never throws; does nothing once stopped. */
  wake(rows: ReadonlyArray<{ conversation: string }>): void;
  /** An account was connected or lost: whoever waited for it looks again. */
  connectionChanged(channel: string, accountId: string): void;
  /** No new send begins; one that is on its way may finish within that time, and is settled at the next start if it does not. */
  stop(withinMs: number): Promise<void>;
  /** Resolves when there is nothing left to do, waiting included. */
  idle(): Promise<void>;
}

type Optional = "sendTimeoutMs" | "onProgress";

export function createDeliverer(
  parts: Omit<DeliveryParts, Optional> & Partial<Pick<DeliveryParts, Optional>>,
): Deliverer {
  const stopping = new AbortController();
  const stopped = new AbortController();
  const shared: DeliveryShared = {
    sendTimeoutMs: 30_000,
    onProgress: () => undefined,
    ...parts,
    pace: createAccountPace(parts.clock),
    stopping: stopping.signal,
    stopped: stopped.signal,
  };
  const lanes = new Map<string, DeliveryLane>();

  function wakeConversation(conversation: string): void {
    const lane = lanes.get(conversation);
    if (lane) return lane.wake();
    if (stopping.signal.aborted) return;
    lanes.set(
      conversation,
      startLane(shared, conversation, () => lanes.delete(conversation)),
    );
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
      for (const { conversation } of rows) wakeConversation(conversation);
    },
    connectionChanged(channel, accountId) {
      for (const lane of lanes.values()) lane.connectionChanged(channel, accountId);
    },
    async stop(withinMs) {
      stopping.abort();
      for (const lane of lanes.values()) lane.wake();
      await within(parts.clock, withinMs, idle());
      stopped.abort();
      await idle();
    },
    idle,
  };
}
