/**
 * What runs turns, whoever wants them run: the command that asks once, and the gateway that runs for months. It stands on an open
 * home, reads the config as it is at the moment, and leaves to its owner when a turn runs and who is told.
 */
import {
  asPincerError,
  type MediaStore,
  type Model,
  type PincerError,
  type Tool,
  type ToolResult,
} from "@pincer/sdk";
import type { BeforeCompact } from "../agent/compaction/compaction.ts";
import { carryOver } from "../agent/carry-over.ts";
import { beginningOf } from "../agent/claim-of.ts";
import { createTurnRunner, type TurnRunnerParts, type TurnWatch } from "../agent/turn-runner.ts";
import type { RunTurn } from "../agent/turn-run.ts";
import type { Config } from "../config/schema.ts";
import { createLoopYield } from "../infra/loop-yield.ts";
import { sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { routeMessage, type Route, type RouteRequest } from "./route-message.ts";
import { systemMessage } from "./system-message.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { ConversationAccess } from "../tools/conversation/conversation-access.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import {
  createApprovals,
  tellNobody,
  type Approvals,
  type ApprovalsParts,
} from "../gate/approvals/create-approvals.ts";
import { createAgentRegistry } from "../agent/agents/agent-registry.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { BeginTurn, EndedSession, RecalledTurn, TurnRecord } from "../storage/turns/turns.ts";
import type { Memory } from "../memory/following/memory.ts";
import type { DescribeContext } from "../agent/context/context-description.ts";
import { describeRequest } from "../agent/context/describe-context.ts";
import { createResultReader } from "../agent/context/result-reader.ts";
import { createFailedSummaries } from "../agent/context/failed-summaries.ts";
import { createSessionSummaries } from "../agent/context/session-summaries.ts";
import { createTurnContexts } from "../agent/context/turn-contexts.ts";
import { createEffectRate } from "../policy/effect-rate.ts";
import type { ExplainCall } from "../gate/explain-call.ts";
import { explainedPlace, explanationOf } from "../gate/explain-call.ts";
import { createTurnGate, type TurnGateParts } from "../gate/turn-gate.ts";
import { createTurnModels, type ConnectedModels } from "../agent/models/turn-models.ts";
import { manualCall } from "../gate/gated-tools.ts";
import type { Effects } from "../agent/effects/effects.ts";
import { noEffects } from "../agent/effects/no-effects.ts";
import {
  answerOf,
  queueAsk,
  type AskAnswer,
  type AskInput,
  type MayBegin,
  type QueuedAsk,
} from "./ask-turn.ts";
import { queueContinue, type ContinueInput } from "./continue-turn.ts";
import { createRunEvents, type RunEvents } from "../agent/turns/run-events.ts";
import { withSessionWishes } from "./session-wishes.ts";
import { createTurnSetups, type TurnSetups } from "../agent/turns/set-up-turn.ts";
import { wishesOf, type TurnWishes } from "../agent/turns/turn-wishes.ts";

export interface EngineParts {
  openedHome: OpenHome;
  parts: OpenHomeParts;
  config(): Config;
  /** Models that are simply there: the first is used for every turn that names no other. */
  models?: readonly Model[];
  /** Models that have to be asked over a network. */
  connected: ConnectedModels;
  tools?: readonly Tool[];
  /** What reaches beyond words: programs, the network; left out where nothing does. */
  effects?:
    | (Pick<Effects, "toolsIn" | "stamp" | "keep" | "removed" | "turnEnded"> &
        Partial<Pick<Effects, "keeper">>)
    | undefined;
  /** Where pictures that a tool reads are kept for the model. */
  media?: Pick<MediaStore, "store"> | undefined;
  /** Other conversations, and people to write to; left out where nobody could be reached. */
  conversation?: ConversationAccess | undefined;
  /** What is remembered can be found there. */
  memory: Pick<Memory, "search" | "get" | "said">;
  /** Asked before a session is summed up: `session_before_compact`. */
  beforeCompact?: BeforeCompact | undefined;
  /** Off: nobody looks where arguments come from; for whoever measures what that is worth. */
  provenance?: "on" | "off" | undefined;
  /** Told of every call that was denied or has to be asked about. Must not throw. */
  decided?: TurnGateParts["decided"];
  /** What holds for every turn that does not say otherwise. */
  wishes?: TurnWishes;
  /** How a turn's words leave the house; without it nobody but the asker sees them. */
  delivery?: Pick<TurnRunnerParts, "drafts" | "isStale" | "noticeOf">;
  /** How the owner hears of questions, and who runs a turn that goes on; without it only those who follow a turn hear of them. */
  asking?: Pick<ApprovalsParts, "telling" | "offer">;
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
  /** Where calls wait for the owner. */
  approvals: Approvals;
  setups: TurnSetups;
  route(request: RouteRequest): Route;
  /** Throws PincerError; see `queueAsk`. */
  queue(input: AskInput, mayBegin?: MayBegin): Promise<QueuedAsk>;
  /** How a turn of that session could begin with the transaction that stores it; see `beginningOf`. */
  beginning(session: Parameters<MayBegin>[0], turn: Pick<BeginTurn, "turnId" | "told">): BeginTurn;
  /** Throws PincerError; see `queueContinue`. */
  resume(input: ContinueInput): ReturnType<typeof queueContinue>;
  /** What a run came to; undefined when there is none of that id. `known`: all of it, for whoever has it at hand. */
  answer(turnId: string, known?: RecalledTurn): Promise<AskAnswer | undefined>;
  /** What the next request of a session would hold. */
  describeContext: DescribeContext;
  /** What the gate would make of a call, without running it or asking anybody. Throws PincerError for a tool that is not there. */
  explain: ExplainCall;
  /** Runs a tool by the owner's own hand, without a turn. Throws PincerError for an agent or a workdir that is not there, never for what the tool does. */
  invoke(call: InvokedTool, signal: AbortSignal): Promise<ToolResult>;
  /** An error in words, with what to do next. */
  words(error: PincerError): string;
}

export function createEngine({ openedHome, parts, config, delivery, ...rest }: EngineParts): Engine {
  const { clock, ids, stores, tenantId, workspaceId, sessionMemory } = openedHome;
  const { say } = parts;
  const { effects = noEffects } = rest;
  const agents = createAgentRegistry({
    config,
    clock,
    environment: parts.environment,
    home: openedHome.home,
    cwd: parts.cwd,
    extraTools: rest.tools ?? [],
    readResult: createResultReader({ stores, workspaceId }),
    recall: rest.memory,
    effects,
    media: rest.media,
    conversation: rest.conversation,
    keeper: rest.effects?.keeper,
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
  const gate = createTurnGate({
    stores,
    config,
    redactor: parts.redactor,
    // Made further below: it tells those who follow runs.
    approvals: {
      consult: (question, signal) => approvals.consult(question, signal),
      spend: (approvalId) => approvals.spend(approvalId),
    },
    rate: createEffectRate({ clock, limits: () => config().tools.limits, say }),
    deletedBy: (turnId) => effects.removed(turnId),
    provenance: rest.provenance,
    decided: rest.decided,
    onError: tellError,
  });
  const setups = createTurnSetups({
    config,
    clock,
    agents,
    models,
    contexts,
    say,
    keep: effects.keep,
    gate,
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
  const approvals = createApprovals({
    approvals: stores.approvals,
    turns: stores.turns,
    clock,
    config,
    redactor: parts.redactor,
    events: {
      isWatched: events.isWatched,
      watch: {
        ...events.watch,
        event(turn, event) {
          events.watch.event(turn, event);
          rest.watch?.event?.(turn, event);
        },
      },
    },
    onError: tellError,
    ...(rest.asking ?? { telling: tellNobody, offer: () => {} }),
  });
  const words = (error: PincerError) => {
    const { message, hint } = sayError(error, say);
    return [message, hint].filter(Boolean).join("\n");
  };

  const allWishes = (
    { destination, options }: Pick<TurnRecord, "destination" | "options">,
    session: SessionRecord | undefined,
  ): TurnWishes => {
    const usual = { ...rest.wishes, ...(destination ? setups.wishesOf(destination.channel) : {}) };
    return withSessionWishes(usual, session, wishesOf({ options }));
  };

  const claiming = {
    leases: openedHome.leases,
    clock,
    redactor: parts.redactor,
    isStale: delivery?.isStale ?? (() => false),
    carry(last: EndedSession) {
      const { carry } = config().session.reset;
      return carry === "never" || (carry === "automatic" && last.isAsked) ? undefined : carryOver(last);
    },
    deadlineMs: () => turnDeadlineMs(config()),
  };
  const run = createTurnRunner({
    ...claiming,
    turns: stores.turns,
    entries: stores.entries,
    loopYield: createLoopYield(),
    async mirror(session) {
      await openedHome.mirror(session);
      await summaries.complete(session);
      rest.memory.said(session);
    },
    setUp: (turn, session) => setups.setUp(turn, session, allWishes(turn, session)),
    drafts: delivery?.drafts ?? (() => []),
    noticeOf: delivery?.noticeOf ?? (() => undefined),
    // What is wrong inside, and where, is the owner's to know; the owner gets a notice.
    textsFor: ({ role }) =>
      role === "peer"
        ? { ...turnTexts(say, config), ...briefTexts(say) }
        : { ...turnTexts(say, config), failed: words },
    watch: together(
      events.watch,
      together({ ending: gate.settled }, together(approvals.watch, together(undoable(effects), rest.watch))),
    ),
  });

  const route = (request: RouteRequest) =>
    routeMessage(request, {
      tenantId,
      workspaceId,
      defaultAgentId: openedHome.defaultAgentId,
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
    const wishes = allWishes({ destination, options: {} }, session);
    const channel = last?.origin.channel ?? "cli";
    const conversation = { sessionKey, session, destination, channel, person, wishes };
    const described = await setups.describe(routed.agentId, conversation);
    const named = { sessionKey, agentId: routed.agentId, session };
    return describeRequest({ entries: stores.entries, say }, { ...named, ...described });
  };

  const explain: ExplainCall = async ({ tool, arguments: given, as = {} }) => {
    const routed = route({
      ...(as.sessionKey === undefined ? {} : { sessionKey: as.sessionKey }),
      ...(as.agentId === undefined ? {} : { agentId: as.agentId }),
    });
    const { sessionKey, agentId } = routed;
    const session = await stores.sessions.findActive(workspaceId, sessionKey);
    const [last] = await stores.turns.list({ limit: 1, sessionKey });
    const claimed = await stores.pairing.listOwners();
    const owners = [...config().owners, ...claimed.map(({ channel, senderId }) => `${channel}:${senderId}`)];
    const asked = explainedPlace(as, last, owners);
    const wishes = allWishes({ destination: asked.destination, options: {} }, session);
    const explained = await setups.explain(
      agentId,
      { ...asked, sessionKey, session, last, wishes },
      given === undefined ? { name: tool } : manualCall({ name: tool, arguments: given }),
    );
    return explanationOf(explained);
  };

  /** As whoever holds the home: nobody else can ask this way. */
  async function invoke(call: InvokedTool, signal: AbortSignal): Promise<ToolResult> {
    const { sessionKey, agentId } = route(call.agentId === undefined ? {} : { agentId: call.agentId });
    const wishes = { ...rest.wishes, ...(call.workdir === undefined ? {} : { workdir: call.workdir }) };
    const person = { role: "owner" as const, id: "cli:owner" };
    const id = ids.make("h");
    const place = { sessionKey, channel: "cli", person, wishes, destination: null };
    const gated = await setups.byHand(agentId, place, id);
    return gated.call(manualCall(call), signal).finally(() => effects.turnEnded(id));
  }

  const { turns } = stores;
  const asking = { turns, tenantId, workspaceId, clock, ids, redactor: parts.redactor, route, setups };

  return {
    run,
    events,
    approvals,
    setups,
    route,
    words,
    describeContext,
    invoke,
    explain,
    queue: (input, mayBegin) =>
      queueAsk(asking, { ...input, wishes: { ...rest.wishes, ...input.wishes } }, mayBegin),
    beginning: (session, turn) => beginningOf(claiming, session, turn),
    resume: (input) => queueContinue(asking, input),
    async answer(turnId, known) {
      const found = known ?? (await stores.turns.recall(turnId));
      return found && answerOf(found.turn, found.session, found.entries, sessionMemory.fileOf);
    },
  };
}

/** How long a turn may work; what takes longer is stopped by whoever watches the turns. */
export const turnDeadlineMs = ({ tools }: Pick<Config, "tools">): number => tools.limits.turnMinutes * 60_000;

/** Nobody waits for it: the answer is out by then. */
const undoable = ({ turnEnded }: Pick<Effects, "turnEnded">): TurnWatch => ({
  ended: ({ turnId }) => turnEnded(turnId),
});

type Texts = ReturnType<TurnRunnerParts["textsFor"]>;

const briefTexts = (say: Say): Pick<Texts, "modelFailed" | "overBudget" | "broken" | "failed"> => ({
  broken: () => say("turn.broken.brief"),
  modelFailed: () => say("turn.model-failed.brief"),
  overBudget: () => say("turn.over-budget.brief"),
  failed: () => say("turn.failed.brief"),
});

const turnTexts = (say: Say, config: () => Config): Omit<Texts, "failed"> => ({
  broken: (reason) => say("turn.broken", { reason }),
  outOfTime: () => say("turn.overdue", { minutes: config().tools.limits.turnMinutes }),
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
  aborted: (by) => say(by === "interrupt" ? "turn.interrupted" : "turn.aborted"),
});

/** Both are told. */
export function together(first: TurnWatch, second: TurnWatch | undefined): TurnWatch {
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
    ended(...told) {
      // The messages go on their way before anybody else is told.
      second.ended?.(...told);
      first.ended?.(...told);
    },
  };
}
