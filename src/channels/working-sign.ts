/**
 * Puts a reaction on a message while it is processed, if the account wants it and the network can, and removes it
 * afterwards.
 */
import type { ChannelConnection, ChannelLog, Destination } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { reasonOf } from "./delivery-step.ts";
import { withinTime } from "./within-time.ts";

export interface WorkingSign {
  /** Stays until the returned function is called, which is safe twice. Never throws, never waits. */
  put(destination: Destination, turnId: string): () => void;
}

/** A slower reaction is useless. */
const mostMs = 4000;

export function createWorkingSign(parts: {
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Undefined if the account wants none. */
  signOf(destination: Destination): string | undefined;
  /** The message that the turn answers there. If it throws, there is none. */
  messageOf(turnId: string, destination: Destination): Promise<string | undefined>;
  clock: Clock;
  log: Pick<ChannelLog, "debug">;
}): WorkingSign {
  const { clock, log } = parts;

  /** Never throws: a failed reaction does not matter. */
  async function react(
    { channel, accountId, target }: Destination,
    messageId: string,
    sign: string,
  ): Promise<void> {
    const stop = new AbortController().signal;
    const ask = async () => parts.connection(channel, accountId)?.react?.(target, messageId, sign);
    await withinTime({ clock, ms: mostMs, stop }, ask).catch((error: unknown) =>
      log.debug(`a reaction failed: ${reasonOf(error)}`, { channel, accountId }),
    );
  }

  async function place(destination: Destination, turnId: string, sign: string) {
    const messageId = await parts.messageOf(turnId, destination).catch(() => undefined);
    if (messageId !== undefined) await react(destination, messageId, sign);
    return messageId;
  }

  return {
    put(destination, turnId) {
      const sign = parts.signOf(destination);
      if (sign === undefined || sign === "") return () => undefined;
      let placed: Promise<string | undefined> | undefined = place(destination, turnId, sign);
      return () => {
        // Waits until the reaction was placed.
        void placed?.then(async (messageId) => {
          if (messageId !== undefined) await react(destination, messageId, "");
        });
        placed = undefined;
      };
    },
  };
}
