/** For connections that may silently die: pings at intervals, and notices when an answer is missing. */
import type { ChannelHost } from "./channel.ts";

/** Ends with the signal, or with silence. Never throws. */
export async function keepAsking(
  clock: ChannelHost["clock"],
  {
    everyMs,
    ask,
    onAnswer,
    onSilence,
    signal,
  }: {
    everyMs: number;
    /** Resolves when the network has answered; what it rejects with is silence. */
    ask(): Promise<unknown>;
    /** Called each time before the next question, with how many were answered. Must not throw. */
    onAnswer?(count: number): void;
    /** Must not throw. */
    onSilence(): void;
    signal: AbortSignal;
  },
): Promise<void> {
  for (let count = 1; !signal.aborted; count++) {
    let isAnswered = false;
    void ask().then(
      () => (isAnswered = true),
      () => undefined,
    );
    // Aborted with the connection.
    await clock.sleep(everyMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!isAnswered) return onSilence();
    onAnswer?.(count);
  }
}
