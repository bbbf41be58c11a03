/** Puts a sign on a message while it is worked on, where the account wants that and the network can, and takes it away afterwards. */
import type { ChannelConnection, ChannelLog, Destination } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { reasonOf } from "./delivery-step.ts";
import { withinTime } from "./within-time.ts";

export interface WorkingSign {
  /** Stays until what it answers is called, which is safe to do twice. Never throws, never waits. */
  put(destination: Destination, turnId: string): () => void;
}

/** A sign that takes longer is worth nothing any more. */
const mostMs = 4000;

export function createWorkingSign(parts: {
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Undefined where the account wants none. */
  signOf(destination: Destination): string | undefined;
  /** The message that the turn answers there. May throw, and counts as none then. */
  messageOf(turnId: string, destination: Destination): Promise<string | undefined>;
  clock: Clock;
  log: Pick<ChannelLog, "debug">;
}): WorkingSign {
  const { clock, log } = parts;

  /** Never throws: a sign that nobody sees is no trouble. */
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
        // After it was put, however long that took.
        void placed?.then(async (messageId) => {
          if (messageId !== undefined) await react(destination, messageId, "");
        });
        placed = undefined;
      };
    },
  };
}
