/**
 * Replays a run: the real loop, over a database in memory, with the recorded answers of the model, results of the
 * tools and messages of people. Nothing is asked, run or sent. The result is compared with what is stored, entry by
 * entry.
 */
import { isClosing, type Entry, type EntryBody, type InboundMessage, type ReplayView } from "@pincer/sdk";
import { isDeepStrictEqual } from "node:util";
import { createTurnRunner, type TurnSetup } from "../turn-runner.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import { createSessionLeases } from "../../storage/sessions/session-lease.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { ContinuedFrom, JournalRow, TurnRecord } from "../../storage/turns/turns.ts";
import { createRecordedWorld } from "./recorded-world.ts";
import { bodyOf, withoutLabel } from "./read-recording.ts";
import { recordedTexts } from "./recorded-texts.ts";
import { quietContext } from "./quiet-context.ts";

export interface ReplayParts {
  turns: Pick<TenantStores["turns"], "entries" | "journal">;
  clock: Clock;
  ids: Ids;
}

const tenantId = "replay";

/** A run that goes through more than this is not going anywhere. */
const mostRounds = 100;

/** Throws PincerError where nothing is left of the run, or nothing was asked of a model in it. */
export async function replayRun(parts: ReplayParts, turn: TurnRecord): Promise<ReplayView> {
  const { turns } = parts;
  const { turnId } = turn;
  if (turn.options["compact"] !== undefined)
    throw failure("usage/bad-argument", "runs.replay.command", { id: turnId });
  const recorded = withoutOutside((await turns.entries(turnId)).filter((entry) => !isClosing(entry)));
  if (recorded.length === 0)
    throw failure("message/not-found", "runs.replay.gone", { id: turnId }, { hint: "runs.replay.gone.hint" });
  const steps = await turns.journal(turnId);
  const [first, second] = limitsOf(turn);
  const played = await play(parts, { turn, recorded, steps, limits: first });
  return played.same || !second ? played : play(parts, { turn, recorded, steps, limits: second });
}

interface Recording {
  turn: TurnRecord;
  recorded: readonly Entry[];
  steps: readonly JournalRow[];
  limits: Limits;
}

type Limits = Pick<TurnSetup, "maxSteps" | "maxRepeatedCalls">;

async function play({ clock, ids }: ReplayParts, recording: Recording): Promise<ReplayView> {
  const { turn, recorded, steps, limits } = recording;
  const { turnId } = turn;
  // The same id, so that entries which name their run name this one.
  const sameIds: Ids = { make: (prefix) => (prefix === "r" ? turnId : ids.make(prefix)) };
  const database = createMemoryStores({ clock, ids: sameIds });
  try {
    const stores = database.tenant(tenantId);
    const session = {
      workspaceId: turn.workspaceId,
      agentId: turn.agentId,
      sessionKey: turn.sessionKey,
      origin: turn.origin,
      cwd: turn.cwd,
    };
    const agent = { id: turn.agentId, name: turn.agentId };
    const workspace = { id: turn.workspaceId, name: turn.workspaceId };
    await stores.directory.ensure({ tenant: { name: tenantId, plan: "" }, workspace, agent });
    const opened = await stores.sessions.open(session);
    const given = givenEntries(recorded, turn);
    const { continued: _, newSession: __, memory: ___, setAside: ____, ...options } = turn.options;
    const carried = given.filter(({ seq }) => seq <= continuedAt(turn)).length;
    const place = { sessionId: opened.session.sessionId, seq: opened.session.lastSeq + carried };
    const stop = new AbortController();
    const world = createRecordedWorld({
      recorded,
      steps,
      turn,
      turns: stores.turns,
      given: given.length,
      stop,
    });
    const { row } = await stores.inbox.accept(messageFor(turn, clock));
    const queued = await stores.turns.enqueue({
      inputs: [row.id],
      session,
      destination: null,
      person: turn.person,
      rule: turn.rule,
      options: { ...options, ...(carried > 0 && { continued: place }) },
      mode: "followup",
      cap: 1,
      direct: true,
    });
    if (queued.type !== "queued") throw new Error("a run that is played again was not queued");

    const liveness = createProcessLiveness();
    const run = createTurnRunner({
      turns: world.turns,
      entries: stores.entries,
      leases: createSessionLeases({
        leases: stores.leases,
        clock,
        holder: liveness.self(ids.make("h")),
        isAlive: liveness.isAlive,
      }),
      clock,
      redactor: createRedactor(),
      mirror: async () => {},
      isStale: () => false,
      deadlineMs: () => 60_000,
      drafts: () => [],
      noticeOf: () => undefined,
      textsFor: () => recordedTexts(recorded, turn, world),
      setUp: () => ({
        model: world.model,
        tools: world.tools,
        context: quietContext,
        ...limits,
        voice: { reasoning: "off", blockBreak: "none" },
      }),
    });
    for (let round = 0; round < mostRounds; round++) {
      const outcome = await run(queued.turn, stop.signal);
      if (outcome.type !== "waiting") break;
    }
    const replayed = world.asRecorded(await stores.turns.entries(turnId));
    const ended = await stores.turns.get(turnId);
    return compare(turn, recorded, replayed, ended?.ending?.type ?? null);
  } finally {
    await database.close();
  }
}

