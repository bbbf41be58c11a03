/**
 * One line for somebody whose message cannot be taken or answered because of us. It is the only thing that is said without an outbox row: it
 * has to get out when nothing can be stored. At most one line per person in ten minutes, from a fixed list of texts.
 */
import {
  asPincerError,
  createRecent,
  type ChannelConnection,
  type ChannelLog,
  type Destination,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Say, TextKey } from "../infra/texts.ts";
import { reasonOf } from "./delivery-step.ts";
import { withinTime } from "./within-time.ts";

export interface WaitingPerson {
  destination: Destination;
  /** As `channel:id`. */
  person: string;
  /** Whether the person may know that somebody is here; strangers may not. Left out where that is known. May throw: then not. */
  mayHear?(): Promise<boolean>;
}

/**
 * not-stored: the message is not on the disk, and only its network has it. held: it is on the disk and cannot be worked on now. queued: others
 * come first. too-fast: the person writes faster than the limits allow.
 */
export type WaitCause =
  | { type: "not-stored" | "held"; error: unknown }
  | { type: "queued" }
  | { type: "too-fast" };

export interface WaitingLines {
  /** Never throws, never waits. Safe to repeat: the first line counts. */
  tell(whom: WaitingPerson, cause: WaitCause): void;
}

const pauseMs = 10 * 60_000;
const sendTimeoutMs = 10_000;
const mostPeople = 1000;

export function createWaitingLines(parts: {
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  clock: Clock;
  say: Say;
  log: Pick<ChannelLog, "info" | "warn">;
  /** Makes a key that no other message has. */
  makeKey(): string;
}): WaitingLines {
  const { clock, say, log } = parts;
  /** When each person was told last. */
  const told = createRecent<number>(mostPeople);

  async function send({ destination, mayHear }: WaitingPerson, text: string): Promise<boolean> {
    if (mayHear && !(await mayHear())) return false;
    const { channel, accountId } = destination;
    const connection = parts.connection(channel, accountId);
    if (!connection) return false;
    const message = { ...destination, response: { text, attachments: [] } };
    const stop = new AbortController().signal;
    await withinTime({ clock, ms: sendTimeoutMs, stop }, (signal) =>
      connection.send(message, { idempotencyKey: parts.makeKey(), attempt: 1, signal }),
    );
    log.info(`somebody who waits was told: ${text}`, { channel, accountId });
    return true;
  }

  return {
    tell(whom, cause) {
      const now = clock.monotonic();
      const before = told.get(whom.person);
      if (before !== undefined && now - before < pauseMs) return;
      // Set at once, so that many messages of one person make one line.
      told.set(whom.person, now);
      send(whom, say(lineOf(cause))).then(
        (isTold) => void (isTold || told.delete(whom.person)),
        (error: unknown) => {
          told.delete(whom.person);
          log.warn(`somebody who waits could not be told: ${reasonOf(error)}`);
        },
      );
    },
  };
}

function lineOf(cause: WaitCause): TextKey {
  if (cause.type === "queued" || cause.type === "too-fast") return `waiting.${cause.type}`;
  const { code, text } = asPincerError(cause.error);
  if (code === "storage/corrupt") return "waiting.damaged";
  if (cause.type === "not-stored") return "waiting.not-stored";
  return text?.key === "failure.workdir-not-made" ? "waiting.workdir" : "waiting.held";
}
