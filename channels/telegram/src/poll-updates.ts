/**
 * Polls Telegram for updates with long requests. The next request confirms an update, and only once it is stored. A
 * request without an answer in time is abandoned: an open connection proves nothing.
 */
import type { ChannelHost } from "@pincer/sdk";
import { BotApiError, isBadToken, type BotApi } from "./bot-api.ts";
import { TransportError } from "./http-transport.ts";
import type { ReadingPlace } from "./reading-place.ts";
import type { UpdateTaker } from "./take-updates.ts";
import { albumOf, unitsOf } from "./update-units.ts";
import { allowedUpdates, readUpdate, type NumberedUpdate } from "./update-schema.ts";
import { withinMs } from "./within-ms.ts";

/**
 * How long Telegram holds a request open, and how long we wait for the answer: with a pause less than half a minute.
 */
export const pollSeconds = 20;
const answerMs = (pollSeconds + 4) * 1000;
const pause = { firstMs: 500, mostMs: 4000 };
/** Album items arrive back to back; wait this long for the rest. */
const albumMs = 400;
const mostUpdates = 100;
/** After this many conflicts in a row, a webhook that somebody else has set is removed again. */
const mostConflicts = 3;
/** After this many refusals of the token in a row, the connection ends: the host finds out whether it is good for anything. */
const mostRefusals = 3;

export interface Poller {
  /** In words, while asking does not work. */
  trouble(): string | undefined;
  /** Resolves when nothing is being taken any more. Never throws. */
  done: Promise<void>;
}

interface PollParts {
  api: BotApi;
  host: ChannelHost;
  place: ReadingPlace;
  taker: UpdateTaker;
  signal: AbortSignal;
}

/** Waits for nothing: what goes out needs no answer to this. The host hears of failures by `trouble`, and it asks on. */
export function startPolling(parts: PollParts): Poller {
  const memory: PollMemory = {
    isPrepared: false,
    isAnswered: false,
    failures: 0,
    conflicts: 0,
    refusals: 0,
    limit: mostUpdates,
    trouble: undefined,
  };
  return { trouble: () => memory.trouble, done: poll(parts, memory) };
}

interface PollMemory {
  isPrepared: boolean;
  /** Whether the last question was answered. If not, the next one is not held open, so that its answer says soon that it works. */
  isAnswered: boolean;
  failures: number;
  conflicts: number;
  refusals: number;
  limit: number;
  trouble: string | undefined;
}

async function poll(parts: PollParts, memory: PollMemory): Promise<void> {
  const { host, signal, place } = parts;
  while (!signal.aborted) {
    try {
      if (!memory.isPrepared) await prepare(parts);
      memory.isPrepared = true;
      const askedAt = host.clock.monotonic();
      const timeout = memory.isAnswered ? pollSeconds : 0;
      const updates = await ask(parts, { timeout, limit: memory.limit });
      Object.assign(memory, { conflicts: 0, refusals: 0 });
      const before = place.offset();
      await takeAll(parts, updates);
      // Only now: what was heard is stored. An empty answer proves that messages could come in.
      host.alive();
      Object.assign(memory, { isAnswered: true, failures: 0, limit: mostUpdates, trouble: undefined });
      const isIdle = place.offset() === before;
      // Whatever answers at once without anything to say must not make this a tight loop.
      if (isIdle && timeout > 0 && host.clock.monotonic() - askedAt < 1000) await wait(parts, 1000);
    } catch (error) {
      if (signal.aborted) return;
      if (isOver(parts, memory, error)) return;
      await pauseAsAsked(parts, memory, pauseAfter(memory, error));
    }
  }
}

const prepareMs = 20_000;

/** Throws what the storage and Telegram throw. */
async function prepare({ api, host, place, signal }: PollParts): Promise<void> {
  await place.open();
  // With a webhook set nothing comes by polling; what waits there is kept.
  await withinMs(host.clock, prepareMs, signal, (deadline) =>
    api.call("deleteWebhook", { drop_pending_updates: false }, deadline),
  );
}

/** Notes the error; true if this connection has to end. */
function isOver({ host }: PollParts, memory: PollMemory, given: unknown): boolean {
  const error = explained(given);
  memory.failures += 1;
  memory.trouble = error.message;
  if (isTooLarge(given)) memory.limit = Math.max(1, Math.floor(memory.limit / 4));
  // Two programs that ask without being held open would end each other's questions ever faster.
  memory.isAnswered &&= isConflict(given);
  if (isConflict(given)) memory.conflicts += 1;
  if (isConflict(given) && memory.conflicts % mostConflicts === 0) memory.isPrepared = false;
  memory.refusals = isBadToken(given) ? memory.refusals + 1 : 0;
  if (memory.refusals >= mostRefusals) {
    host.lost(error.message);
    return true;
  }
  host.trouble?.(error.message);
  host.log.warn(`no updates: ${error.message}`);
  return false;
}

