/** Shows a typing indicator while a turn runs, and always removes it afterwards. */
import {
  conversationOf,
  type ChannelConnection,
  type ChannelLog,
  type ChannelTraits,
  type Destination,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { noLonger } from "../infra/no-longer.ts";
import { reasonOf } from "./delivery-step.ts";
import { withinTime } from "./within-time.ts";

export interface Typing {
  /**
   * Shown until the returned function is called, which is safe twice. Calls for one conversation may overlap. Never
   * throws, never waits.
   */
  show(destination: Destination): () => void;
}

const usualTypingSeconds = 5;
/** A slower indicator is useless. */
const mostMs = 4000;

export function createTyping(parts: {
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  traitsOf(channel: string): Pick<ChannelTraits, "typingSeconds">;
  clock: Clock;
  log: Pick<ChannelLog, "debug">;
  /** Aborts when everything stops. */
  signal: AbortSignal;
}): Typing {
  const { clock, log, signal } = parts;
  const shown = new Map<string, { holders: number; ending: AbortController }>();

  /** Never throws: a failed indicator does not matter. */
  async function ask(destination: Destination, what: "showTyping" | "stopTyping"): Promise<void> {
    const { channel, accountId, target } = destination;
    const connection = parts.connection(channel, accountId);
    if (!connection?.[what]) return;
    const stop = new AbortController().signal;
    await withinTime({ clock, ms: mostMs, stop }, async () => connection[what]?.(target)).catch(
      (error: unknown) => log.debug(`${what} failed: ${reasonOf(error)}`, { channel, accountId }),
    );
  }

  async function keepShowing(destination: Destination, ending: AbortSignal): Promise<void> {
    const over = AbortSignal.any([ending, signal]);
    const seconds = parts.traitsOf(destination.channel).typingSeconds ?? usualTypingSeconds;
    while (!over.aborted) {
      await ask(destination, "showTyping");
      // Aborted when the turn ends, or everything does.
      if (!over.aborted) await clock.sleep(seconds * 800, over).catch(() => undefined);
    }
    await ask(destination, "stopTyping");
  }

  return {
    show(destination) {
      const key = conversationOf(destination);
      const entry = shown.get(key) ?? { holders: 0, ending: new AbortController() };
      entry.holders += 1;
      shown.set(key, entry);
      if (entry.holders === 1) void keepShowing(destination, entry.ending.signal);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        entry.holders -= 1;
        if (entry.holders > 0) return;
        shown.delete(key);
        entry.ending.abort(noLonger);
      };
    },
  };
}
