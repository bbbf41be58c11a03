import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { CallerScope } from "../policy/caller.ts";
import type { Role } from "../policy/permission-points.ts";
import { createMethodCalls, type MethodCall, type MethodHandlers } from "./method-calls.ts";
import { callerAs } from "./testing/test-server.ts";

const lookups = {
  agentOfSession: async (key: string) => (key === "nowhere" ? undefined : key.split(":")[0]),
  agentOfRun: async (runId: string) => (runId === "none" ? undefined : runId.split(":")[0]),
};

function calls(methods: Partial<MethodHandlers>) {
  return createMethodCalls({ methods, lookups, clock: createHandClock() });
}

const as = (role: Role, scope?: CallerScope): MethodCall => ({
  caller: callerAs(role, "token", scope),
  signal: new AbortController().signal,
  emit: () => {},
  connectionId: "c1",
});

const mine: CallerScope = { type: "agent", agentIds: ["mine"] };

describe("a request, whatever carried it", () => {
  it("TEN-02 is refused by role before its parameters are looked at", () => {
    const { refusal } = calls({});
    expect(refusal(callerAs("viewer"), "outbox.drop", { bad: 1 })).toMatchObject({
      code: "permission/missing",
    });
    expect(refusal(callerAs("admin"), "outbox.drop", { bad: 1 })).toMatchObject({
      code: "usage/bad-argument",
      message: "outbox.drop: unknown parameter bad; it takes id, idempotencyKey.",
    });
    expect(refusal(callerAs("admin"), "outbox.drop", { id: "o" })).toBeUndefined();
  });

  it.each(["constructor", "__proto__", "toString", "owner.claim"])("is not handled as %s", (name) => {
    expect(calls({ "owner.list": async () => ({ owners: [] }) }).isHandled(name)).toBe(false);
  });

  it("PROTO-11 tells which of its methods take a key, and how long that is kept", () => {
    const never = () => new Promise<never>(() => {});
    const { effects, names } = calls({ "agent.run": never, "outbox.drop": never, "owner.list": never });
    expect(names).toEqual(["agent.run", "outbox.drop", "owner.list"]);
    expect(effects).toEqual({ "agent.run": "own", "outbox.drop": "once" });
  });

  it.each([
    ["names an agent of theirs", { input: "x", agentId: "mine", idempotencyKey: "k" }, true],
    ["names another agent", { input: "x", agentId: "theirs", idempotencyKey: "k" }, false],
    ["names none", { input: "x", idempotencyKey: "k" }, false],
    [
      "names theirs, and a session of another",
      { input: "x", agentId: "mine", sessionKey: "theirs:a", idempotencyKey: "k" },
      false,
    ],
    ["names a session that leads nowhere", { input: "x", sessionKey: "nowhere", idempotencyKey: "k" }, false],
  ])("TEN-02 of somebody who is confined to an agent and %s", async (_what, params, isLet) => {
    const ran: unknown[] = [];
    const { answer } = calls({
      "agent.run": async (given) => {
        ran.push(given);
        return { runId: "r", duplicate: false };
      },
    });
    const outcome = await answer("agent.run", params, as("developer", mine)).catch((error: unknown) => error);
    expect(ran).toHaveLength(isLet ? 1 : 0);
    const refused = { frame: { code: "TENANT_SCOPE_MISMATCH" } };
    expect(outcome).toMatchObject(isLet ? { runId: "r" } : refused);
  });

  it("PROTO-11 keeps everybody's keys apart", async () => {
    let claims = 0;
    const { answer } = calls({ "owner.claim": async () => ({ code: `C${++claims}`, expiresAt: "" }) });
    const params = { idempotencyKey: "k" };
    const first = await answer("owner.claim", params, as("owner"));
    expect(await answer("owner.claim", params, as("owner"))).toEqual(first);
    expect(await answer("owner.claim", params, as("admin"))).not.toEqual(first);
  });
});
