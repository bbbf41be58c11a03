/** Sends the messages of one conversation, strictly one after another. */
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import { createWakeSignal, type WakeSignal } from "./wake-signal.ts";
import {
  again,
  expire,
  reasonOf,
  timesOf,
  type DeliveryShared,
  type LaneMemory,
  type OwedRow,
  type Next,
  type RowTimes,
} from "./delivery-step.ts";
import { editRow } from "./edit-row.ts";
import { retryDelay } from "./retry-delay.ts";
import { askAgain, sendRow } from "./send-row.ts";
import { settleUnknown } from "./settle-unknown.ts";

export interface DeliveryLane {
  /** Something may have changed: check again. `owed` is a message that is new. */
  wake(owed?: OwedRow): void;
  /** As `wake`, after the connection of this account changed. */
  connectionChanged(channel: string, accountId: string): void;
  /** Resolves when it has nothing to do now: it has ended, or waits. */
  untilRest(): Promise<void>;
  /** Resolves when the lane has ended. Never throws. */
  done: Promise<void>;
}

/** Calls `onEnd` synchronously when it finds nothing more to do, so that no wake-up is lost in between. */
export function startLane(
  shared: DeliveryShared,
  { conversation, owed, onEnd }: { conversation: string; owed: OwedRow | undefined; onEnd: () => void },
): DeliveryLane {
  const wake = createWakeSignal(shared.clock);
  const memory: LaneMemory = {
    startedAt: shared.clock.monotonic(),
    trouble: undefined,
    times: undefined,
  };
  const resting = createRestSignal();
  const debts = createDebts(shared);
  if (owed) debts.add(owed);
  let account: string | undefined;
  const noteAccount = ({ destination }: OutboxRow) => {
    account = accountKey(destination.channel, destination.accountId);
  };
  return {
    wake(row) {
      if (row) debts.add(row);
      // There is something new to say here: what is in its way does not wait for long.
      const soon = shared.clock.monotonic() + askAgain.mostMs;
      if (memory.trouble) memory.trouble.until = Math.min(memory.trouble.until, soon);
      wake.ring();
    },
    connectionChanged(channel, accountId) {
      if (account !== undefined && account !== accountKey(channel, accountId)) return;
      if (memory.trouble) memory.trouble.until = 0;
      wake.ring();
    },
    untilRest: resting.until,
    done: run(shared, { conversation, wake, memory, debts, noteAccount, onEnd, resting }).finally(
      resting.begin,
    ),
  };
}

const accountKey = (channel: string, accountId: string): string => `${channel} ${accountId}`;

async function run(
  shared: DeliveryShared,
  lane: {
    conversation: string;
    wake: WakeSignal;
    memory: LaneMemory;
    debts: Debts;
    noteAccount(row: OutboxRow): void;
    onEnd(): void;
    resting: RestSignal;
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
      if (next.type === "wait") await lane.resting.during(wake.wait(next.until));
    } catch (error) {
      if (stopping.aborted) break;
      // A store failure or a bug: the message stays, and only this lane waits.
      faults += 1;
      log.error(`a delivery stumbled and will go on: ${reasonOf(error)}`);
      if (faults >= patientFaults) lane.debts.tell(error);
      await wake.wait(clock.monotonic() + retryDelay({ ...askAgain, tries: faults, random }));
    }
  }
  lane.onEnd();
}

/** As often may a store fail before somebody hears of it: by then some seconds have passed. */
const patientFaults = 3;

interface Debts {
  add(row: OwedRow): void;
  /** To those who have not seen what is for them. */
  tell(error: unknown): void;
}

/** What is to be sent here, known without asking the store: it may be the store that fails. */
function createDebts({ shown, onHeld }: DeliveryShared): Debts {
  let owed: OwedRow[] = [];
  const stillOwed = () => (owed = owed.filter(({ id }) => shown.get(id) === undefined));
  return {
    add(row) {
      // Nobody waits for what nobody asked for.
      if (row.kind === "reply" || row.kind === "command") owed = [...stillOwed(), row].slice(-mostOwed);
    },
    tell(error) {
      const [first] = stillOwed();
      if (first) onHeld(first.destination, error);
    },
  };
}

const mostOwed = 20;

interface RestSignal {
  /** From now on it rests. */
  begin(): void;
  during(wait: Promise<void>): Promise<void>;
  until(): Promise<void>;
}

function createRestSignal(): RestSignal {
  let rest = Promise.withResolvers<void>();
  return {
    begin: () => rest.resolve(),
    async during(wait) {
      rest.resolve();
      await wait;
      rest = Promise.withResolvers();
    },
    until: () => rest.promise,
  };
}

async function step(shared: DeliveryShared, memory: LaneMemory, row: OutboxRow): Promise<Next> {
  const { clock, outbox } = shared;
  const now = clock.monotonic();
  if (row.state === "sending") {
    await outbox.markUncertain(row.id, { code: "closed", message: "interrupted in the middle of sending" });
    return again;
  }
  const times = timesOf(memory, row, clock);
  const lastChance = lastChanceOf(row, memory, times);
  if (now > lastChance) return expire(shared, row);

  const pausedUntil = memory.trouble?.id === row.id ? memory.trouble.until : 0;
  const nextAt = Math.max(pausedUntil, times.notBefore);
  if (nextAt > now) return { type: "wait", until: Math.min(nextAt, lastChance + 1) };
  const connection = shared.connection(row.destination);
  if (!connection) return { type: "wait", until: lastChance + 1 };

  if (row.state === "sent") return editRow(shared, memory, { row, connection });
  if (row.state === "uncertain") return settleUnknown(shared, memory, { row, connection });
  return sendRow(shared, memory, { row, connection, repeated: row.repeated });
}

/** Channels need time to connect after a start; wait this long before giving up on an unknown outcome unasked. */
const askGraceMs = 300_000;

function lastChanceOf(row: OutboxRow, { startedAt }: LaneMemory, { lastChance }: RowTimes): number {
  // A preview never expires, and a message that people already see may still be completed.
  if (row.isOpen || row.state === "sent") return Number.POSITIVE_INFINITY;
  return row.state === "uncertain" ? Math.max(lastChance, startedAt + askGraceMs) : lastChance;
}
