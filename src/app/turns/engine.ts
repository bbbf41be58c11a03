/**
 * What runs turns, whoever wants them run: the command that asks once, and the gateway that runs for months. It stands on an open
 * ground, reads the config as it is at the moment, and leaves to its owner when a turn runs and who is told.
 */
import {
  asPincerError,
  type MediaStore,
  type Model,
  type PincerError,
  type Tool,
  type ToolResult,
} from "@pincer/sdk";
import type { BeforeCompact } from "../../agent/compaction/compaction.ts";
import { carryOver } from "../../agent/carry-over.ts";
import { createTurnRunner, type TurnRunnerParts, type TurnWatch } from "../../agent/turn-runner.ts";
import type { RunTurn } from "../../agent/turn-run.ts";
import type { Config } from "../../config/schema.ts";
import { createBreath } from "../../infra/breath.ts";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { routeMessage, type Route, type RouteRequest } from "../../routing/route-message.ts";
import { systemMessage } from "../../routing/system-message.ts";
import type { InboxRow } from "../../storage/inbox.ts";
import type { Ground, GroundParts } from "../open-ground.ts";
import { createAgentRegistry } from "../agents/agent-registry.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import type { Memory } from "../memory/memory-room-door.ts";
import type { DescribeContext } from "../context/context-description.ts";
import { describeRequest } from "../context/describe-context.ts";
import { createResultReader } from "../context/result-reader.ts";
import { createFailedSummaries } from "../context/failed-summaries.ts";
import { createSessionSummaries } from "../context/session-summaries.ts";
import { createTurnContexts } from "../context/turn-contexts.ts";
import { createTurnModels, type ConnectedModels } from "../models/turn-models.ts";
import { manualCall } from "../gated-tools.ts";
import type { Hands } from "../hands/hands.ts";
import { noHands } from "../hands/no-hands.ts";
import { answerOf, queueAsk, type AskAnswer, type AskInput } from "./ask-turn.ts";
import { queueContinue, type ContinueInput } from "./continue-turn.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { createTurnSetups, type TurnSetups } from "./set-up-turn.ts";
import { wishesOf, type TurnWishes } from "./turn-wishes.ts";

export interface EngineParts {
  ground: Ground;
  parts: GroundParts;
  config(): Config;
  /** Models that are simply there: the first is used for every turn that names no other. */
  models?: readonly Model[];
  /** Models that have to be asked over a network. */
  connected: ConnectedModels;
  tools?: readonly Tool[];
  /** What reaches beyond words: programs, the network; left out where nothing does. */
  hands?:
    | (Pick<Hands, "toolsIn" | "stamp" | "keep" | "turnEnded"> & Partial<Pick<Hands, "keeper">>)
    | undefined;
  /** Where pictures that a tool reads are kept for the model. */
  media?: Pick<MediaStore, "store"> | undefined;
  /** What is remembered can be found there. */
  memory: Pick<Memory, "search" | "get" | "said">;
  /** Asked before a session is summed up: `session_before_compact`. */
  beforeCompact?: BeforeCompact | undefined;
  /** What holds for every turn that does not say otherwise. */
  wishes?: TurnWishes;
  /** How a turn's words leave the house; without it nobody but the asker sees them. */
  delivery?: Pick<TurnRunnerParts, "drafts" | "isStale" | "noticeOf">;
  /** Besides those who subscribe to a run. */
  watch?: TurnWatch;
  /** A message that the product sent itself is in the inbox; without it the next gateway takes it up. */
  received?(row: InboxRow): void;
}

export interface InvokedTool {
  name: string;
  /** Whatever was written: what is no object is refused by the tool's own check. */
  arguments: unknown;
  agentId?: string | undefined;
  workdir?: string | undefined;
}

export interface Engine {
  run: RunTurn;
  events: RunEvents;
  setups: TurnSetups;
  route(request: RouteRequest): Route;
  /** Throws PincerError; see `queueAsk`. */
  queue(input: AskInput): ReturnType<typeof queueAsk>;
  /** Throws PincerError; see `queueContinue`. */
  resume(input: ContinueInput): ReturnType<typeof queueContinue>;
  /** What a run came to; undefined when there is none of that id. */
  answer(turnId: string): Promise<AskAnswer | undefined>;
  /** What the next request of a session would hold. */
  describeContext: DescribeContext;
  /** Runs a tool by the owner's own hand, without a turn. Throws PincerError for an agent or a workdir that is not there, never for what the tool does. */
  invoke(call: InvokedTool, signal: AbortSignal): Promise<ToolResult>;
  /** An error in words, with what to do next. */
  words(error: PincerError): string;
}

