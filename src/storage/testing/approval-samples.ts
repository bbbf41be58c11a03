/** Questions to the owner, for tests. */
import type { ApprovalDraft, ApprovalRecord } from "../approvals/approvals.ts";
import type { TenantStores } from "../storage.ts";
import type { Fence } from "../stores.ts";
import { claim, queue, takeFence } from "./message-samples.ts";

export const question = (turnId: string, more: Partial<ApprovalDraft> = {}): ApprovalDraft => ({
  turnId,
  callId: "call_1",
  workspaceId: "w1",
  sessionKey: "main",
  agentId: "main",
  personId: "telegram:42",
  subject: subject("d1"),
  reason: "the recipient is in none of your words",
  rule: "provenance",
  scopes: ["once", "task", "recipient"],
  keys: { task: "message", recipient: "telegram:bob" },
  expiresAt: "2026-01-02T12:00:00.000Z",
  ...more,
});

export const subject = (digest: string): ApprovalDraft["subject"] => ({
  tool: "message",
  call: { name: "message", arguments: { to: "bob", text: "the secret plan" } },
  shown: "to bob: the secret plan",
  digest,
});

/** Asks, and parks the turn until that is answered. */
export async function parkFor(
  tenant: TenantStores,
  turnId: string,
  fence: Fence,
  more: Partial<ApprovalDraft> = {},
): Promise<ApprovalRecord> {
  const approval = await tenant.approvals.ask(question(turnId, more));
  const { state } = await tenant.turns.park({ turnId, fence, state: "waiting", reason: "approval" });
  if (state !== "waiting") throw new Error("it does not wait");
  return approval;
}

/** A turn of the session `main` that has begun and waits. */
export async function waitingTurn(
  tenant: TenantStores,
  messageId: string,
  more: Parameters<typeof queue>[2] & { question?: Partial<ApprovalDraft> } = {},
) {
  const { question: about, ...wish } = more;
  const turn = await queue(tenant, messageId, wish);
  const fence = await takeFence(tenant);
  const { session } = await claim(tenant, turn.turnId, fence);
  const approval = await parkFor(tenant, turn.turnId, fence, about);
  return { turnId: turn.turnId, position: turn.position, fence, session, approval };
}

export const yes = { verdict: "approved", scope: "once", by: "cli:owner" } as const;
export const no = { verdict: "denied", scope: "once", by: "telegram:1" } as const;
