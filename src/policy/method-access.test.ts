import { methods, type MethodName, type MethodScope } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithinScope } from "./method-access.ts";

const lookups = {
  agentOfSession: async (key: string) => (key.startsWith("?") ? undefined : key.slice(0, 1)),
  agentOfRun: async (runId: string) => (runId.startsWith("?") ? undefined : runId.slice(0, 1)),
};
const confined = { scope: { type: "agent" as const, agentIds: ["a", "b"] } };
const names = (Object.keys(methods) as MethodName[]).filter((name) => name !== "connect");
const of = (kind: MethodScope) => names.filter((name) => methods[name].scope === kind);
const within = (method: MethodName, params: Record<string, unknown>) =>
  isWithinScope(confined, method, params, lookups);

describe("what somebody who is confined to some agents reaches", () => {
  it("TEN-02 is everything for those who have the whole tenant", async () => {
    for (const name of names) {
      expect(await isWithinScope({ scope: { type: "tenant" } }, name, {}, lookups)).toBe(true);
    }
  });

  it("TEN-02 is nothing that is about all of them, whatever it names", async () => {
    const params = { agentId: "a", sessionKey: "a:x", runId: "a1" };
    for (const name of of("tenant")) expect([name, await within(name, params)]).toEqual([name, false]);
  });

  it("TEN-02 is what has nothing of an agent in it", async () => {
    for (const name of of("free")) expect([name, await within(name, {})]).toEqual([name, true]);
  });

  it.each(["agent", "session", "run"] as const)(
    "TEN-02 is nothing of kind %s that names none",
    async (kind) => {
      for (const name of of(kind)) expect([name, await within(name, {})]).toEqual([name, false]);
    },
  );

  it("TEN-02 takes the run of what is about a run, and not an agent in its place", async () => {
    for (const name of of("run")) {
      expect(await within(name, { agentId: "a" })).toBe(false);
      expect(await within(name, { runId: "a1" })).toBe(true);
      expect(await within(name, { runId: "c1" })).toBe(false);
      expect(await within(name, { runId: "?" })).toBe(false);
    }
  });

  it("TEN-02 is within only when everything that is named is", async () => {
    const key = fc.constantFrom("a:x", "b:y", "c:z", "?");
    const params = fc.record(
      {
        agentId: fc.constantFrom("a", "b", "c"),
        sessionKey: key,
        runId: fc.constantFrom("a1", "c1", "?"),
      },
      { requiredKeys: [] },
    );
    const name = fc.constantFrom(...of("agent"), ...of("session"));
    await fc.assert(
      fc.asyncProperty(name, params, async (method, given) => {
        const named = Object.values(given).map((value) => value.slice(0, 1));
        const expected = named.length > 0 && named.every((agent) => agent === "a" || agent === "b");
        expect(await within(method, given)).toBe(expected);
      }),
    );
  });

  it("TEN-02 is nothing for somebody who is confined to nothing", async () => {
    const nobody = { scope: { type: "agent" as const, agentIds: [] } };
    const nowhere = { scope: { type: "workspace" as const, workspaceIds: [] } };
    for (const name of names.filter((each) => methods[each].scope !== "free")) {
      expect(await isWithinScope(nobody, name, { agentId: "", sessionKey: "?" }, lookups)).toBe(false);
      expect(await isWithinScope(nowhere, name, { agentId: "a" }, lookups)).toBe(false);
    }
  });
});
