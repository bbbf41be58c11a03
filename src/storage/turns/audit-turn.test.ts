import { createHandClock } from "@pincer/sdk/testing";
import type { EntryBody } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createAuditSeal } from "../audit/audit-seal.ts";
import { createMemoryStores } from "../memory-stores.ts";
import { claim, ending, noticeDraft, queue, takeFence } from "../testing/message-samples.ts";

const seal = createAuditSeal(Buffer.alloc(32, 3));

function createStage() {
  const clock = createHandClock();
  const tenant = createMemoryStores({ clock, ids: createIds(clock.now), seal }).tenant("acme");
  const runs = async () => (await tenant.audit.list({ limit: 50, action: "run" })).toReversed();
  const begin = async (text = "1") => {
    const { turnId } = await queue(tenant, text);
    const fence = await takeFence(tenant);
    const claimed = await claim(tenant, turnId, fence);
    return { turnId, fence, sessionId: claimed.session.sessionId };
  };
  return { clock, tenant, runs, begin };
}

const answer = (content: object[], rest: object = {}): EntryBody =>
  ({
    type: "message",
    message: {
      role: "assistant",
      content,
      provider: "acme",
      model: "big",
      usage: { input: 7, output: 3, cacheRead: 0, cacheWrite: 0, total: 10, cost: 0.1 },
      stopReason: "stop",
      ...rest,
    },
  }) as EntryBody;

const result = (toolCallId: string, toolName: string, text: string, details?: object): EntryBody => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [{ type: "text", text }],
    isError: details !== undefined,
    ...(details && { details }),
  },
});

describe("TEN-05 a turn that ends", () => {
  it("is one record: what was said, which model answered, what its tools did, and how it ended", async () => {
    const { tenant, runs, begin } = createStage();
    const { turnId, fence, sessionId } = await begin();
    const calls = [
      { type: "thinking", thinking: "my secret thoughts" },
      { type: "toolCall", id: "c1", name: "exec", arguments: { command: "rm -rf secret" } },
      { type: "toolCall", id: "c2", name: "look", arguments: {} },
    ];
    const bodies = [
      answer(calls, { stopReason: "toolUse" }),
      result("c1", "exec", "secret output", { error: { code: "denied" } }),
      result("c2", "look", "seen"),
    ];
    await tenant.turns.record({ turnId, fence, bodies, steps: [], sync: "later" });
    const gate = { type: "event" as const, name: "gate", data: { callId: "c1", verdict: "deny" } };
    await tenant.entries.append(sessionId, [gate]);
    await tenant.turns.end(
      ending(turnId, fence, { bodies: [answer([{ type: "text", text: "the secret answer" }])] }),
    );
    const [record, ...others] = await runs();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      runId: turnId,
      resourceId: turnId,
      sessionKey: expect.any(String),
      metadata: {
        state: "done",
        ending: "answered",
        steps: [
          { step: "message-in", digest: expect.stringMatching(/^[0-9a-f]{32}$/), length: expect.any(Number) },
          {
            step: "model-call",
            provider: "acme",
            model: "big",
            tokens: { input: 7, output: 3, total: 10 },
            reasoning: { length: 18 },
            calls: ["exec", "look"],
          },
          { step: "tool-call", tool: "exec", callId: "c1", decision: "deny", ok: false, code: "denied" },
          { step: "tool-call", tool: "look", callId: "c2", decision: "allow", ok: true },
          { step: "model-call", digest: seal.text("the secret answer"), length: 17 },
        ],
      },
    });
    expect(JSON.stringify(record)).not.toMatch(/secret/);
    expect(await tenant.audit.list({ limit: 9, runId: turnId })).toEqual([record]);
    expect(await tenant.audit.list({ limit: 9, sessionKey: record?.sessionKey ?? "" })).toEqual([record]);
  });

  it("tells each entry once, also when it goes on after its end or comes back from the dead", async () => {
    const { tenant, runs, begin, clock } = createStage();
    const { turnId } = await begin();
    const bury = () => tenant.turns.bury(turnId, { replies: [], notice: noticeDraft("x") });
    await bury();
    await tenant.turns.revive(turnId);
    await clock.advance(1000);
    const fence = await takeFence(tenant);
    await claim(tenant, turnId, fence);
    await tenant.turns.end(ending(turnId, fence, { bodies: [answer([{ type: "text", text: "hi" }])] }));
    const told = (await runs()).map(({ metadata }) =>
      (metadata["steps"] as Array<{ step: string }>).map(({ step }) => step),
    );
    expect(told).toEqual([["message-in"], ["model-call"]]);
  });

  it("is recorded also where it never began", async () => {
    const { tenant, runs } = createStage();
    const { turnId } = await queue(tenant, "1");
    await tenant.turns.cancel(turnId, { ending: { type: "aborted", by: "stop" }, replies: [] });
    expect(await runs()).toMatchObject([{ runId: turnId, metadata: { ending: "aborted", steps: [] } }]);
  });

  it("is recorded with its end or not at all", async () => {
    const { tenant, runs, begin } = createStage();
    const { turnId, fence } = await begin();
    const stale = { ...fence, fencing: fence.fencing + 1 };
    await expect(tenant.turns.end(ending(turnId, stale))).rejects.toMatchObject({
      code: "session/lost-lease",
    });
    expect(await runs()).toEqual([]);
  });
});

describe("TEN-05 what people may", () => {
  it("is recorded when it changes: who was let in, shut out, and claimed to be the owner", async () => {
    const { tenant } = createStage();
    const { pairing, audit } = tenant;
    const sender = { channel: "telegram", accountId: "default", senderId: "42" };
    await pairing.request({ ...sender, meta: {} }, { ttlMs: 1000, max: 5 }, () => "CODE1");
    await pairing.approve({ code: "CODE1", mostOn: () => 5, maxTries: 5, by: "owner" });
    await pairing.revoke(sender);
    await pairing.openClaim({ code: "CLAIM", ttlMs: 1000 });
    await pairing.claimOwner({ code: "CLAIM", channel: "telegram", senderId: "1", maxTries: 5 });
    await pairing.removeOwner("telegram", "1");
    const records = (await audit.list({ limit: 9 })).toReversed();
    expect(records.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ["pairing-approve", "telegram:42"],
      ["pairing-revoke", "telegram:42"],
      ["owner-claim", "telegram:1"],
      ["owner-remove", "telegram:1"],
    ]);
    expect(JSON.stringify(records)).not.toMatch(/CODE1|CLAIM/);
  });
});
