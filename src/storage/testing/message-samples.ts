/** Messages on their way, for tests. */
import { conversationOf, type Destination, type EntryBody, type InboundMessage } from "@pincer/sdk";
import type { InboxRow } from "../inbox/inbox.ts";
import type { NoticeDraft } from "../outbox/notice.ts";
import type { OutboxDraft } from "../outbox/outbox.ts";
import type { ClaimOutcome, EndTurn, EnqueueTurn } from "../turns/turns.ts";
import type { TenantStores } from "../storage.ts";
import type { Fence } from "../stores.ts";
import { holder, request, say } from "./samples.ts";

export const inbound = (
  id: string,
  more: Partial<InboundMessage> & { text?: string } = {},
): InboundMessage => {
  const { text = `words of ${id}`, ...rest } = more;
  return {
    tenantId: "acme",
    workspaceId: "w1",
    channel: "telegram",
    accountId: "bot",
    peer: { kind: "user", id: "42" },
    sender: { id: "42", name: "Ada" },
    message: { type: "text", id, text, attachments: [], mentioned: true },
    timestamp: 1_767_268_800_000,
    ...rest,
  };
};

export const place = (peerId = "42", channel = "telegram"): Destination => ({
  channel,
  accountId: "bot",
  target: { peerKind: "user", peerId },
});

export const conversation = (peerId = "42"): string => conversationOf(place(peerId));

export const draft = (text: string, more: Partial<OutboxDraft> = {}): OutboxDraft => ({
  destination: place(),
  kind: "reply",
  turnId: null,
  text,
  attachments: [],
  replyTo: null,
  notAfter: "2026-01-02T12:00:00.000Z",
  dedupeKey: null,
  ...more,
});

export const noticeDraft = (subject: string): NoticeDraft => ({
  kind: "dead-letter",
  text: { key: "notice.dead", parameters: { subject } },
  subject,
});

export const turnFor = (inputs: string[], more: Partial<EnqueueTurn> = {}): EnqueueTurn => ({
  inputs,
  session: request("main"),
  destination: place(),
  person: { role: "peer", id: "telegram:42" },
  rule: "default",
  options: {},
  mode: "steer",
  cap: 20,
  ...more,
});

export const entriesFor = (inputs: InboxRow[]): EntryBody[] =>
  inputs.map(({ message }) => say(message.message.type === "text" ? message.message.text : "changed"));

/** Accepts messages of these ids; answers with their rows' ids. */
export async function receive(tenant: TenantStores, ...messageIds: string[]): Promise<string[]> {
  const rows: string[] = [];
  for (const id of messageIds) rows.push((await tenant.inbox.accept(inbound(id))).row.id);
  return rows;
}

/** Accepts a message and queues a turn for it; throws when it became no turn of its own. */
export async function queue(tenant: TenantStores, messageId: string, more: Partial<EnqueueTurn> = {}) {
  const inputs = await receive(tenant, messageId);
  const outcome = await tenant.turns.enqueue(turnFor(inputs, { mode: "followup", ...more }));
  if (outcome.type !== "queued") throw new Error(`not queued but ${outcome.type}`);
  return outcome.turn;
}

export async function takeFence(tenant: TenantStores, name = "main"): Promise<Fence> {
  const outcome = await tenant.leases.acquire({
    name,
    holder: holder("one"),
    ttlMs: 60_000,
    isStale: () => true,
  });
  if (outcome.type !== "acquired") throw new Error("not free");
  return outcome.fence;
}

export async function claim(
  tenant: TenantStores,
  turnId: string,
  fence: Fence,
): Promise<ClaimOutcome & { type: "claimed" }> {
  const outcome = await tenant.turns.claim({
    turnId,
    fence,
    deadlineAt: null,
    isStale: () => false,
    entriesFor,
  });
  if (outcome.type !== "claimed") throw new Error("already over");
  return outcome;
}

export const ending = (turnId: string, fence: Fence, more: Partial<EndTurn> = {}): EndTurn => ({
  turnId,
  fence,
  state: "done",
  ending: { type: "answered" },
  bodies: [say("answer", "assistant")],
  tokens: { input: 10, output: 5, context: 12, total: 15 },
  replies: [],
  ...more,
});

export const lostLease = { code: "session/lost-lease" };
