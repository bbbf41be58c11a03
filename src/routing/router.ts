/**
 * Takes stored messages on their way, each once: in order within a conversation, conversations side by side. What cannot be handled
 * because the storage says no, or another process has the session, stays `new` and is tried again; what fails for its own reasons,
 * or took the process down, is set aside after three tries with a notice and one line for its sender. The rows in memory are only a view of the inbox: after a start, or when there are too many
 * of them, the inbox is read.
 */
import { conversationOf } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import type { Rulebook } from "../policy/rules/rulebook.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import type { TenantStores } from "../storage/storage.ts";
import type { OpenSession } from "../storage/stores.ts";
import type { ChangeParts } from "./apply-change.ts";
import { isAsked } from "./chat-channels.ts";
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
import { commandOf, placeOf, walkRow, type WalkParts } from "./walk-row.ts";

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
  /** The most rows kept in memory; what comes beyond is read from the inbox later. */
  mostInHand?: number;
}

/** What whoever builds the router knows about approvals, tools, skills, models, memory, browsers and the config. */
export type CommandServices = Pick<
  CommandParts,
  "approvals" | "tools" | "skills" | "models" | "shownConfig" | "unconfirmed" | "browsers"
>;

export interface Router {
  /** Takes up a row that was just stored. Never throws. Before `recover` it only remembers that there is something to read. */
  accept(row: InboxRow): void;
  /** At start: takes up every row that another process left `new`, one at a time. Resolves when they are through, or draining began. */
  recover(): Promise<void>;
  /** Takes up nothing more; what is gathered is queued, within the bound. The rest stays `new` for the next start. */
  drain(withinMs: number): Promise<void>;
  /** Resolves when every accepted row is through, bursts included. */
  idle(): Promise<void>;
}

const pageSize = 100;

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
    if (isClosed || isAsked(row.message.channel)) return;
    if (inHand.has(row.id) || readLately.delete(row.id)) return;
    if (isBehind || work.isBusy(row.conversation)) void abortEarly(row);
    if (isBehind) {
      isMissed = true;
    } else if (inHand.size >= mostInHand) {
      isBehind = true;
      void readInbox();
    } else {
      void handle(row, false);
    }
  }

  async function handle(row: InboxRow, isRecovered: boolean): Promise<void> {
    inHand.add(row.id);
    let end: "over" | "gathered" = "over";
    await work.add(
      row.conversation,
      givingUp([row], async () => {
        end = await walkRow(walk, row, { isRecovered, abortedTurnId: aborted.get(row.id) });
      }),
    );
    if (end === "over") release([row]);
  }

  function gather(burst: Burst, windowMs: number): void {
    const [row] = burst.rows;
    if (!row) return;
    const key = JSON.stringify([row.conversation, row.message.sender.id]);
    debounce.add({ key, group: groupOf(burst.session), windowMs }, row, (rows) => {
      const enqueue = givingUp(rows, () => enqueueBurst(walk, { ...burst, rows }));
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
  function givingUp(rows: readonly InboxRow[], attempt: () => Promise<void>): () => Promise<void> {
    let faults = 0;
    return async () => {
      if (faults >= mostTries) return giveUp(rows, faults, "failed");
      try {
        await attempt();
      } catch (error) {
        if (!isTroubleOfStorage(error)) faults++;
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
    // Their owner may hand them in again.
    for (const { id } of rows) readLately.delete(id);
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
    if (message.type !== "text" || message.forwarded) return;
    try {
      if (commandOf(message.text, settings().commandPrefixes)?.name !== "stop") return;
      const admission = await door.admit(row.message);
      const place = admission.type === "admitted" && placeOf(row, admission.person, settings());
      if (!place) return;
      // Its place has come meanwhile: what runs now was asked for after the stop.
      if (!isBehind && !inHand.has(row.id)) return;
      const turnId = lanes.abortSession(place.session.workspaceId, place.session.sessionKey, "stop");
      if (turnId !== undefined) aborted.set(row.id, turnId);
    } catch (error) {
      onError(error);
    }
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
      const found = await inbox.listNew(pageSize + inHand.size);
      page = found.filter(({ id, message }) => !inHand.has(id) && !isAsked(message.channel));
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
    if (attempts >= mostTries) await giveUp([row], attempts, "crashed");
    else await handle(row, isLeftOver);
  }

  function remember(id: string): void {
    readLately.add(id);
    const [oldest] = readLately;
    if (readLately.size > 10 * pageSize && oldest !== undefined) readLately.delete(oldest);
  }

  return {
    accept,
    recover: readInbox,
    async drain(withinMs) {
      isClosed = true;
      debounce.flushAll();
      const inTime = new AbortController();
      await Promise.race([work.idle(), clock.sleep(withinMs, inTime.signal).catch(() => {})]);
      inTime.abort();
      await work.close();
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        wakeIdlers();
      }),
  };
}

const groupOf = ({ workspaceId, sessionKey }: OpenSession): string => laneOf(workspaceId, sessionKey);