/** Who stops a run that waits writes results for its calls, not the loop: they have no details. */
function withoutOutside(entries: readonly Entry[]): Entry[] {
  const own = entries.findLastIndex(
    (entry) =>
      entry.type !== "message" || entry.message.role !== "toolResult" || entry.message.details !== undefined,
  );
  return entries.slice(0, own + 1);
}

/** What was there before the model was first asked: of a run that was continued, all of it up to then. */
function givenEntries(recorded: readonly Entry[], turn: TurnRecord): Entry[] {
  const from = continuedAt(turn);
  const next = recorded.findIndex((entry) => entry.seq > from && !isFromUser(entry));
  return recorded.slice(0, next < 0 ? recorded.length : next);
}

function continuedAt({ options, sessionId }: TurnRecord): number {
  const continued = options["continued"] as ContinuedFrom | undefined;
  return continued && continued.sessionId === sessionId ? continued.seq : 0;
}

const isFromUser = (entry: Entry): boolean => entry.type === "message" && entry.message.role === "user";

/**
 * The limits that it ran into, as its ending tells; what it did not run into was wide enough. Of two calls that took turns the ending tells
 * one time more than the limit says, so there are two ways to read it.
 */
function limitsOf({ ending }: TurnRecord): [Limits, ...Limits[]] {
  const wide = { maxSteps: Number.MAX_SAFE_INTEGER, maxRepeatedCalls: 1_000_000 };
  if (ending?.type === "step-limit") return [{ ...wide, maxSteps: ending.steps }];
  if (ending?.type !== "repeated-calls") return [wide];
  return [
    { ...wide, maxRepeatedCalls: ending.times },
    { ...wide, maxRepeatedCalls: ending.times - 1 },
  ];
}

/** Something has to be answered; its words are those that were recorded. */
const messageFor = (turn: TurnRecord, clock: Clock): InboundMessage => ({
  tenantId,
  workspaceId: turn.workspaceId,
  channel: "replay",
  accountId: "replay",
  peer: { kind: "user", id: "replay" },
  sender: { id: "replay" },
  message: { type: "text", id: turn.turnId, text: "", attachments: [], mentioned: true },
  timestamp: clock.now(),
});

/** Endings that come from outside of the loop: a run that is played again just comes to the end of what is recorded. */
const fromOutside: ReadonlySet<string> = new Set(["aborted", "abandoned", "crashed", "held", "dropped"]);

const unlabelled = (body: EntryBody | undefined): EntryBody | undefined => body && withoutLabel(body);

function compare(
  turn: TurnRecord,
  recorded: readonly Entry[],
  replayed: readonly EntryBody[],
  ending: string | null,
): ReplayView {
  const bodies = recorded.map(bodyOf);
  const length = Math.max(bodies.length, replayed.length);
  const at = Array.from({ length }, (_, index) => index).find(
    (index) => !isDeepStrictEqual(unlabelled(bodies[index]), unlabelled(replayed[index])),
  );
  const stored = turn.ending?.type ?? null;
  const endsAlike = stored === ending || stored === null || (ending === null && fromOutside.has(stored));
  return {
    runId: turn.turnId,
    same: at === undefined && endsAlike,
    stored: bodies.length,
    replayed: replayed.length,
    ending: { stored, replayed: ending },
    ...(at !== undefined && {
      difference: { at: at + 1, stored: bodies[at] ?? null, replayed: replayed[at] ?? null },
    }),
  };
}
