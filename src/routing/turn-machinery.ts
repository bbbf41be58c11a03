/**
 * Everything that runs a turn, put together: agents and their tools, models, contexts, the gate with its approvals,
 * and the runner. Always uses the current config.
 */
import { asPincerError, type MediaStore, type Model, type PincerError, type Tool } from "@pincer/sdk";
import type { BeforeCompact } from "../agent/compaction/compaction.ts";
import { carryOver } from "../agent/carry-over.ts";
import { createTurnClosing } from "../agent/turn-closing.ts";
import { createTurnRunner, type TurnRunnerParts } from "../agent/turn-runner.ts";
import type { Config } from "../config/schema.ts";
import { createLoopYield } from "../infra/loop-yield.ts";
import { sayError } from "../infra/failure.ts";
import { systemMessage } from "./system-message.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { ConversationAccess } from "../tools/conversation/conversation-access.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import { createApprovals, tellNobody, type ApprovalsParts } from "../gate/approvals/create-approvals.ts";
import { createChildTurns } from "../agent/children/child-turns.ts";
import { createScouts } from "../agent/scout/create-scouts.ts";
import { createScoutSetup } from "../agent/scout/set-up-scout.ts";
import { createAgentRegistry } from "../agent/agents/agent-registry.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { EndedSession, TurnRecord } from "../storage/turns/turns.ts";
import type { Memory } from "../memory/following/memory.ts";
import { createResultReader } from "../agent/context/result-reader.ts";
import { createFailedSummaries } from "../agent/context/failed-summaries.ts";
import { createSessionSummaries } from "../agent/context/session-summaries.ts";
import { createTurnContexts } from "../agent/context/turn-contexts.ts";
import { bitsPerDay } from "../gate/leaving/check-address.ts";
import { createEffectRate } from "../policy/effect-rate.ts";
import { openLabels, type OpenLabels } from "../gate/labels/open-labels.ts";
import { createTurnGate, type TurnGateParts } from "../gate/turn-gate.ts";
import { createTurnModels, type ConnectedModels } from "../agent/models/turn-models.ts";
import type { Effects } from "../agent/effects/effects.ts";
import { noEffects } from "../agent/effects/no-effects.ts";
import { createRunEvents } from "../agent/turns/run-events.ts";
import { withSessionWishes } from "./session-wishes.ts";
import { createTurnSetups, type DryRunParts } from "../agent/turns/set-up-turn.ts";
import { createTurnEvents, type TurnEvents, type TurnWatch } from "../agent/turns/turn-events.ts";
import { wishesOf, type TurnWishes } from "../agent/turns/turn-wishes.ts";
import { createTurnTexts } from "./turn-texts.ts";

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
    | (Pick<Effects, "toolsIn" | "scoutTools" | "stamp" | "keep" | "removed" | "turnEnded"> &
        Partial<Pick<Effects, "keeper" | "copies" | "wall" | "unseen" | "changedBy">>)
    | undefined;
  /** What is known of files; opened here if nobody else needs it. */
  labels?: OpenLabels | undefined;
  /** Where pictures that a tool reads are kept for the model. */
  media?: Pick<MediaStore, "store"> | undefined;
  /** Other conversations, and people to write to; left out where nobody could be reached. */
  conversation?: ConversationAccess | undefined;
  /** What is remembered can be found there. */
  memory: Pick<Memory, "search" | "get" | "said">;
  /** Asked before a session is summed up: `session_before_compact`. */
  beforeCompact?: BeforeCompact | undefined;
  /** `off` disables provenance checks (benchmarks only). */
  provenance?: "on" | "off" | undefined;
  /** `whole` shows earlier turns as they are (benchmarks only). */
  earlierTurns?: "whole" | undefined;
  /** Told of every call that was denied or has to be asked about. Must not throw. */
  decided?: TurnGateParts["decided"];
  /** What holds for every turn that does not say otherwise. */
  wishes?: TurnWishes;
  /** How the text of a turn is delivered; without it only the caller sees it. */
  delivery?: Pick<TurnRunnerParts, "drafts" | "isStale" | "noticeOf">;
  /** How the owner hears of questions, and who runs a turn that goes on; without it only those who follow a turn hear of them. */
  asking?: Pick<ApprovalsParts, "telling" | "offer">;
  /** Where turn events are published; a private hub if nobody else watches. Watchers subscribe after the machinery is built. */
  turnEvents?: TurnEvents;
  /** A message that the product sent itself is in the inbox; without it the next gateway takes it up. */
  received?(row: InboxRow): void;
}

/** What a turn wishes, with what holds for its channel and its session. */
export type AllWishes = (
  turn: Pick<TurnRecord, "destination" | "options">,
  session: SessionRecord | undefined,
) => TurnWishes;