export function createEngine({ ground, parts, config, delivery, ...rest }: EngineParts): Engine {
  const { clock, ids, stores, tenantId, workspaceId, sessionMemory } = ground;
  const { say } = parts;
  const { hands = noHands } = rest;
  const agents = createAgentRegistry({
    config,
    clock,
    environment: parts.environment,
    home: ground.home,
    cwd: parts.cwd,
    extraTools: rest.tools ?? [],
    readResult: createResultReader({ stores, workspaceId }),
    recall: rest.memory,
    hands,
    media: rest.media,
    keeper: rest.hands?.keeper,
  });
  const tellError = (error: unknown) => parts.notify(sayError(asPincerError(error), say).message);
  const summaries = createSessionSummaries({
    entries: stores.entries,
    memory: sessionMemory,
    isWanted: () => config().memory.mirrorSummary,
    onError: tellError,
  });
  const contexts = createTurnContexts({
    config,
    rules: stores.rules,
    sessionMemory,
    summaries,
    clock,
    failures: createFailedSummaries({ clock, notices: stores.notices, onError: tellError }),
    beforeCompact: rest.beforeCompact,
  });
  const models = createTurnModels({
    given: rest.models ?? [],
    connected: rest.connected,
    say,
    makeCallId: () => ids.make("call"),
  });
  const setups = createTurnSetups({
    config,
    agents,
    models,
    contexts,
    say,
    keep: hands.keep,
    async late({ turnId, workspaceId: inSpace, sessionKey, destination }, call, text, id) {
      const { row, type } = await stores.inbox.accept(
        systemMessage({
          tenantId,
          workspaceId: inSpace,
          id: `${turnId}:${id}`,
          from: `tool:${call.name}`,
          sessionKey,
          destination,
          text: parts.redactor.text(text),
          now: clock.now(),
        }),
      );
      if (type === "stored") rest.received?.(row);
    },
  });
  const events = createRunEvents();
  const words = (error: PincerError) => {
    const { message, hint } = sayError(error, say);
    return [message, hint].filter(Boolean).join("\n");
  };

  const allWishes = ({ destination, options }: Pick<TurnRecord, "destination" | "options">): TurnWishes => ({
    ...rest.wishes,
    ...(destination ? setups.wishesOf(destination.channel) : {}),
    ...wishesOf({ options }),
  });

  const run = createTurnRunner({
    turns: stores.turns,
    entries: stores.entries,
    leases: ground.leases,
    clock,
    breath: createBreath(),
    redactor: parts.redactor,
    async mirror(session) {
      await ground.mirror(session);
      await summaries.complete(session);
      rest.memory.said(session);
    },
    setUp: (turn, session) => setups.setUp(turn, session, allWishes(turn)),
    isStale: delivery?.isStale ?? (() => false),
    carry(last) {
      const { carry } = config().session.reset;
      return carry === "never" || (carry === "automatic" && last.isAsked) ? undefined : carryOver(last);
    },
    deadlineMs: turnDeadlineMs,
    drafts: delivery?.drafts ?? (() => []),
    noticeOf: delivery?.noticeOf ?? (() => undefined),
    // What is wrong inside, and where, is the owner's to know; the owner gets a notice.
    textsFor: ({ role }) =>
      role === "peer" ? { ...turnTexts(say), ...briefTexts(say) } : { ...turnTexts(say), failed: words },
    watch: together(events.watch, together(undoable(hands), rest.watch)),
  });

  const route = (request: RouteRequest) =>
    routeMessage(request, {
      tenantId,
      workspaceId,
      defaultAgentId: ground.defaultAgentId,
      agentIds: config().agents.list.map((agent) => agent.id),
    });

  const describeContext: DescribeContext = async ({ sessionKey: key, sessionId, agentId }) => {
    const routed = route({ ...(key === undefined ? {} : { sessionKey: key }), ...(agentId && { agentId }) });
    const { sessionKey } = routed;
    const session =
      sessionId === undefined
        ? await stores.sessions.findActive(workspaceId, sessionKey)
        : await stores.sessions.get(sessionId);
    // As the last turn was: who is there, and where, the session itself does not say.
    const [last] = await stores.turns.list({ limit: 1, sessionKey });
    const { destination = null, person = { role: "owner" as const, id: "cli:owner" } } = last ?? {};
    const wishes = allWishes({ destination, options: {} });
    const channel = last?.origin.channel ?? "cli";
    const conversation = { sessionKey, session, destination, channel, person, wishes };
    const described = await setups.describe(routed.agentId, conversation);
    const named = { sessionKey, agentId: routed.agentId, session };
    return describeRequest({ entries: stores.entries, say }, { ...named, ...described });
  };

  /** As whoever holds the home: nobody else can ask this way. */
  async function invoke(call: InvokedTool, signal: AbortSignal): Promise<ToolResult> {
    const { sessionKey, agentId } = route(call.agentId === undefined ? {} : { agentId: call.agentId });
    const wishes = { ...rest.wishes, ...(call.workdir === undefined ? {} : { workdir: call.workdir }) };
    const person = { role: "owner" as const, id: "cli:owner" };
    const id = ids.make("h");
    const place = { sessionKey, channel: "cli", person, wishes, destination: null };
    const gated = await setups.byHand(agentId, place, id);
    return gated.call(manualCall(call), signal).finally(() => hands.turnEnded(id));
  }

  const { turns } = stores;
  const asking = { turns, tenantId, workspaceId, clock, ids, redactor: parts.redactor, route, setups };

  return {
    run,
    events,
    setups,
    route,
    words,
    describeContext,
    invoke,
    queue: (input) => queueAsk(asking, { ...input, wishes: { ...rest.wishes, ...input.wishes } }),
    resume: (input) => queueContinue(asking, input),
    async answer(turnId) {
      const found = await stores.turns.recall(turnId);
      return found && answerOf(found.turn, found.session, found.entries, sessionMemory.fileOf);
    },
  };
}

