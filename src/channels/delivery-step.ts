/** Shared by the steps of a delivery. */
import type {
  ChannelConnection,
  ChannelLog,
  ChannelTraits,
  Destination,
  OutboundMessage,
  createRecent,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import type { OutboxRow, OutboxStore } from "../storage/outbox/outbox.ts";
import type { AccountPace } from "./account-pace.ts";
import { insteadOf, type GiveUpReason } from "./give-up.ts";
import { splitText } from "./split-text.ts";

export interface DeliveryParts {
  outbox: OutboxStore;
  /** The current connection; undefined if there is none. */
  connection(destination: Destination): ChannelConnection | undefined;
  traits(channel: string): ChannelTraits;
  /** What to do if the outcome is unknown and the network cannot be asked: send a marked repeat, or nothing. */
  uncertainPolicy(destination: Destination): "repeat" | "none";
  clock: Clock;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  say: Say;
  log: ChannelLog;
  /** Removes secrets from connectors' errors before they are stored or shown. */
  redactor: Pick<Redactor, "text">;
  sendTimeoutMs: number;
  /** How long a substitute line is worth sending. */
  notAfterMs: number;
  onProgress(progress: DeliveryProgress): void;
  /** Somebody waits for a message that cannot be sent because of our store. Called now and then while that lasts. Must not throw. */
  onHeld(destination: Destination, error: unknown): void;
}

/** A message that is to be sent, as far as it takes to say that it cannot be. */
export type OwedRow = Pick<OutboxRow, "id" | "kind" | "conversation" | "destination">;

export interface DeliveryProgress {
  type: "sent" | "edited" | "delayed" | "uncertain" | "failed";
  id: string;
  turnId: string | null;
  conversation: string;
  channel: string;
  accountId: string;
}

/** Shared by the lanes of one deliverer. */
export interface DeliveryShared extends DeliveryParts {
  pace: AccountPace;
  /** When people last saw a message change, by its id; monotonic. */
  shown: ReturnType<typeof createRecent<number>>;
  /** Aborts when no new send may begin. */
  stopping: AbortSignal;
  /** Aborts when nobody waits any more. */
  stopped: AbortSignal;
}

/**
 * A lane remembers only waiting times between steps, so a new lane merely starts to wait again. All times are monotonic: a
 * wall clock that is set neither delays nor expires anything.
 */
export interface LaneMemory {
  startedAt: number;
  /** The failing row, the number of tries, and when to try again. */
  trouble: { id: string; tries: number; until: number } | undefined;
  /** The stored times of the row at hand, read when they were first seen. */
  times: (RowTimes & Pick<OutboxRow, "id" | "nextAt" | "notAfter">) | undefined;
}

export interface RowTimes {
  /** Not to be sent before. */
  notBefore: number;
  /** Not to be shown for the first time after. */
  lastChance: number;
}

/** No network asks for more patience, and a stored time may come from a clock that was set. */
const longestPauseMs = 15 * 60_000;

/** The stored wall-clock times of a row as monotonic ones. */
export function timesOf(memory: LaneMemory, row: OutboxRow, clock: Clock): RowTimes {
  const { id, nextAt, pausedAt, notAfter } = row;
  const known = memory.times;
  const isSameRow = known?.id === id && known.notAfter === notAfter;
  if (isSameRow && known.nextAt === nextAt) return known;
  const [wall, now] = [clock.now(), clock.monotonic()];
  // A clock that went back since then makes no pause longer than it was meant to be.
  const askedMs =
    nextAt === null || pausedAt === null ? longestPauseMs : Date.parse(nextAt) - Date.parse(pausedAt);
  const pauseMs = nextAt === null ? 0 : Math.min(Date.parse(nextAt) - wall, askedMs, longestPauseMs);
  // A retry does not change how long the row is worth sending.
  const lastChance = isSameRow ? known.lastChance : now + Date.parse(notAfter) - wall;
  memory.times = { id, nextAt, notAfter, notBefore: now + pauseMs, lastChance };
  return memory.times;
}

export type Next = { type: "again" } | { type: "wait"; until: number | undefined };

export const again: Next = { type: "again" };

/** Identifies one visible message: a row that is sent again because it cannot be edited is a second one. */
export const idempotencyKeyOf = (row: OutboxRow): string =>
  row.shownVersion === 0 ? row.id : `${row.id}.${row.version}`;

/** The text that people see: marked if it is a repeat, and cut to one message if it is a preview. */
export function visibleText(row: OutboxRow, { say, traits }: Pick<DeliveryParts, "say" | "traits">): string {
  const text = row.repeated ? say("delivery.repeat-mark") + row.text : row.text;
  const { textLimit } = traits(row.destination.channel);
  if (text.length <= textLimit || !(row.isOpen || row.repeated)) return text;
  // Only its beginning is shown: the rest need not be looked at with each edit.
  return splitText(text.slice(0, 4 * textLimit), textLimit)[0] ?? text;
}

export function outboundOf(row: OutboxRow, text: string): OutboundMessage {
  return {
    ...row.destination,
    response: { text, attachments: row.attachments, ...(row.actions && { actions: row.actions }) },
    ...(row.replyTo === null ? {} : { replyTo: row.replyTo }),
  };
}

/** Whether it is too late to show the row for the first time. A preview never expires: its turn is still running. */
export const isLate = (row: OutboxRow, memory: LaneMemory, clock: Clock): boolean =>
  !row.isOpen && clock.monotonic() > timesOf(memory, row, clock).lastChance;

/**
 * Retries a write until it succeeds, because what happened outside must not be forgotten. Throws only once the
 * deliverer stops.
 */
export async function persist<Answer>(
  { clock, log, stopping }: Pick<DeliveryShared, "clock" | "log" | "stopping">,
  write: () => Promise<Answer>,
): Promise<Answer> {
  for (let delay = 250; ; delay = Math.min(delay * 2, 10_000)) {
    try {
      return await write();
    } catch (error) {
      log.error(`what became of a message could not be stored: ${reasonOf(error)}`);
      await clock.sleep(delay, stopping);
    }
  }
}

/** Gives up on a row and stores what replaces it. */
export async function giveUp(
  shared: DeliveryShared,
  row: OutboxRow,
  {
    reason,
    error,
    isLineWanted = true,
  }: {
    reason: GiveUpReason;
    error: { code: string; message: string };
    isLineWanted?: boolean;
  },
): Promise<Next> {
  const instead = insteadOf(row, { ...shared, reason, error, isLineWanted });
  await persist(shared, () => shared.outbox.fail(row.id, { ...error, code: reason }, instead));
  shared.log.warn(`message ${row.id} was given up (${reason}): ${error.message}`);
  report(shared, "failed", row);
  return again;
}

/** Gives up on a row that is too late. */
export function expire(shared: DeliveryShared, row: OutboxRow): Promise<Next> {
  const isUncertain = row.state === "uncertain";
  return giveUp(shared, row, {
    reason: isUncertain ? "uncertain" : "expired",
    error: row.error ?? { code: "unavailable", message: "there was no connection" },
    isLineWanted: !isUncertain || shared.uncertainPolicy(row.destination) === "repeat",
  });
}

export function report(
  { onProgress, log }: DeliveryShared,
  type: DeliveryProgress["type"],
  row: OutboxRow,
): void {
  try {
    const { id, turnId, conversation, destination } = row;
    const { channel, accountId } = destination;
    onProgress({ type, id, turnId, conversation, channel, accountId });
  } catch (error) {
    log.error(`progress was not passed on: ${reasonOf(error)}`);
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