export function buildTurnMachinery({ openedHome, parts, config, delivery, ...rest }: EngineParts) {
  const { turnEvents = createTurnEvents() } = rest;
  const { clock, ids, stores, tenantId, workspaceId, sessionMemory } = openedHome;
  const { say } = parts;
  const { effects = noEffects, labels = openLabels(openedHome) } = rest;
  const agents = createAgentRegistry({
    config,
    clock,
    environment: parts.environment,
    home: openedHome.home,
    cwd: parts.cwd,
    extraTools: rest.tools ?? [],
    stored: createResultReader({ stores, workspaceId }),
    recall: rest.memory,
    effects,
    labels,
    media: rest.media,
    conversation: rest.conversation,
    keeper: rest.effects?.keeper,
    sendScout: (...errand) => sendScout(...errand),
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
    earlierTurns: rest.earlierTurns,
  });
  const models = createTurnModels({
    given: rest.models ?? [],
    connected: rest.connected,
    say,
    makeCallId: () => ids.make("call"),
  });
  const events = createRunEvents();
  const approvals = createApprovals({
    approvals: stores.approvals,
    turns: stores.turns,
    clock,
    config,
    redactor: parts.redactor,
    events: { isWatched: events.isWatched, watch: turnEvents.publish },
    onError: tellError,
    ...(rest.asking ?? { telling: tellNobody, offer: () => {} }),
  });
  const gate = createTurnGate({
    stores,
    config,
    redactor: parts.redactor,
    approvals: approvals,
    rate: createEffectRate({ clock, limits: () => config().tools.limits, say }),
    deletedBy: (turnId) => effects.removed(turnId),
    unseenChange: rest.effects?.unseen,
    spendBits: (agentId, bits) =>
      stores.gate.spendBits({ agentId, bits, day: dayOf(clock.now()), limit: bitsPerDay }),
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
    keep: effects.keep,
    dryRuns: dryRunsOf(rest.effects),
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
  const words = (error: PincerError) => {
    const { message, hint } = sayError(error, say);
    return [message, hint].filter(Boolean).join("\n");
  };

  const allWishes: AllWishes = ({ destination, options }, session) => {
    const usual = { ...rest.wishes, ...(destination ? setups.wishesOf(destination.channel) : {}) };
    return withSessionWishes(usual, session, wishesOf({ options }));
  };

  // Before anybody else: those who follow one run, and what a turn leaves behind.
  for (const watch of [events.watch, { ending: gate.settled }, approvals.watch, undoable(effects)])
    turnEvents.subscribe(watch);

  const running = {
    leases: openedHome.leases,
    clock,
    redactor: parts.redactor,
    deadlineMs: () => turnDeadlineMs(config()),
    turns: stores.turns,
    entries: stores.entries,
    loopYield: createLoopYield(),
    textsFor: createTurnTexts({ say, config, words }),
  };
  const run = createTurnRunner({
    ...running,
    isStale: delivery?.isStale ?? (() => false),
    carry(last: EndedSession) {
      const { carry } = config().session.reset;
      return carry === "never" || (carry === "automatic" && last.isAsked) ? undefined : carryOver(last);
    },
    memoryOf: ({ destination }: TurnRecord) =>
      destination ? setups.wishesOf(destination.channel).memory : undefined,
    async mirror(session) {
      await openedHome.mirror(session);
      await summaries.complete(session);
      rest.memory.said(session);
    },
    setUp: (turn, session) => setups.setUp(turn, session, allWishes(turn, session)),
    drafts: delivery?.drafts ?? (() => []),
    noticeOf: delivery?.noticeOf ?? (() => undefined),
    closing: createTurnClosing({
      gate,
      changedBy: rest.effects?.changedBy,
      turns: stores.turns,
      copies: rest.effects?.copies,
      say,
      onError: tellError,
    }),
    watch: turnEvents.publish,
    async waitingCalls({ sessionKey }) {
      const asked = await stores.approvals.list({ limit: mostWaiting, states: ["pending"], sessionKey });
      return new Set(asked.map(({ callId }) => callId));
    },
  });
  // Nobody watches a child: what it comes to is its parent's.
  const runChild = createTurnRunner({
    ...running,
    isStale: () => false,
    mirror: openedHome.mirror,
    setUp: createScoutSetup({
      ...stores,
      config,
      agents,
      models,
      contexts,
      gate,
      wishesOf: allWishes,
    }),
    drafts: () => [],
    noticeOf: () => undefined,
  });
  const sendScout = createScouts({
    turns: stores.turns,
    children: createChildTurns({ ...stores, runChild, tenantId, clock }),
  });
  return { run, events, approvals, setups, effects, labels, words, allWishes };
}

const dryRunsOf = (effects: EngineParts["effects"]): DryRunParts | undefined =>
  effects?.copies && effects.wall && { copies: effects.copies, wall: effects.wall };

/** More of one session are not told apart. */
const mostWaiting = 100;

/** How long a turn may work; the turn watcher stops what takes longer. */
export const turnDeadlineMs = ({ tools }: Pick<Config, "tools">): number => tools.limits.turnMinutes * 60_000;

/** Nobody waits for it: the answer is out by then. */
const undoable = ({ turnEnded }: Pick<Effects, "turnEnded">): TurnWatch => ({
  ended: ({ turnId }) => turnEnded(turnId),
});

/** In UTC. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
