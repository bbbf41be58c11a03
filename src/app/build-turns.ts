/** The middle: turns, run in their lanes, with their words on the way out. */
import type { Model, Tool } from "@pincer/sdk";
import type { BeforeCompact } from "../agent/compaction/compaction.ts";
import type { EventBus } from "../gateway/event-bus.ts";
import { isAsked } from "../routing/chat-channels.ts";
import { createLanes, type Lanes } from "../routing/lanes.ts";
import { isOver, resetFor } from "../routing/reset-policy.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { NoticeDraft } from "../storage/outbox/notice.ts";
import type { TurnEndingRecord, TurnRecord } from "../storage/turns/turns.ts";
import { sessionLeaseName } from "../storage/sessions/session-lease.ts";
import { createConversationAccess } from "../channels/conversation/create-conversation-access.ts";
import type { ConnectedModels } from "../agent/models/turn-models.ts";
import { loggingTurns } from "../gateway/logs/log-turns.ts";
import { createApprovalTelling } from "../channels/tell-approval.ts";
import { heedingHeap } from "./many-runs.ts";
import { createEngine, together, turnDeadlineMs, type Engine, type EngineParts } from "../routing/engine.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import type { Outgoing } from "./build-outgoing.ts";
import { followTurns } from "../channels/follow-turns.ts";
import type { GatewayWatch } from "../gateway/gateway-watch.ts";
import { publishRun, tellingEvents } from "../gateway/tell-events.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { tellingCalls } from "../channels/tell-calls.ts";

type EngineDrafts = NonNullable<EngineParts["delivery"]>["drafts"];

/** How long a turn that was told to stop may take to do so. */
const graceMs = 5000;

export function buildTurns(
  gatewayContext: GatewayContext,
  { replies, previews, blocks, typing, working, notifier, wake }: Outgoing,
  given: {
    models: readonly Model[];
    tools: readonly Tool[];
    beforeCompact?: BeforeCompact | undefined;
    provenance?: EngineParts["provenance"];
    connected: ConnectedModels;
    memory: EngineParts["memory"];
    effects: EngineParts["effects"];
    media?: EngineParts["media"];
    wishes: TurnWishes;
    received(row: InboxRow): void;
    /** Left out where nobody listens. */
    bus?: Pick<EventBus, "publish">;
    house?: Pick<GatewayWatch, "turn" | "over" | "decided"> | undefined;
  },
): { engine: Engine; lanes: Lanes } {
  const { openedHome, parts, config, trouble } = gatewayContext;
  const { clock, stores } = openedHome;
  const { say } = parts;
  const { bus = { publish() {} } } = given;
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

  const following = followTurns({ previews, blocks, typing, working }, (rows) => {
    wake(rows);
    notifier.look();
  });
  const engine = createEngine({
    openedHome,
    parts,
    config,
    ...given,
    conversation: createConversationAccess({
      ...openedHome,
      config,
      accounts: gatewayContext.accounts,
      redactor: parts.redactor,
      say,
      replies,
      wake,
      received: given.received,
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
      offer: (turn) => lanes.offer(turn),
    },
    decided: given.house?.decided,
    watch: together(
      tellingEvents(
        tellingCalls(loggingTurns(following, gatewayContext.log, clock), {
          outbox: stores.outbox,
          replies,
          wake,
          redactor: parts.redactor,
          say,
          onError: (error) => trouble("telling calls", error),
        }),
        bus,
      ),
      given.house?.turn,
    ),
  });

  const lanes = createLanes({
    run: heedingHeap(engine.run),
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
    onOver(turnId) {
      engine.events.over(turnId);
      following.over(turnId);
      given.house?.over(turnId);
      engine.approvals
        .over(turnId)
        .catch((error: unknown) => trouble(`turn ${turnId}`, error, { runId: turnId }));
    },
    stoppedDrafts: (turn) => drafts(turn, say("turn.aborted")),
    wakeOutbox: wake,
    onError: (error, { turnId, sessionKey }) =>
      trouble(`turn ${turnId}`, error, { runId: turnId, sessionKey }),
  });
  return {
    engine,
    lanes: {
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
    },
  };
}

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
