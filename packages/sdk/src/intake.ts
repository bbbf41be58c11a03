/**
 * For networks that push and do not wait for an answer: passes messages to the host one after the other, in order, and
 * retries those that could not be stored. A network that waits for an acknowledgement does not need it: there
 * `receive` itself is the answer.
 */
import type { ChannelHost } from "./channel.ts";
import { PincerError } from "./errors.ts";
import type { ReceivedMessage } from "./inbound-message.ts";

export interface Intake {
  /** Never throws; does nothing once the signal has aborted. */
  push(message: ReceivedMessage): void;
}

/** How many may wait before the network has to. */
const mostWaiting = 200;
const retry = { firstMs: 500, mostMs: 30_000 };

export function createIntake(
  host: Pick<ChannelHost, "receive" | "putOff" | "clock" | "log">,
  {
    signal,
    onFlow,
  }: {
    /** Aborts with the connection: what waits then is dropped, and the network must bring it again if it can. */
    signal: AbortSignal;
    /** Called with false when too many wait, and with true when they are few again. Must not throw. */
    onFlow?(isFlowing: boolean): void;
  },
): Intake {
  const waiting: ReceivedMessage[] = [];
  let isWorking = false;
  let isFlowing = true;

  function turnTap(isOpen: boolean): void {
    if (isOpen === isFlowing) return;
    isFlowing = isOpen;
    onFlow?.(isOpen);
  }

  async function work(): Promise<void> {
    isWorking = true;
    for (let next = waiting[0]; next && !signal.aborted; next = waiting[0]) {
      await storeAtLast(next);
      waiting.shift();
      if (waiting.length < mostWaiting / 2) turnTap(true);
    }
    isWorking = false;
  }

  async function storeAtLast(message: ReceivedMessage): Promise<void> {
    for (let delay = retry.firstMs; !signal.aborted; delay = Math.min(delay * 2, retry.mostMs)) {
      try {
        await host.receive(message);
        return;
      } catch (error) {
        const isNeverTaken = error instanceof PincerError && error.code === "usage/bad-argument";
        host.log.warn(`message ${message.message.id} was not stored: ${String(error)}`);
        if (isNeverTaken) return;
        for (const later of waiting.slice(1)) host.putOff?.(later, error);
      }
      // Aborted with the connection.
      await host.clock.sleep(delay, signal).catch(() => undefined);
    }
  }

  return {
    push(message) {
      if (signal.aborted) return;
      waiting.push(message);
      if (waiting.length >= mostWaiting) turnTap(false);
      if (!isWorking) void work();
    },
  };
}
