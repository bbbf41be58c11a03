/** Approvals on memory stores, recording everything that they send. */
import { noUsage, type Message } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import type { ApprovalEvent } from "../../gate/approvals/approval-event.ts";
import { defaultConfig } from "../../config/default-config.ts";
import { createReplies } from "../replies.ts";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { EnqueueTurn, JournalStep, TurnRecord } from "../../storage/turns/turns.ts";
import { createRunEvents } from "../../agent/turns/run-events.ts";
import {
  createApprovals,
  type ApprovalsParts,
  type TurnQuestion,
} from "../../gate/approvals/create-approvals.ts";
import { createApprovalTelling } from "../tell-approval.ts";

export const destination = {
  channel: "fake",
  accountId: "default",
  target: { peerKind: "user" as const, peerId: "42" },
};

export function createApprovalStage() {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const events = createRunEvents();
  const redactor = createRedactor();
  const offered: string[] = [];
  const errors: unknown[] = [];
  const approvalSettings = { ...defaultConfig.approvals };
  const say = createSay("en");
  const replies = createReplies({ traitsOf: () => ({ textLimit: 4000 }), clock, notAfterMs: 3_600_000 });
  const looks = { count: 0 };
  const open = (given: Pick<ApprovalsParts, "maxOpen"> = {}) =>
    createApprovals({
      ...given,
      approvals: stores.approvals,
      turns: stores.turns,
      clock,
      config: () => ({ approvals: approvalSettings }),
      redactor,
      events,
      telling: createApprovalTelling({
        ...stores,
        replies,
        say,
        redactor,
        wake: () => {},
        look: () => void looks.count++,
        isToldElsewhere: () => true,
      }),
      offer: ({ turnId }) => offered.push(turnId),
      onError: (error) => errors.push(error),
    });

  let count = 0;
  /** A queued turn; the owner's own, in a chat. */
  async function queue(given: Partial<EnqueueTurn> = {}): Promise<TurnRecord> {
    const { row } = await stores.inbox.accept({
      tenantId: "t",
      workspaceId: "w",
      channel: "fake",
      accountId: "default",
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id: `m${++count}`, text: "go", attachments: [], mentioned: true },
      timestamp: clock.now(),
    });
    const outcome = await stores.turns.enqueue({
      inputs: [row.id],
      session: {
        sessionKey: `agent:main:${count}`,
        workspaceId: "w",
        agentId: "main",
        origin: { channel: "fake" },
        cwd: "/",
      },
      destination,
      person: { role: "owner", id: "fake:42" },
      rule: "default",
      options: {},
      mode: "followup",
      cap: 100,
      ...given,
    });
    if (outcome.type !== "queued") throw new Error(outcome.type);
    return outcome.turn;
  }
  /** As the runner does it: each claim is another run of the turn. */
  async function claim({ turnId, sessionKey }: TurnRecord) {
    const lease = await stores.leases.acquire({
      name: `session:${sessionKey}`,
      holder: { id: "me", pid: 1, host: "here", processStart: "" },
      ttlMs: 60_000,
      isStale: () => true,
    });
    if (lease.type !== "acquired") throw new Error("the lease is held");
    const { fence } = lease;
    await stores.turns.claim({ turnId, fence, deadlineAt: null, isStale: () => false, entriesFor: () => [] });
    const record = (messages: Message[], steps: JournalStep[] = []) =>
      stores.turns.record({
        turnId,
        fence,
        bodies: messages.map((message) => ({ type: "message", message })),
        steps,
        sync: "now",
      });
    return {
      /** The model wants the call. */
      want: async ({ callId, subject }: TurnQuestion) =>
        record([
          {
            role: "assistant",
            content: [{ type: "toolCall", id: callId, ...subject.call }],
            provider: "p",
            model: "m",
            usage: noUsage(),
            stopReason: "toolUse",
          },
        ]),
      begin: async ({ callId, subject: { tool: name } }: TurnQuestion) =>
        record([], [{ type: "tool-begin", callId, name, idempotent: true }]),
      result: async ({ callId, subject: { tool: toolName } }: TurnQuestion) =>
        record([{ role: "toolResult", toolCallId: callId, toolName, content: [], isError: false }]),
      release: () => stores.leases.release(fence),
    };
  }
  /** As the runner does it. */
  async function park(turn: TurnRecord): Promise<void> {
    const lease = await stores.leases.acquire({
      name: `session:${turn.sessionKey}`,
      holder: { id: "me", pid: 1, host: "here", processStart: "" },
      ttlMs: 60_000,
      isStale: () => true,
    });
    if (lease.type !== "acquired") throw new Error("the lease is held");
    const { fence } = lease;
    const { turnId } = turn;
    await stores.turns.claim({ turnId, fence, deadlineAt: null, isStale: () => false, entriesFor: () => [] });
    await stores.turns.park({ turnId, fence, state: "waiting", reason: "approval" });
    await stores.leases.release(fence);
  }
  /** Follows a turn as a terminal does. */
  function follow({ turnId }: TurnRecord): { told: ApprovalEvent[]; leave(): void } {
    const told: ApprovalEvent[] = [];
    const leave = events.subscribe(turnId, { event: (event) => void told.push(event as ApprovalEvent) });
    return { told, leave };
  }
  const sent = async () => (await stores.outbox.list({ limit: 99 })).reverse();
  return { clock, stores, events, redactor, open, queue, claim, park, follow, offered, errors, sent, looks };
}

export const questionOf = (turn: TurnRecord, given: Partial<TurnQuestion> = {}): TurnQuestion => ({
  turn,
  callId: "c1",
  subject: {
    tool: "exec",
    call: { name: "exec", arguments: { command: "git push" } },
    shown: "git push",
    command: { directory: "/home/me", environment: { A: "1" }, programs: ["/usr/bin/git"], wall: "none" },
    digest: "d1",
  },
  reason: "it writes to a host",
  rule: "tool exec",
  cause: { argument: "command", value: "origin", from: "web example.org", sentence: "Push to origin now." },
  scopes: ["once", "task", "shape"],
  keys: { task: "exec", shape: "git push" },
  ...given,
});
