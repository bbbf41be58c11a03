/** Turns: run in their lanes, with their text streamed to the outbound side. */
import type { Destination } from "@pincer/sdk";
import { isAsked } from "../../routing/chat-channels.ts";
import { isTroubleOfStorage } from "../../routing/lane-place.ts";
import { createLanes, type Lanes } from "../../routing/lanes.ts";
import { isOver, resetFor } from "../../routing/reset-policy.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { OutboxDraft } from "../../storage/outbox/outbox.ts";
import type { ReplyTarget } from "../../agent/reply-stream/tags.ts";
import { parentOf } from "../../agent/children/child-turns.ts";
import { agentSettings } from "../../agent/agent-settings.ts";
import { dropQueued } from "../../channels/drop-queued.ts";
import { createLongAnswers } from "../../channels/long-answers.ts";
import type { ReplyRequest } from "../../channels/replies.ts";
import type { NoticeDraft } from "../../storage/outbox/notice.ts";
import type { TurnEndingRecord, TurnRecord } from "../../storage/turns/turns.ts";
import { sessionLeaseName } from "../../storage/sessions/session-lease.ts";
import { createConversationAccess } from "../../channels/conversation/create-conversation-access.ts";
import { openConnectedModels, type LazyModels } from "../../agent/models/connected-models.ts";
import type { Effects } from "../../agent/effects/effects.ts";
import { openLabels, type OpenLabels } from "../../gate/labels/open-labels.ts";
import { openEffects } from "../../agent/effects/open-effects.ts";
import { openMemory } from "../../agent/memory/open-memory.ts";
import { createMediaStore, type KeptMedia } from "../../storage/media/media-store.ts";
import { tellLostProgram } from "../../channels/tell-lost-program.ts";
import { logTurns } from "../../gateway/logs/log-turns.ts";
import { createApprovalTelling } from "../../channels/tell-approval.ts";
import { createEngine, type Engine } from "../../routing/engine.ts";
import { turnDeadlineMs, type EngineParts } from "../../routing/turn-machinery.ts";
import type { TurnWishes } from "../../agent/turns/turn-wishes.ts";
import type { ObservedBase } from "./open-observers.ts";
import type { Outbound } from "./open-outbound.ts";
import { followTurns } from "../../channels/follow-turns.ts";
import { publishRun, tellEvents } from "../../gateway/tell-events.ts";
import { tellCalls } from "../../channels/tell-calls.ts";
import { watchQueued } from "../../channels/watch-queued.ts";

type EngineDrafts = NonNullable<EngineParts["delivery"]>["drafts"];

/** How long a turn that was told to stop may take to do so. */
const graceMs = 5000;
/** A command that runs a question itself takes it up at once; one that is older than this was left by a command that is gone. */
const abandonedAfterMs = 60_000;

export interface Turns {
  engine: Engine;
  lanes: Lanes;
  connected: LazyModels;
  memory: ReturnType<typeof openMemory>;
  effects: Effects;
  labels: OpenLabels;
  media: KeptMedia;
  /** What holds for every turn that does not say otherwise. */
  wishes: TurnWishes;
  /** First what was left behind: what nobody runs any more is ended, and what effects have left is cleared away. */
  recover(): Promise<void>;
  /** No new turn begins; what runs may end within the bound, then parks. */
  close(withinMs: number): Promise<void>;
}

/** What turns ask of chapters that open after them. */
export interface LaterChapters {
  /** A message that the product sent itself is in the inbox. */
  received(row: InboxRow): void;
  /** Undefined where no page is served. */
  pageAddress(): string | undefined;
}

