import { methods, PincerError, type MethodName } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHandClock } from "@pincer/sdk/testing";
import { ownerCaller } from "../policy/caller.ts";
import { createEventBus } from "./event-bus.ts";
import type { MethodHandlers } from "./method-calls.ts";
import { createRpc } from "./rpc.ts";
import { sayError } from "../infra/failure.ts";
import { createSay } from "../infra/texts.ts";
import { findFault, nameSessions } from "./read-params.ts";

const names = Object.keys(methods) as MethodName[];
const takenBy = (name: MethodName) => Object.keys(methods[name].params.properties);
const withSession = names.filter((name) => takenBy(name).includes("sessionKey"));

describe("a parameter that a method does not take", () => {
  it.each(names)("is named to a caller of %s, with the known ones, in both languages", (name) => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }).filter((each) => !takenBy(name).includes(each)),
        fc.jsonValue(),
        (unknown, value) => {
          const fault = findFault(name, Object.fromEntries([[unknown, value]]));
          if (!(fault instanceof PincerError)) throw new Error(`nobody said it of ${unknown}`);
          expect(fault.code).toBe("usage/bad-argument");
          const takes = takenBy(name).length === 0 ? "none" : takenBy(name).join(", ");
          expect(fault.message).toBe(`${name}: unknown parameter ${unknown}; it takes ${takes}.`);
          expect(sayError(fault, createSay("zh")).message).toContain(`未知参数 ${unknown}；`);
        },
      ),
      { numRuns: 5 },
    );
  });

  it("is said before anything else that is wrong, and with the name that was probably meant", () => {
    expect(findFault("outbox.list", { limits: 3, states: 7 })).toMatchObject({
      message: "outbox.list: unknown parameter limits; it takes limit, before, states.",
      hint: "Did you mean limit?",
    });
    expect(findFault("outbox.list", { colour: 1 })).toMatchObject({ hint: undefined });
  });

  it("is named where it stands, inside of another one", () => {
    const client = { name: "x", version: "1", versoin: "1" };
    expect(findFault("connect", { protocol: 1, client })).toMatchObject({
      message: "connect: unknown parameter client.versoin; it takes client.name, client.version.",
      hint: "Did you mean client.version?",
    });
    const commands = [
      { name: "a", description: "" },
      { name: "b", descripton: "" },
    ];
    expect(findFault("nodes.register", { name: "n", platform: "p", version: "1", commands })).toMatchObject({
      message: expect.stringContaining("unknown parameter commands.1.descripton;"),
    });
  });

  it("is cut where it is long", () => {
    const fault = findFault("outbox.get", { id: "x", ["y".repeat(10_000)]: 1 });
    expect(fault?.message.length).toBeLessThan(200);
  });
});

describe("a session in parameters", () => {
  it("has one name in every declaration", () => {
    expect(withSession.length).toBeGreaterThan(20);
    for (const name of names)
      for (const old of ["session", "sessionId", "idOrKey"]) expect(takenBy(name)).not.toContain(old);
  });

  it.each(withSession)("%s hears it by its older names, too", (name) => {
    for (const alias of ["session", "sessionId", "idOrKey", "sessionKey"])
      expect(nameSessions(name, { [alias]: "main", agentId: "a" })).toEqual({
        sessionKey: "main",
        agentId: "a",
      });
  });

  it("is renamed inside of a parameter, and nothing else is", () => {
    const as = { session: "main", role: "peer" };
    expect(nameSessions("policy.explain", { tool: "exec", session: "x", as })).toEqual({
      tool: "exec",
      session: "x",
      as: { sessionKey: "main", role: "peer" },
    });
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        fc.pre(!JSON.stringify(value).includes("session") && !JSON.stringify(value).includes("idOrKey"));
        expect(nameSessions(name, value)).toEqual(value);
      }),
    );
  });

  it("that is named twice is not guessed at", () => {
    const twice = nameSessions("tape.info", { session: "a", sessionKey: "b" });
    expect(twice).toEqual({ session: "a", sessionKey: "b" });
    expect(findFault("tape.info", twice)?.message).toContain("unknown parameter session;");
  });

  it("is asked for by any of its names, and done once under a key whichever is used", async () => {
    const asked: unknown[] = [];
    const methods = {
      async "tape.reset"(params: unknown) {
        asked.push(params);
        return { asked: asked.length };
      },
    };
    const clock = createHandClock();
    const rpc = createRpc({
      methods: methods as unknown as Partial<MethodHandlers>,
      about: { version: "0", pid: 1, startedAt: "", language: () => "en" },
      hide: (payload) => payload,
      bus: createEventBus({ clock }),
      clock,
      log: { warn: () => {}, error: () => {} },
    });
    const caller = ownerCaller("t_default", "token");
    const { signal } = new AbortController();
    for (const alias of ["session", "sessionId", "sessionKey"]) {
      const params = { [alias]: "main", idempotencyKey: "k" };
      expect(await rpc.call(caller, "tape.reset", params, signal)).toEqual({ asked: 1 });
    }
    expect(asked).toEqual([{ sessionKey: "main", idempotencyKey: "k" }]);
  });
});
