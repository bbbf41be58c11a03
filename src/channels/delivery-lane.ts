/** Sends the messages of one conversation, strictly one after another. */
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import { createWakeSignal, type WakeSignal } from "./wake-signal.ts";
import { again, expire, reasonOf, type DeliveryShared, type LaneMemory, type Next } from "./delivery-step.ts";
import { editRow } from "./edit-row.ts";
import { retryDelay } from "./retry-delay.ts";
import { askAgain, sendRow } from "./send-row.ts";
import { settleUnknown } from "./settle-unknown.ts";

export interface DeliveryLane {
  /** Something may have changed: check again. */
  wake(): void;
  /** As `wake`, after the connection of this account changed. */
  connectionChanged(channel: string, accountId: string): void;
  /** Resolves when the lane has ended. Never throws. */
  done: Promise<void>;
}

/** Calls `onEnd` synchronously when it finds nothing more to do, so that no wake-up is lost in between. */
export function startLane(shared: DeliveryShared, conversation: string, onEnd: () => void): DeliveryLane {
  const wake = createWakeSignal(shared.clock);
  const memory: LaneMemory = { startedAt: shared.clock.now(), trouble: undefined };
  let account: string | undefined;
  const noteAccount = ({ destination }: OutboxRow) => {
    account = accountKey(destination.channel, destination.accountId);
  };
  return {
    wake: () => wake.ring(),
    connectionChanged(channel, accountId) {
      if (account !== undefined && account !== accountKey(channel, accountId)) return;
      if (memory.trouble) memory.trouble.until = 0;
      wake.ring();
    },
    done: run(shared, { conversation, wake, memory, noteAccount, onEnd }),
  };
}

const accountKey = (channel: string, accountId: string): string => `${channel} ${accountId}`;

async function run(
  shared: DeliveryShared,
  lane: {
    conversation: string;
    wake: WakeSignal;
    memory: LaneMemory;
    noteAccount(row: OutboxRow): void;
    onEnd(): void;
  },
): Promise<void> {
  const { clock, random, log, stopping } = shared;
  const { wake, memory } = lane;
  let faults = 0;
  while (!stopping.aborted) {
    wake.hush();
    try {
      const row = await shared.outbox.head(lane.conversation);
      if (!row && !wake.isRung()) break;
      if (!row) continue;
      lane.noteAccount(row);
      const next = await step(shared, memory, row);
      faults = 0;
      if (next.type === "wait") await wake.wait(next.until);
    } catch (error) {
      if (stopping.aborted) break;
      // A store failure or a bug: the message stays, and only this lane waits.
      faults += 1;
      log.error(`a delivery stumbled and will go on: ${reasonOf(error)}`);
      await wake.wait(clock.now() + retryDelay({ ...askAgain, tries: faults, random }));
    }
  }
  lane.onEnd();
}

async function step(shared: DeliveryShared, memory: LaneMemory, row: OutboxRow): Promise<Next> {
  const { clock, outbox } = shared;
  const now = clock.now();
  if (row.state === "sending") {
    await outbox.markUncertain(row.id, { code: "closed", message: "interrupted in the middle of sending" });
    return again;
  }
  const lastChance = lastChanceOf(row, memory);
  if (now > lastChance) return expire(shared, row);

  const pausedUntil = memory.trouble?.id === row.id ? memory.trouble.until : 0;
  const nextAt = Math.max(pausedUntil, row.nextAt === null ? 0 : Date.parse(row.nextAt));
  if (nextAt > now) return { type: "wait", until: Math.min(nextAt, lastChance + 1) };
  const connection = shared.connection(row.destination);
  if (!connection) return { type: "wait", until: lastChance + 1 };

  if (row.state === "sent") return editRow(shared, memory, { row, connection });
  if (row.state === "uncertain") return settleUnknown(shared, memory, { row, connection });
  return sendRow(shared, memory, { row, connection, repeated: row.repeated });
}

/** Channels need time to connect after a start; wait this long before giving up on an unknown outcome unasked. */
const askGraceMs = 300_000;

function lastChanceOf(row: OutboxRow, { startedAt }: LaneMemory): number {
  // A preview never expires, and a message that people already see may still be completed.
  if (row.isOpen || row.state === "sent") return Number.POSITIVE_INFINITY;
  const notAfter = Date.parse(row.notAfter);
  return row.state === "uncertain" ? Math.max(notAfter, startedAt + askGraceMs) : notAfter;
}
