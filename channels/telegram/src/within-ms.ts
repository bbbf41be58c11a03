import type { ChannelHost } from "@pincer/sdk";
import { BotApiError } from "./bot-api.ts";

/** Runs work with a time limit. The work must end when its signal aborts, and is awaited. Throws what it throws. */
export async function withinMs<Answer>(
  clock: ChannelHost["clock"],
  ms: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const timer = new AbortController();
  const late = new AbortController();
  const over = clock.sleep(ms, timer.signal).then(
    () => late.abort(),
    // The work was done in time.
    () => undefined,
  );
  try {
    return await work(AbortSignal.any([stop, late.signal]));
  } catch (error) {
    if (!late.signal.aborted || stop.aborted) throw error;
    throw new BotApiError("closed", `no answer within ${Math.round(ms / 1000)} s`, { cause: error });
  } finally {
    timer.abort();
    await over;
  }
}
