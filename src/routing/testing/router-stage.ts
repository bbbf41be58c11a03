/**
 * A router with its lanes over memory stores and a run that really claims and ends turns. `restart` is a crash: a new router and new
 * lanes on the same stores, while whatever the old ones still do reaches nobody.
 */
import { textOf as wordsOf, type EntryBody, type InboundMessage } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { randomBytes } from "node:crypto";
import { TurnStop, type RunTurn } from "../../agent/turn-run.ts";
import { createIds } from "../../infra/ids.ts";
import { createSay } from "../../infra/texts.ts";
import { createRulebook } from "../../policy/rules/rulebook.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { OutboxDraft, OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TurnEndingRecord, TurnRecord } from "../../storage/turns/turns.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { createDoor, type DoorSettings } from "../door.ts";
import { createFakeCommandServices } from "./command-services.ts";
import type { ReplyDrafts } from "../enqueue-burst.ts";
import type { RoutingSettings } from "../find-place.ts";
import { createLanes, type Lanes } from "../lanes.ts";
import { makePairingCode } from "../pairing-code.ts";
import { createEventRecorder } from "../record-event.ts";
import { createRouter, type Router } from "../router.ts";
import type { SessionUndo } from "../session-undo.ts";
import { createTape } from "../tape.ts";
import { createSessionLeases, sessionLeaseName } from "../../storage/sessions/session-lease.ts";

export const ticks = async (count = 30): Promise<void> => {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve));
};

export interface StageSettings {
  door?: Partial<DoorSettings>;
  routing?: Partial<RoutingSettings>;
  owners?: string[];
  mostInHand?: number;
  /** Holds a run open until it resolves or the signal aborts. */
  work?: (turn: TurnRecord, inputs: InboxRow[], signal: AbortSignal) => Promise<void>;
  /** How a run ends that nobody stopped; answered, where nothing is said. */
  ending?: (turn: TurnRecord) => TurnEndingRecord;
  /** Called before a session is begun for /new; may throw. */
  beginSession?: () => void;
  undo?: SessionUndo;
  skills?: Array<{ name: string; description: string }>;
  /** Stands between the router and its stores. */
  through?: (stores: TenantStores) => TenantStores;
}

export function stageRouter(settings: StageSettings = {}) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const errors: unknown[] = [];
  const begunSessions: string[] = [];
  const replies: ReplyDrafts = {
    drafts: ({ destination, turnId, replyTo, text, kind }): OutboxDraft[] => [
      {
        destination,
        turnId,
        replyTo,
        text,
        kind,
        attachments: [],
        notAfter: new Date(clock.now() + 3_600_000).toISOString(),
        dedupeKey: turnId === null ? null : text.toLowerCase(),
      },
    ],
  };
  const woken: OutboxRow[] = [];
  let alive = 0;

  function build(): { router: Router; lanes: Lanes } {
    const life = ++alive;
    const living = mortal(stores, () => alive === life);
    const seen = settings.through ? settings.through(living) : living;
    const lanes = createLanes({
      run: createRun(living, { replies, work: settings.work, ending: settings.ending }),
      turns: seen.turns,
      clock,
      limit: 4,
      deadlineMs: () => 600_000,
      graceMs: 5000,
      evict: async () => {},
      bury: async (turn) => {
        const text = { key: "turn.dead", parameters: {} };
        await living.turns.bury(turn.turnId, {
          replies: [],
          notice: { kind: "dead", text, subject: turn.turnId },
        });
      },
      onError: (error) => errors.push(error),
    });
    const router = createRouter({
      stores: seen,
      door: createDoor({
        pairing: seen.pairing,
        ownersOf: () => settings.owners ?? [],
        settings: () => ({ ...openDoor, ...settings.door }),
        makeCode: () => makePairingCode(randomBytes),
        clock,
      }),
      lanes,
      replies,
      wakeOutbox: (rows) => woken.push(...rows),
      beginSession: async (session) => {
        settings.beginSession?.();
        begunSessions.push(session.sessionKey);
        await living.sessions.openNew(session);
      },
      tape: createTape({
        ...living,
        leases: createSessionLeases({
          leases: living.leases,
          clock,
          holder: { id: "tape", pid: 1, host: "here", processStart: "0" },
          isAlive: ({ id }) => id === "test",
        }),
        redactor: { text: (text) => text },
        mirror: async () => {},
      }),
      rulebook: createRulebook({ rules: living.rules }),
      describeContext: async () => {
        throw new Error("nobody describes a context here");
      },
      commandServices: createFakeCommandServices({ skills: settings.skills ?? [] }),
      undo: settings.undo,
      recordEvent: createEventRecorder({ entries: living.entries, redactor: { values: (data) => data } }),
      settings: () => ({ ...usual, ...settings.routing }),
      say: createSay("en"),
      clock,
      onError: (error) => errors.push(error),
      ...(settings.mostInHand !== undefined && { mostInHand: settings.mostInHand }),
    });
    return { router, lanes };
  }

  let present = build();
  const stage = {
    clock,
    stores,
    errors,
    begunSessions,
    woken,
    router: () => present.router,
    lanes: () => present.lanes,
    async start() {
      await present.lanes.recover();
      await present.router.recover();
    },
    /** What the old process had handed to the storage happens before the new one looks. */
    async restart() {
      alive++;
      await ticks(5);
      present = build();
    },
    /** Stores it as a channel does, and tells the router. */
    async receive(message: InboundMessage): Promise<InboxRow> {
      const { type, row } = await stores.inbox.accept(message);
      if (type === "stored") present.router.accept(row);
      return row;
    },
    /** Lets time pass, with a moment before and after it for whatever is under way. */
    async pass(ms: number) {
      await ticks();
      await clock.advance(ms);
      await ticks();
    },
    /** Lets everything come to its end, turning the clock over debounces and pauses. */
    async settle() {
      for (let round = 0; round < 50; round++) {
        await ticks(3);
        await clock.advance(300);
      }
      await ticks();
    },
    async turns(): Promise<TurnRecord[]> {
      return (await stores.turns.list({ limit: 1000 })).reverse();
    },
    async said(): Promise<OutboxRow[]> {
      return (await stores.outbox.list({ limit: 1000 })).reverse();
    },
    async stateOf(row: InboxRow): Promise<string> {
      const found = await stores.inbox.get(row.id);
      return found ? [found.state, found.reason].filter(Boolean).join(" ") : "gone";
    },
  };
  return stage;
}

