/**
 * Takes stored messages on their way, each once: in order within a conversation, conversations side by side. What cannot be handled
 * because the storage says no, or another process has the session, stays `new` and is tried again; what fails for its own reasons,
 * or took the process down, is quarantined after three tries with a notice and one line for its sender. The rows in memory are only a view of the inbox: after a start, or when there are too many
 * of them, the inbox is read.
 */
import { conversationOf, type PincerError } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import type { Rulebook } from "../policy/rules/rulebook.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import type { TenantStores } from "../storage/storage.ts";
import type { OpenSession } from "../storage/stores.ts";
import type { ChangeParts } from "./apply-change.ts";
import { createCommands, type CommandParts } from "./commands.ts";
import { createDebounce } from "./debounce.ts";
import type { Door } from "./door.ts";
import { enqueueBurst, type Burst, type ReplyDrafts } from "./enqueue-burst.ts";
import { destinationOf, type RoutingSettings } from "./find-place.ts";
import { isTroubleOfStorage, laneOf } from "./lane-place.ts";
import type { Lanes } from "./lanes.ts";
import { createOrderedWork } from "./ordered-work.ts";
import { mostTries, setAside } from "./set-aside.ts";
import { createSessionSettings } from "./session-settings.ts";
import type { SessionUndo } from "./session-undo.ts";
import type { Tape } from "./tape.ts";
import { stoppedLines } from "./tell-stopped.ts";
import { commandOf, endOf, placeOf, walkRow, type RowEnd, type WalkParts } from "./walk-row.ts";

export interface RouterParts {
  stores: Pick<TenantStores, "inbox" | "turns" | "notices" | "sessions" | "entries" | "usage">;
  door: Door;
  lanes: Lanes;
  replies: ReplyDrafts;
  /** Tells the deliverer that these wait; must not throw. */
  wakeOutbox(rows: OutboxRow[]): void;
  /** For /new: ends the active session of the key and begins another. Safe to repeat. */
  beginSession(session: OpenSession): Promise<void>;
  tape: Tape;
  rulebook: Rulebook;
  describeContext: CommandParts["describeContext"];
  /** What the other commands stand on. */
  commandServices: CommandServices;
  /** Left out where what turns change is not kept. */
  undo?: SessionUndo | undefined;
  recordEvent: ChangeParts["recordEvent"];
  settings(): RoutingSettings;
  say: Say;
  clock: Clock;
  /** Told of everything that went wrong; must not throw. */
  onError(error: unknown): void;
  /** Told of a message that has to wait because the storage says no, at each try; must not throw. */
  onHeld?(row: InboxRow, error: unknown): void;
  /** The most rows kept in memory; what comes beyond is read from the inbox later. */
  mostInHand?: number;
}

/** What the builder of the router knows about approvals, tools, skills, models, memory, browsers and the config. */
export type CommandServices = Pick<
  CommandParts,
  "approvals" | "granted" | "tools" | "skills" | "models" | "shownConfig" | "unconfirmed" | "browsers"
>;

export interface Router {
  /** Takes up a row that was just stored. Never throws. Before `recover` it only remembers that there is something to read. */
  accept(row: InboxRow): void;
  /**
   * The same for the row of a caller who waits: resolves with what became of it. Rejects with what the storage throws, although the row is
   * tried again; with `gateway/stopped` where it is left for the next start.
   */
  ask(row: InboxRow): Promise<RowEnd>;
  /** At start: takes up every row that another process left `new`, one at a time. Resolves when they are through, or draining began. */
  recover(): Promise<void>;
  /** Takes up nothing more; what is gathered is queued, within the bound. The rest stays `new` for the next start. */
  drain(withinMs: number): Promise<void>;
  /** Resolves when every accepted row is through, bursts included. */
  idle(): Promise<void>;
}

const pageSize = 100;
/** Rows of commands that run at the moment without a gateway: more than anybody starts at once. */
const mostDirect = 100;

