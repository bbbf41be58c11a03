/** The way out: what is said becomes rows, and the rows are carried to the channels. */
import { conversationOf, type ChannelConnection, type Destination } from "@pincer/sdk";
import { silentTokens } from "../../agent/run-turn.ts";
import { createBlocks, type Blocks } from "../../channels/blocks.ts";
import { createDeliverer, type Deliverer } from "../../channels/deliver.ts";
import { createPreviews, type Previews } from "../../channels/previews.ts";
import { createReplies, type Replies } from "../../channels/replies.ts";
import { createTyping, type Typing } from "../../channels/typing.ts";
import { createWaitingLines, type WaitingLines } from "../../channels/tell-waiting.ts";
import { createWorkingSign, type WorkingSign } from "../../channels/working-sign.ts";
import { holdsAddress } from "../../gate/leaving/guard-reply.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import { approvalNotices } from "../../channels/tell-approval.ts";
import type { ObservedBase } from "./open-observers.ts";
import { createNotifier, type Notifier } from "../../channels/notify-owner.ts";

export interface Outbound {
  replies: Replies;
  previews: Previews;
  blocks: Blocks;
  typing: Typing;
  working: WorkingSign;
  notifier: Notifier;
  deliverer: Deliverer;
  /** What senders who wait are told when nothing can be stored. */
  waitingLines: WaitingLines;
  /** There is something to send in these conversations. */
  wake(rows: readonly OutboxRow[]): void;
  /** Sends first what was left behind. */
  start(): Promise<void>;
  /** What is being sent is, unless `withinMs` are over first. */
  close(withinMs: number): Promise<void>;
}

/** How long a reply is worth sending; later the person is told that there was one. */
const notAfterMs = 24 * 60 * 60_000;

export function openOutbound(
  { gatewayContext, observers, stopping }: ObservedBase,
  /** Asked at each send: connections come and go. */
  connection: (channel: string, accountId: string) => ChannelConnection | undefined,
): Outbound {
  const { openedHome, parts, log, traitsOf } = gatewayContext;
  const { clock, stores } = openedHome;
  const { say, redactor } = parts;
  const wake: Outbound["wake"] = (rows) => deliverer.wake(rows);
  const replies = createReplies({ traitsOf, clock, notAfterMs });
  const notifier = createNotifier({
    notices: stores.notices,
    say,
    replies,
    to: () => gatewayContext.config().notify.to,
    wake,
    log,
    redactor,
    wordsOf: approvalNotices({ approvals: stores.approvals, redactor, say }),
  });
  const waitingLines = createWaitingLines({
    connection,
    clock,
    say,
    log,
    makeKey: () => openedHome.ids.make("wait"),
  });
  const deliverer = createDeliverer({
    outbox: stores.outbox,
    connection: ({ channel, accountId }) => connection(channel, accountId),
    traits: traitsOf,
    uncertainPolicy: (destination) => gatewayContext.account(destination)?.uncertain ?? "repeat",
    clock,
    random: Math.random,
    say,
    log,
    notAfterMs,
    redactor,
    onProgress(progress) {
      if (progress.type === "failed") notifier.look();
      observers.watch.delivered(progress);
    },
    onHeld: (destination, error) =>
      waitingLines.tell(
        { destination, person: `${destination.channel}:${destination.target.peerId}` },
        { type: "held", error },
      ),
  });
  const streamingOf = (destination: Destination) => gatewayContext.account(destination)?.streaming ?? "off";
  const typing = createTyping({ connection, traitsOf, clock, log, signal: stopping.signal });
  const working = createWorkingSign({
    connection,
    signOf: (destination) => gatewayContext.account(destination)?.workingReaction,
    async messageOf(turnId, destination) {
      const inputs = await stores.turns.inputs(turnId);
      const here = conversationOf(destination);
      return inputs.findLast(({ conversation }) => conversation === here)?.message.message.id;
    },
    clock,
    log,
  });
  const blocks = createBlocks({
    outbox: stores.outbox,
    replies,
    wake,
    log,
    redactor,
    streamingOf,
    mostBlocks: () => gatewayContext.config().agents.defaults.maxAnswerMessages,
    // Whether an address may be followed is known when the answer is whole.
    mayShow: (text) => !holdsAddress(text) && !silentTokens.has(text.trim()),
  });
  const previews = createPreviews({
    outbox: stores.outbox,
    wake,
    clock,
    log,
    redactor,
    streamingOf,
    canEdit: ({ channel, accountId }) => connection(channel, accountId)?.edit !== undefined,
    notAfterMs,
  });
  return {
    replies,
    previews,
    blocks,
    typing,
    working,
    notifier,
    deliverer,
    waitingLines,
    wake,
    start: deliverer.start,
    close: deliverer.stop,
  };
}
