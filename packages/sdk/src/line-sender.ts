/**
 * For networks where an answer becomes several lines, each a separate message: their pace, and what is known if
 * sending breaks off.
 */
import type { ChannelConnection } from "./channel.ts";
import type { Target } from "./outbound-message.ts";
import type { Pace } from "./pace.ts";
import { SendError } from "./send-error.ts";

export interface LineNetwork {
  /** Where the words go. Throws SendError. */
  addressOf(target: Target, signal: AbortSignal): Promise<string>;
  /** What one answer becomes there; empty where the network can show nothing of it. */
  linesOf(text: string, address: string): string[];
  write(address: string, line: string): void;
  /** Runs `act`, and resolves when the network has dealt with what it wrote. Throws SendError where it refused that, and when the signal aborts. */
  confirm(address: string, act: () => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** A message whose first line would wait longer is not begun: the host waits instead. */
const longestWaitMs = 5000;

/** `ended` aborts with the connection. */
export function createLineSender(
  network: LineNetwork,
  { pace, ended }: { pace: Pace; ended: AbortSignal },
): ChannelConnection["send"] {
  return async function send({ target, response }, attempt) {
    attempt.signal.throwIfAborted();
    pace.assertWithin(longestWaitMs);
    const signal = AbortSignal.any([attempt.signal, ended]);
    const files = response.attachments.map(({ name, kind }) => `[${name ?? kind}]`);
    let written = 0;
    try {
      const address = await network.addressOf(target, signal);
      const lines = network.linesOf([response.text, ...files].join("\n\n"), address);
      if (lines.length === 0) throw new SendError("rejected", "the message has nothing that can be shown");
      const writeAll = async () => {
        for (const line of lines) {
          await pace.take(signal);
          network.write(address, line);
          written++;
        }
      };
      await network.confirm(address, writeAll, signal);
      return {};
    } catch (error) {
      if (error instanceof SendError && !signal.aborted) throw error;
      throw new SendError(written > 0 ? "closed" : "unavailable", "the connection ended", { cause: error });
    }
  };
}