export function createRouter(parts: RouterParts): Router {
  const { stores, door, lanes, clock, undo, settings, onError, mostInHand = 5000 } = parts;
  const { inbox } = stores;
  const startedAt = new Date(clock.now()).toISOString();
  const work = createOrderedWork({ clock, onError });
  const debounce = createDebounce<InboxRow>({ clock });
  /** Rows between `accept` and their end. */
  const inHand = new Set<string>();
  /** Turns that were aborted for a stop that had not come to its place yet. */
  const aborted = new Map<string, string>();
  /** What was read from the inbox and may still be accepted: it was stored just before. */
  const readLately = new Set<string>();
  let reading: Promise<void> | undefined;
  let idlers: Array<() => void> = [];
  /** While behind, rows are read from the inbox and not taken from `accept`, so that none overtakes another. */
  let isBehind = true;
  let isMissed = false;
  let isClosed = false;
  /** Callers who wait for what becomes of a row. */
  const callers = new Map<string, Array<PromiseWithResolvers<RowEnd>>>();

  const commands = createCommands({
    ...parts.commandServices,
    settings: createSessionSettings(stores),
    entries: stores.entries,
    say: parts.say,
    rulebook: parts.rulebook,
    describeContext: parts.describeContext,
    stop: stopWork,
    beginSession: (session) =>
      lanes.between(session.workspaceId, session.sessionKey, () => parts.beginSession(session)),
    tape: {
      ...parts.tape,
      handOffIn: (session, request) =>
        lanes.between(session.workspaceId, session.sessionKey, () => parts.tape.handOffIn(session, request)),
    },
    findActive: (workspaceId, sessionKey) => stores.sessions.findActive(workspaceId, sessionKey),
    undo: undo && {
      ...undo,
      apply: (session, request) =>
        lanes.between(session.workspaceId, session.sessionKey, () => undo.apply(session, request)),
    },
    lanes,
    usage: stores.usage,
    clock,
  });
  const walk: WalkParts = { ...parts, ...stores, commands, gather };

  function accept(row: InboxRow): void {
    if (isClosed) return;
    if (inHand.has(row.id) || readLately.delete(row.id)) return;
    if (isBehind || work.isBusy(workKeyOf(row))) void abortEarly(row);
    if (isBehind) {
      isMissed = true;
    } else if (inHand.size >= mostInHand) {
      isBehind = true;
      void readInbox();
    } else {
      void handle(row, false);
    }
  }

  function ask(row: InboxRow): Promise<RowEnd> {
    const caller = Promise.withResolvers<RowEnd>();
    if (isClosed) caller.reject(stopped());
    else callers.set(row.id, [...(callers.get(row.id) ?? []), caller]);
    // It was read from the inbox, and perhaps dealt with, before its caller came.
    if (!inHand.has(row.id) && readLately.delete(row.id)) void tellOutcome(row.id);
    else accept(row);
    return caller.promise;
  }

  async function tellOutcome(id: string): Promise<void> {
    try {
      const row = await inbox.get(id);
      if (row?.state === "new") accept(row);
      else tellCallers(id, ({ resolve }) => resolve(row ? endOf(row) : { type: "settled", turnId: null }));
    } catch (error) {
      tellCallers(id, ({ reject }) => reject(error));
    }
  }

  function tellCallers(id: string, tell: (caller: PromiseWithResolvers<RowEnd>) => void): void {
    const waiting = callers.get(id) ?? [];
    callers.delete(id);
    for (const caller of waiting) tell(caller);
  }

  /** `onTrouble`: told when a try failed and another one follows. */
  async function handle(row: InboxRow, isRecovered: boolean, onTrouble?: () => void): Promise<void> {
    inHand.add(row.id);
    let end = undefined as RowEnd | undefined;
    const attempt = async () => {
      end = await walkRow(walk, row, { isRecovered, abortedTurnId: aborted.get(row.id) });
    };
    await work.add(workKeyOf(row), givingUp([row], attempt, onTrouble));
    // Without an end it was left undone: the next start takes it up.
    tellCallers(row.id, ({ resolve, reject }) => (end ? resolve(end) : reject(stopped())));
    if (end?.type !== "gathered") release([row]);
  }

  function gather(burst: Burst, windowMs: number): void {
    const [row] = burst.rows;
    if (!row) return;
    const key = JSON.stringify([row.conversation, row.message.sender.id]);
    debounce.add({ key, group: groupOf(burst.session), windowMs }, row, (rows) => {
      const enqueue = givingUp(rows, async () => void (await enqueueBurst(walk, { ...burst, rows })));
      void work.add(row.conversation, enqueue).then(() => release(rows));
    });
  }

  function release(rows: readonly InboxRow[]): void {
    for (const { id } of rows) {
      inHand.delete(id);
      aborted.delete(id);
    }
    wakeIdlers();
  }

  function wakeIdlers(): void {
    if (inHand.size > 0 || reading) return;
    for (const wake of idlers) wake();
    idlers = [];
  }

  /** Work that is not repeated for ever when it is its own fault. Trouble of the storage is nobody's, nor is a session that is busy. */
  function givingUp(
    rows: readonly InboxRow[],
    attempt: () => Promise<void>,
    onTrouble?: () => void,
  ): () => Promise<void> {
    let faults = 0;
    return async () => {
      if (faults >= mostTries) return giveUp(rows, faults, "failed");
      try {
        await attempt();
      } catch (error) {
        if (!isTroubleOfStorage(error)) faults++;
        else for (const row of rows) parts.onHeld?.(row, error);
        // It is tried again; until then nobody is kept waiting without a word.
        for (const { id } of rows) tellCallers(id, ({ reject }) => reject(error));
        onTrouble?.();
        throw error;
      }
    };
  }

  async function giveUp(
    rows: readonly InboxRow[],
    attempts: number,
    reason: "failed" | "crashed",
  ): Promise<void> {
    await setAside(walk, rows, { attempts, reason });
    const dead = failure("turn/aborted", "routing.set-aside", { attempts });
    for (const { id } of rows) {
      tellCallers(id, ({ reject }) => reject(dead));
      // Their owner may hand them in again.
      readLately.delete(id);
    }
  }

  async function stopWork(...[context, scope]: Parameters<CommandParts["stop"]>) {
    const { session, destination } = context;
    const conversation = scope === "conversation" && destination ? conversationOf(destination) : undefined;
    const stopping = lanes.stop(session.workspaceId, session.sessionKey, "stop", {
      ...(conversation !== undefined && { conversation }),
      replies: (cancelled) => {
        const taken = cancelled.map(({ turn, row }) => ({ turn, row, destination: turn.destination }));
        return [...stoppedLines(parts, context, taken).values()].flat();
      },
    });
    const isMeant = (row: InboxRow) => conversation === undefined || row.conversation === conversation;
    const gathered = debounce.take(groupOf(session), isMeant);
    const taken = gathered.map((row) => ({ row, destination: destinationOf(row.message) }));
    const lines = stoppedLines(parts, context, taken);
    for (const row of gathered) {
      const drop = async () => {
        const outcome = { state: "done" as const, reason: "cancelled" };
        parts.wakeOutbox(await inbox.settle(row.id, outcome, lines.get(row.id)));
      };
      void work.add(`stopped ${row.id}`, drop).then(() => release([row]));
    }
    const { count, turnId, outbox } = await stopping;
    parts.wakeOutbox(outbox);
    return { count: count + gathered.length, turnId };
  }

  /**
   * A stop that has to wait for its place, because the storage is slow or broken, aborts what runs all the same. Its row is
   * answered when its place has come.
   */
  async function abortEarly(row: InboxRow): Promise<void> {
    const { message } = row.message;
    if (message.type !== "text" || message.forwarded || row.asked?.typed === false) return;
    try {
      if (commandOf(message, settings().commandPrefixes)?.name !== "stop") return;
      const session = await sessionOf(row);
      if (!session) return;
      // Its place has come meanwhile: what runs now was asked for after the stop.
      if (!isBehind && !inHand.has(row.id)) return;
      const turnId = lanes.abortSession(session.workspaceId, session.sessionKey, "stop");
      if (turnId !== undefined) aborted.set(row.id, turnId);
    } catch (error) {
      onError(error);
    }
  }

  /** Undefined for somebody who may not speak. */
  async function sessionOf(row: InboxRow): Promise<OpenSession | undefined> {
    if (row.asked) return row.asked.session;
    const admission = await door.admit(row.message);
    return admission.type === "admitted" ? placeOf(row, admission.person, settings())?.session : undefined;
  }

  function readInbox(): Promise<void> {
    reading ??= work.add("the inbox", readToItsEnd).then(() => {
      reading = undefined;
      wakeIdlers();
    });
    return reading;
  }

  async function readToItsEnd(): Promise<void> {
    let page: InboxRow[];
    do {
      isMissed = false;
      const found = await inbox.listNew(pageSize + inHand.size + mostDirect);
      // What another process wants to run itself is its own to take up.
      page = found.filter(({ id, asked }) => !inHand.has(id) && !asked?.direct);
      for (const row of page) {
        if (isClosed) return;
        await takeUp(row);
      }
    } while (isMissed || page.length > 0);
    isBehind = false;
  }

  async function takeUp(row: InboxRow): Promise<void> {
    remember(row.id);
    const isLeftOver = row.receivedAt < startedAt;
    const attempts = isLeftOver ? await inbox.countAttempt(row.id) : 0;
    if (attempts >= mostTries) return giveUp([row], attempts, "crashed");
    // One that has to be tried again, such as a command for a session that is busy, holds up nobody behind it.
    const stuck = Promise.withResolvers<void>();
    const handled = handle(row, isLeftOver, stuck.resolve);
    await (inHand.size < mostInHand ? Promise.race([handled, stuck.promise]) : handled);
  }

  function remember(id: string): void {
    readLately.add(id);
    const [oldest] = readLately;
    if (readLately.size > 10 * pageSize && oldest !== undefined) readLately.delete(oldest);
  }

  return {
    accept,
    ask,
    recover: readInbox,
    async drain(withinMs) {
      isClosed = true;
      debounce.flushAll();
      const inTime = new AbortController();
      await Promise.race([work.idle(), clock.sleep(withinMs, inTime.signal).catch(() => {})]);
      inTime.abort();
      await work.close();
      for (const id of callers.keys()) tellCallers(id, ({ reject }) => reject(stopped()));
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        wakeIdlers();
      }),
  };
}

/** Questions of one session keep their order; so do the messages of one conversation. */
const workKeyOf = ({ asked, conversation }: InboxRow): string =>
  asked ? laneOf(asked.session.workspaceId, asked.session.sessionKey) : conversation;

const stopped = (): PincerError =>
  failure("gateway/stopped", "gateway.stopped", {}, { hint: "gateway.stopped.hint" });

const groupOf = ({ workspaceId, sessionKey }: OpenSession): string => laneOf(workspaceId, sessionKey);
