/**
 * How fast incoming messages are processed: a limit per minute for one person, for one account and for all. They are
 * stored before, so nothing is lost: messages above the limit wait behind the earlier ones of the same person, and
 * nobody else waits for them. A stop never waits.
 */
import type { RateLimits } from "./limits/rate-limits.ts";
import type { Clock } from "../infra/clock.ts";
import { isStop } from "../routing/stop-words.ts";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";

export interface PacingParts {
  limits: RateLimits;
  tenantId: string;
  inbox: Pick<InboxStore, "get">;
  clock: Clock;
  take(row: InboxRow): void | Promise<void>;
  /** Told of each message that has to wait; must not throw. */
  onWait?(row: InboxRow): void;
  /** Aborts when the gateway stops: what waits then is taken up by the next one. */
  signal: AbortSignal;
  onError(error: unknown): void;
}

export function paceIncoming(parts: PacingParts): (row: InboxRow) => void | Promise<void> {
  const { limits, tenantId, inbox, clock, signal } = parts;
  /** Who waits for what, by person: the ids alone, however many there are. */
  const waiting = new Map<string, string[]>();

  /** Milliseconds until the message may be taken up; the narrowest bound is asked first, so that a sender of too much takes nothing from others. */
  function pauseFor({ person, account }: Names): number {
    const user = limits.take("user", person);
    if (!user.ok) return user.retryAfterSeconds * 1000;
    const channel = limits.take("channel", account);
    if (!channel.ok) return channel.retryAfterSeconds * 1000;
    const tenant = limits.take("tenant", tenantId);
    return tenant.ok ? 0 : tenant.retryAfterSeconds * 1000;
  }

  async function workOff(names: Names, ids: string[], firstPauseMs: number): Promise<void> {
    let pause = firstPauseMs;
    for (let id = ids.shift(); id !== undefined; id = ids.shift(), pause = 1) {
      for (let ms = pause; ms > 0; ms = pauseFor(names)) await clock.sleep(ms, signal);
      const row = await inbox.get(id);
      // A slower reader may have read it from the inbox meanwhile.
      if (row?.state === "new") await parts.take(row);
    }
  }

  return function receive(row) {
    if (isStopMessage(row)) return parts.take(row);
    const names = namesOf(row);
    const before = waiting.get(names.person);
    if (before) {
      parts.onWait?.(row);
      return void before.push(row.id);
    }
    const pause = pauseFor(names);
    if (pause === 0) return parts.take(row);
    parts.onWait?.(row);
    const ids = [row.id];
    waiting.set(names.person, ids);
    workOff(names, ids, pause)
      .catch((error: unknown) => {
        if (!signal.aborted) parts.onError(error);
      })
      .finally(() => waiting.delete(names.person));
    return undefined;
  };
}

interface Names {
  person: string;
  account: string;
}

function namesOf({ message }: InboxRow): Names {
  const account = `${message.channel}:${message.accountId}`;
  return { account, person: `${account}:${message.sender.id}` };
}

const isStopMessage = ({ message: { message } }: InboxRow): boolean =>
  message.type === "text" &&
  message.text.length < longestStop &&
  isStop(message.text.replace(/^[/!,]\s*/, ""));

const longestStop = 200;