/** Longer than any tool should take; what hangs longer is stopped by whoever watches the turns. */
export const turnDeadlineMs = 15 * 60_000;

/** Nobody waits for it: the answer is out by then. */
const undoable = ({ turnEnded }: Pick<Hands, "turnEnded">): TurnWatch => ({
  ended: ({ turnId }) => turnEnded(turnId),
});

type Texts = ReturnType<TurnRunnerParts["textsFor"]>;

const briefTexts = (say: Say): Pick<Texts, "modelFailed" | "overBudget" | "failed"> => ({
  modelFailed: () => say("turn.model-failed.brief"),
  overBudget: () => say("turn.over-budget.brief"),
  failed: () => say("turn.failed.brief"),
});

const turnTexts = (say: Say): Omit<Texts, "failed"> => ({
  stepLimit: (steps) => say("turn.step-limit", { steps }),
  repeatedCalls: (tool, times) => say("turn.repeated-calls", { tool, times }),
  cut: () => say("turn.cut"),
  modelFailed: (reason) => say("turn.model-failed", { reason }),
  overBudget: (reason) => reason,
  answeredNothing: () => say("turn.answered-nothing"),
  brokeOff: () => say("turn.broke-off"),
  thenContinue: () => say("turn.then-continue"),
  compacted: (sizes) => say("compact.done", sizes),
  nothingToCompact: () => say("compact.nothing"),
  compactionFailed: (reason) => say("compact.failed", { reason }),
  aborted: (by) =>
    say(by === "overdue" ? "turn.overdue" : by === "interrupt" ? "turn.interrupted" : "turn.aborted"),
});

function together(first: TurnWatch, second: TurnWatch | undefined): TurnWatch {
  if (!second) return first;
  return {
    begun(turn, session) {
      first.begun?.(turn, session);
      second.begun?.(turn, session);
    },
    event(turn, event) {
      first.event?.(turn, event);
      second.event?.(turn, event);
    },
    waiting(turn, lease) {
      first.waiting?.(turn, lease);
      second.waiting?.(turn, lease);
    },
    async ending(turn) {
      await first.ending?.(turn);
      await second.ending?.(turn);
    },
    ended(turn, outbox) {
      // The messages go on their way before anybody else is told.
      second.ended?.(turn, outbox);
      first.ended?.(turn, outbox);
    },
  };
}