/** Longer pauses, whoever asks for them, would leave messages lying; it is asked again each hour. */
const longestAskedMs = 60 * 60_000;

function pauseAfter({ failures }: PollMemory, error: unknown): number {
  const grown = Math.min(pause.firstMs * 2 ** (failures - 1), pause.mostMs);
  const least = isConflict(error) ? 5000 : 0;
  const asked = error instanceof BotApiError ? (error.retryAfterMs ?? 0) : 0;
  const wanted = Math.min(asked, longestAskedMs);
  return Math.max(grown, least, wanted);
}

/** Says now and then why it waits: an account that says nothing counts as one that has stopped asking. */
async function pauseAsAsked(parts: PollParts, { trouble = "" }: PollMemory, ms: number): Promise<void> {
  const { host, signal } = parts;
  const until = host.clock.monotonic() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = until - host.clock.monotonic()) {
    if (left < ms) host.trouble?.(trouble);
    await wait(parts, Math.min(left, pollSeconds * 1000));
  }
}

const isConflict = (error: unknown): boolean => error instanceof BotApiError && error.refusal?.status === 409;

const isTooLarge = (error: unknown): boolean =>
  error instanceof BotApiError &&
  error.cause instanceof TransportError &&
  error.cause.outcome === "too-large";

function explained(error: unknown): Error {
  if (!isConflict(error)) return error instanceof Error ? error : new Error(String(error));
  const { description = "" } = (error as BotApiError).refusal ?? {};
  const words = /webhook/i.test(description)
    ? "a webhook has been set for this bot meanwhile, so nothing comes by polling. Use one of the two: set channels.telegram.mode, or stop the program that sets the webhook"
    : "another program is polling with this bot token, and Telegram gives each message to one of them only. Stop the other one, or get a token of your own from @BotFather";
  return new BotApiError("unavailable", words, { cause: error });
}

async function wait({ host, signal }: PollParts, ms: number): Promise<void> {
  // Aborted when the connection closes.
  await host.clock.sleep(ms, signal).catch(() => undefined);
}

async function ask(
  { api, host, place, signal }: Omit<PollParts, "taker">,
  { timeout, limit }: { timeout: number; limit: number },
): Promise<NumberedUpdate[]> {
  const offset = place.offset();
  const question = {
    timeout,
    limit,
    allowed_updates: [...allowedUpdates],
    ...(offset !== undefined && { offset }),
  };
  const updates: unknown = await withinMs(host.clock, answerMs, signal, (deadline) =>
    api.call("getUpdates", question, deadline),
  );
  if (!Array.isArray(updates)) throw new BotApiError("closed", "Telegram's answer is no list of updates");
  const read = updates.flatMap((each) => readUpdate(each) ?? []);
  if (read.length === 0 && updates.length > 0)
    throw new BotApiError("closed", "Telegram's updates have no numbers");
  return read;
}

/** Takes what was brought, in order, and remembers how far everything is stored. */
async function takeAll(parts: PollParts, brought: NumberedUpdate[]): Promise<void> {
  const { place, taker, signal } = parts;
  const updates = brought.some(albumOf) ? await settleAlbums(parts, brought) : brought;
  const waiting = new Set(updates.map(({ id }) => id));
  let highest = -1;
  const units = unitsOf(updates);
  for (let unit = units.shift(); unit; unit = units.shift()) {
    if (signal.aborted) return;
    try {
      await taker.take(unit, signal);
      for (const { id } of unit) {
        waiting.delete(id);
        highest = Math.max(highest, id);
      }
      // Not beyond one that is still to be taken: an album may reach past its neighbours.
      const next = waiting.size > 0 ? Math.min(...waiting) : highest + 1;
      await place.moveTo(next);
    } catch (error) {
      for (const later of units) taker.putOff(later, error);
      throw error;
    }
  }
}

/** Repeats the request until no more items come; this confirms nothing. */
async function settleAlbums(parts: PollParts, brought: NumberedUpdate[]): Promise<NumberedUpdate[]> {
  let updates = brought;
  for (let round = 0; round < 5; round++) {
    await wait(parts, albumMs);
    if (parts.signal.aborted) return updates;
    const again = await ask(parts, { timeout: 0, limit: mostUpdates });
    const hasGrown = again.length > updates.length;
    if (hasGrown) updates = again;
    if (!hasGrown || updates.length >= mostUpdates) break;
  }
  return updates;
}