const openDoor: DoorSettings = {
  dmPolicy: "open",
  groupPolicy: "open",
  allowFrom: [],
  groups: [],
  requireMention: true,
  pairing: { ttlMs: 3_600_000, max: 3 },
};

const usual: RoutingSettings = {
  bindings: [],
  defaultAgentId: "main",
  agentIds: [],
  dmScope: "main",
  identityLinks: {},
  queueMode: "steer",
  queueCap: 20,
  debounceMs: 300,
  commandPrefixes: [",", "!", "/"],
  shellPassthrough: false,
  workdirOf: () => "/",
};

/** Stores as a process sees them: once it is dead, nothing it asks for happens and nothing it asked for comes back. */
function mortal(stores: TenantStores, isAlive: () => boolean): TenantStores {
  const forever = () => new Promise<never>(() => {});
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name, receiver) {
        const verb: unknown = Reflect.get(target, name, receiver);
        if (typeof verb !== "function") return verb;
        return async (...parameters: unknown[]) => {
          if (!isAlive()) return forever();
          const result: unknown = await verb.apply(target, parameters);
          return isAlive() ? result : forever();
        };
      },
    });
  const wrapped = Object.entries(stores).map(([name, store]) => [name, wrap(store as object)]);
  return Object.fromEntries(wrapped) as TenantStores;
}

/** Echoes what it was asked, as one reply. */
function createRun(
  stores: TenantStores,
  {
    replies,
    work,
    ending,
  }: { replies: ReplyDrafts; work: StageSettings["work"]; ending: StageSettings["ending"] },
): RunTurn {
  return async function run(queued, signal) {
    const holder = { id: "test", pid: 1, host: "here", processStart: "0" };
    const name = sessionLeaseName(queued);
    const lease = await stores.leases.acquire({ name, holder, ttlMs: 60_000, isStale: () => true });
    if (lease.type === "held") throw new Error("the lease was held");
    const { fence } = lease;
    const { turnId } = queued;
    const entriesFor = (inputs: InboxRow[]) =>
      inputs.map(({ message }): EntryBody => ({
        type: "message",
        runId: turnId,
        message: { role: "user", content: [{ type: "text", text: textOf(message) }] },
      }));
    const claim = await stores.turns.claim({
      turnId,
      fence,
      deadlineAt: null,
      isStale: () => false,
      entriesFor,
    });
    if (claim.type === "over") return { type: "over" };
    const inputs = await stores.turns.inputs(turnId);
    // What the turn began with; what has joined it since is for the next one.
    const isContinued = claim.turn.options["continued"] !== undefined;
    const taken = isContinued ? await stores.turns.takeInputs({ turnId, fence, entriesFor }) : [];
    const heard = [...claim.entries, ...taken].flatMap((entry) =>
      entry.type === "message" ? [wordsOf(entry.message)] : [],
    );
    await work?.(claim.turn, inputs, signal);
    const by = signal.reason instanceof TurnStop ? signal.reason.by : undefined;
    if (by === "shutdown") {
      await stores.turns.park({ turnId, fence, state: "queued", reason: "shutdown" });
      await stores.leases.release(fence);
      return { type: "parked" };
    }
    const { destination, replyTo } = claim.turn;
    const text = by ? "Stopped." : `echo: ${heard.join(" + ")}`;
    const drafts = destination ? replies.drafts({ destination, turnId, replyTo, text, kind: "reply" }) : [];
    const ended = await stores.turns.end({
      turnId,
      fence,
      state: by ? "failed" : "done",
      ending: by ? { type: "aborted", by } : (ending?.(claim.turn) ?? { type: "answered" }),
      bodies: [],
      tokens: { input: 0, output: 0, context: 0, total: 0 },
      replies: drafts,
    });
    await stores.leases.release(fence);
    return { type: "ended", turn: ended.turn, followUp: ended.followUp };
  };
}

function textOf({ message }: InboundMessage): string {
  return message.type === "delete" ? "" : message.text;
}