export function openTurns(
  base: ObservedBase,
  outbound: Outbound,
  { received, pageAddress }: LaterChapters,
): Turns {
  const { gatewayContext, parts, options, extras, bus, turnEvents, observers, plugins } = base;
  const { replies, previews, blocks, typing, working, notifier, wake } = outbound;
  const { openedHome, config, trouble } = gatewayContext;
  const { clock, stores } = openedHome;
  const { say } = parts;
  const resources = openResources(base);
  const { effects } = resources;
  const longAnswers = createLongAnswers({
    replies,
    media: resources.media,
    traitsOf: gatewayContext.traitsOf,
    mostMessages: () => config().agents.defaults.maxAnswerMessages,
    pageAddress,
    say,
  });
  const request = (
    turn: TurnRecord,
    text: string,
    target: ReplyTarget = "current",
    { canGoOn, earlier = "" }: { canGoOn: boolean; earlier?: string } = { canGoOn: false },
  ): ReplyRequest | undefined => {
    const { destination, turnId } = turn;
    // Where nothing is shown while it grows, everything comes with the end.
    const isUnseen = earlier !== "" && destination !== null && !isShownGrowing(turn, destination);
    const whole = isUnseen ? `${earlier}\n\n${text}` : text;
    // What went out in pieces while it grew is not said again.
    const rest = blocks.rest(turnId, whole);
    const answered = target === "current" ? turn.replyTo : target.id;
    const replyTo = rest === whole ? answered : null;
    // The text says the same: without buttons, people type it.
    const actions = canGoOn ? [{ label: say("turn.press-continue"), send: "/continue" }] : [];
    return destination
      ? { destination, turnId, replyTo, text: rest, actions, kind: "reply" as const }
      : undefined;
  };
  function isShownGrowing({ agentId }: TurnRecord, destination: Destination): boolean {
    const streaming = gatewayContext.account(destination)?.streaming ?? "off";
    if (streaming !== "blocks") return streaming === "edit";
    return agentSettings(config(), agentId).blockBreak !== "none";
  }
  /** Of a short text. */
  const drafts = (turn: TurnRecord, text: string): OutboxDraft[] => {
    const asked = request(turn, text);
    return asked ? replies.drafts(asked) : [];
  };
  const answerDrafts: EngineDrafts = (...given) => {
    const asked = request(...given);
    return asked ? longAnswers.drafts(asked) : [];
  };

  const wishes = {
    ...options.wishes,
    ...(options.workdir === undefined ? {} : { workdir: options.workdir }),
  };
  const engine = createEngine({
    openedHome,
    parts,
    config,
    ...resources,
    models: extras.models ?? [],
    tools: [...(extras.tools ?? []), ...plugins.tools],
    beforeCompact: extras.beforeCompact,
    provenance: extras.provenance,
    earlierTurns: extras.earlierTurns,
    wishes,
    received,
    turnEvents,
    conversation: createConversationAccess({
      ...openedHome,
      config,
      accounts: gatewayContext.accounts,
      redactor: parts.redactor,
      say,
      replies,
      wake,
      received,
    }),
    delivery: {
      drafts: answerDrafts,
      isStale: ({ origin }, session) =>
        isOver(session, resetFor(origin.channel, config().session.reset), clock.now()),
      noticeOf: noticeOfFailure,
    },
    asking: {
      telling: createApprovalTelling({
        ...stores,
        replies,
        say,
        redactor: parts.redactor,
        wake,
        look: notifier.look,
        isToldElsewhere: () => config().notify.to !== undefined,
      }),
      offer: (turn) => lanes.offer(turn),
    },
    decided: observers.watch.decided,
  });
  const following = followTurns({ previews, blocks, typing, working }, (rows) => {
    wake(rows);
    notifier.look();
  });
  const queued = watchQueued({
    lines: outbound.waitingLines,
    clock,
    find: (turnId) => stores.turns.get(turnId),
  });
  const calls = tellCalls({
    outbox: stores.outbox,
    replies,
    wake,
    redactor: parts.redactor,
    say,
    onError: (error) => trouble("telling calls", error),
  });
  for (const watch of [
    tellEvents(bus),
    calls,
    queued,
    logTurns(gatewayContext.log, clock),
    following,
    observers.gauges.turns.watch,
    observers.telemetry.watch,
    { over: forgetQuestions },
  ])
    turnEvents.subscribe(watch);

  /** Of a turn that is over without having been run to its end. */
  function forgetQuestions(turnId: string): void {
    engine.approvals
      .over(turnId)
      .catch((error: unknown) => trouble(`turn ${turnId}`, error, { runId: turnId }));
  }

  /** Of one that no lane runs: its process is there, or the turn whose call will go on with it. */
  async function isAlive(turn: TurnRecord): Promise<boolean> {
    const parentId = parentOf(turn)?.turnId;
    if (parentId !== undefined) {
      const parent = await stores.turns.get(parentId);
      return parent !== undefined && !isOverTurn(parent) && (!parent.direct || isAlive(parent));
    }
    const lease = await stores.leases.find(sessionLeaseName(turn));
    return lease !== undefined && openedHome.isAlive(lease.holder);
  }

  const lanes = createLanes({
    run: engine.run,
    turns: stores.turns,
    clock,
    limit: config().queue.concurrency,
    deadlineMs: () => turnDeadlineMs(config()),
    graceMs,
    /** A process that hangs has lost its lease when it wakes, and can write nothing more. */
    async evict(turn) {
      const taken = await stores.leases.acquire({
        name: sessionLeaseName(turn),
        holder: { id: "evicted", pid: process.pid, host: "", processStart: "" },
        ttlMs: 1,
        isStale: () => true,
      });
      if (taken.type === "acquired") await stores.leases.release(taken.fence);
    },
    async bury(turn) {
      const { turnId, claims } = turn;
      const rows = await stores.turns.bury(turnId, {
        replies: drafts(turn, say("turn.buried", { claims })),
        notice: {
          kind: "dead-letter",
          subject: `turn:${turnId}`,
          text: { key: "notice.dead-letter", parameters: { turnId, claims } },
        },
      });
      wake(rows);
      notifier.look();
    },
    waitedMs: engine.approvals.waitedMs,
    onOver: turnEvents.publish.over,
    stoppedDrafts: (turn) => drafts(turn, say("turn.aborted")),
    wakeOutbox: wake,
    onError(error, { turnId, sessionKey }) {
      trouble(`turn ${turnId}`, error, { runId: turnId, sessionKey });
      if (isTroubleOfStorage(error)) void queued.held(turnId, error);
    },
  });
  return {
    engine,
    lanes: announcing(stoppingWords(lanes, stores), (turn) => {
      publishRun(bus, "run.queued", turn);
      queued.queued(turn);
    }),
    ...resources,
    wishes,
    async recover() {
      await stores.inbox.settleAbandoned(new Date(clock.now() - abandonedAfterMs).toISOString());
      await stores.turns.settleAbandoned(isAlive);
      await effects.recover();
    },
    close: async (withinMs) => void (await lanes.drain(withinMs)),
  };
}

