/** The middle: turns, run in their lanes, with their words on the way out. */
import type { EventBus } from "../../gateway/event-bus.ts";
import { isAsked } from "../../routing/chat-channels.ts";
import { createLanes, type Lanes } from "../../routing/lanes.ts";
import { isOver, resetFor } from "../../routing/reset-policy.ts";
import type { NoticeDraft } from "../../storage/outbox/notice.ts";
import type { TurnEndingRecord, TurnRecord } from "../../storage/turns/turns.ts";
import { sessionLeaseName } from "../../storage/sessions/session-lease.ts";
import { createConversationAccess } from "../../channels/conversation/create-conversation-access.ts";
import { openConnectedModels, type LazyModels } from "../../agent/models/connected-models.ts";
import type { Effects } from "../../agent/effects/effects.ts";
import { openEffects } from "../../agent/effects/open-effects.ts";
import { openMemory } from "../../agent/memory/open-memory.ts";
import { createMediaStore, type KeptMedia } from "../../storage/media/media-store.ts";
import { tellLostProgram } from "../../channels/tell-lost-program.ts";
import { logTurns } from "../../gateway/logs/log-turns.ts";
import { createApprovalTelling } from "../../channels/tell-approval.ts";
import { createEngine, type Engine } from "../../routing/engine.ts";
import { turnDeadlineMs, type EngineParts } from "../../routing/turn-machinery.ts";
import type { GatewayBase } from "./open-base.ts";
import type { Outbound } from "./open-outbound.ts";
import { followTurns } from "../../channels/follow-turns.ts";
import { publishRun, tellEvents } from "../../gateway/tell-events.ts";
import { tellCalls } from "../../channels/tell-calls.ts";

type EngineDrafts = NonNullable<EngineParts["delivery"]>["drafts"];

/** How long a turn that was told to stop may take to do so. */
const graceMs = 5000;

export interface Turns {
  engine: Engine;
  lanes: Lanes;
  connected: LazyModels;
  memory: ReturnType<typeof openMemory>;
  effects: Effects;
  media: KeptMedia;
  /** First what was left behind: what nobody runs any more is ended, and what effects have left is cleared away. */
  recover(): Promise<void>;
  /** No new turn begins; what runs may end within the bound, then parks. */
  close(withinMs: number): Promise<void>;
}

export function openTurns(base: GatewayBase, outbound: Outbound): Turns {
  const { gatewayContext, parts, options, extras, live, bus, turnEvents, observers, plugins } = base;
  const { replies, previews, blocks, typing, working, notifier, wake } = outbound;
  const { openedHome, config, trouble } = gatewayContext;
  const { clock, stores } = openedHome;
  const { say } = parts;
  const resources = openResources(base);
  const { effects } = resources;
  const drafts: EngineDrafts = (turn, text, target = "current", { canGoOn } = { canGoOn: false }) => {
    const { destination, turnId } = turn;
    // What went out in pieces while it grew is not said again.
    const rest = blocks.rest(turnId, text);
    const answered = target === "current" ? turn.replyTo : target.id;
    const replyTo = rest === text ? answered : null;
    // The words say the same: whoever has no buttons types it.
    const actions = canGoOn ? [{ label: say("turn.press-continue"), send: "/continue" }] : [];
    return destination
      ? replies.drafts({ destination, turnId, replyTo, text: rest, actions, kind: "reply" })
      : [];
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
    wishes: { ...options.wishes, ...(options.workdir === undefined ? {} : { workdir: options.workdir }) },
    received: (row) => live.received(row),
    turnEvents,
    conversation: createConversationAccess({
      ...openedHome,
      config,
      accounts: gatewayContext.accounts,
      redactor: parts.redactor,
      say,
      replies,
      wake,
      received: (row) => live.received(row),
    }),
    delivery: {
      drafts,
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
      offer: (turn) => live.offer(turn),
    },
    decided: observers.watch.decided,
  });
  const following = followTurns({ previews, blocks, typing, working }, (rows) => {
    wake(rows);
    notifier.look();
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

  const lanes = createLanes({
    run: engine.run,
    turns: stores.turns,
    clock,
    limit: config().queue.concurrency,
    deadlineMs: () => turnDeadlineMs(config()),
    graceMs,
    /** Whoever hangs finds its lease in other hands when it wakes, and can write nothing more. */
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
    onError: (error, { turnId, sessionKey }) =>
      trouble(`turn ${turnId}`, error, { runId: turnId, sessionKey }),
  });
  live.offer = lanes.offer;
  live.turns = lanes.load;
  return {
    engine,
    lanes: announcing(lanes, bus),
    ...resources,
    async recover() {
      await stores.turns.settleAbandoned(async (turn) => {
        const lease = await stores.leases.find(sessionLeaseName(turn));
        return lease !== undefined && openedHome.isAlive(lease.holder);
      });
      await effects.recover();
    },
    close: async (withinMs) => void (await lanes.drain(withinMs)),
  };
}

/** What turns work with: models, memory, files that came along, programs and the network. */
function openResources({ gatewayContext, parts, options, extras, lifetime, observers }: GatewayBase) {
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
  const effects = openEffects({
    ...parts,
    ...openedHome,
    secrets: openedHome.foundation.secrets,
    config,
    gateway: { tellLost: (record, text) => tellLostProgram(openedHome, record, parts.redactor.text(text)) },
    wayOut: extras.wayOut,
    onError: (error) => trouble("effects", error),
  });
  lifetime.onEnd("effects", effects.close);
  return { connected, memory, media, effects };
}

/** The same lanes; those who subscribed hear of every turn that waits in them. */
const announcing = (lanes: Lanes, bus: Pick<EventBus, "publish">): Lanes => ({
  ...lanes,
  offer(turn) {
    publishRun(bus, "run.queued", turn);
    lanes.offer(turn);
  },
  reserve(...place) {
    const reserved = lanes.reserve(...place);
    return (
      reserved && {
        ...reserved,
        run(turn, begun) {
          publishRun(bus, "run.queued", turn);
          reserved.run(turn, begun);
        },
      }
    );
  },
});

/** A turn that fails where nobody sees it, or for somebody who cannot mend it, is the owner's business. */
function noticeOfFailure(turn: TurnRecord, ending: TurnEndingRecord): NoticeDraft | undefined {
  const { turnId, destination, origin, person } = turn;
  if (person.role === "peer" && "reason" in ending) {
    return {
      kind: "turn-failed",
      // One for all of a kind: whoever has the trouble has it with every message.
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