/** What turns work with: models, memory, files that came along, programs and the network. */
function openResources({ gatewayContext, parts, options, extras, lifetime, observers }: ObservedBase) {
  const { openedHome, config, trouble } = gatewayContext;
  const { stores, home, clock } = openedHome;
  const connected = openConnectedModels({
    ...parts,
    openedHome: { ...openedHome, stores: { ...stores, usage: observers.gauges.usage(stores.usage) } },
    config,
  });
  const memory = openMemory({
    ...parts,
    openedHome,
    config,
    connected,
    workdir: options.workdir,
    onError: (error) => trouble("memory", error),
  });
  lifetime.onEnd("memory", memory.close);
  const media = createMediaStore({ directory: home.mediaDir, limits: () => config().media, clock });
  const labels = openLabels(openedHome);
  const effects = openEffects({
    ...parts,
    ...openedHome,
    spans: labels.spans,
    secrets: openedHome.foundation.secrets,
    config,
    gateway: { tellLost: (record, text) => tellLostProgram(openedHome, record, parts.redactor.text(text)) },
    wayOut: extras.wayOut,
    onError: (error) => trouble("effects", error),
  });
  lifetime.onEnd("effects", effects.close);
  return { connected, memory, media, effects, labels };
}

const isOverTurn = ({ endedAt }: TurnRecord): boolean => endedAt !== null;

/** The same lanes; a stop takes along what waits to be sent, too. */
const stoppingWords = (lanes: Lanes, stores: Pick<TenantStores, "outbox" | "turns">): Lanes => ({
  ...lanes,
  async stop(workspaceId, sessionKey, by, wishes) {
    const stopped = await lanes.stop(workspaceId, sessionKey, by, wishes);
    if (by !== "stop") return stopped;
    const own = new Set(stopped.outbox.map(({ turnId }) => turnId));
    const turns = { get: async (turnId: string) => (own.has(turnId) ? undefined : stores.turns.get(turnId)) };
    const dropped = await dropQueued(
      { outbox: stores.outbox, turns },
      { workspaceId, sessionKey },
      wishes?.conversation,
    );
    return { ...stopped, count: stopped.count + (stopped.count === 0 && dropped > 0 ? 1 : 0) };
  },
});

/** The same lanes; those who watch hear of every turn that waits in them. */
const announcing = (lanes: Lanes, queued: (turn: TurnRecord) => void): Lanes => ({
  ...lanes,
  offer(turn) {
    queued(turn);
    lanes.offer(turn);
  },
});

/** A turn that fails where nobody sees it, or for somebody who cannot mend it, is the owner's business. */
function noticeOfFailure(turn: TurnRecord, ending: TurnEndingRecord): NoticeDraft | undefined {
  const { turnId, destination, origin, person } = turn;
  if (person.role === "peer" && "reason" in ending) {
    return {
      kind: "turn-failed",
      // One for all of a kind: the same problem affects every message.
      subject: `peers:${ending.type}`,
      text: {
        key: "notice.peer-turn-failed",
        parameters: { person: person.name ?? person.id, reason: ending.reason, turnId },
      },
    };
  }
  const isSeen = destination !== null || isAsked(origin.channel);
  if (isSeen || ending.type === "answered" || ending.type === "silent" || ending.type === "cut")
    return undefined;
  return {
    kind: "turn-failed",
    subject: `turn:${turnId}`,
    text: { key: "notice.turn-failed", parameters: { turnId, how: ending.type } },
  };
}
