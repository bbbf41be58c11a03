import { PincerError, protocolErrorCodes, type FrameError, type ResponseFrame } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { failure } from "../infra/failure.ts";
import type { MethodHandlers } from "./method-calls.ts";
import { hello, startTestGateway, type Line } from "./testing/test-gateway.ts";

const request = (id: string, method: string, params: object = {}) => ({ type: "req", id, method, params });

async function ask(line: Line, method: string, params: object = {}): Promise<ResponseFrame> {
  line.write(request("q", method, params));
  return (await line.next()) as ResponseFrame;
}

async function errorOf(line: Line, method: string, params: object = {}): Promise<FrameError> {
  const frame = await ask(line, method, params);
  if (frame.ok) throw new Error("it was answered");
  return frame.error;
}

const meet = async (methods: Partial<MethodHandlers>) => (await startTestGateway({ methods })).meet();

describe("requests", () => {
  it("PROTO-02 are refused before connect, and connect is asked for", async () => {
    const line = await (
      await startTestGateway({ methods: { "owner.list": async () => ({ owners: [] }) } })
    ).dial();
    expect(await errorOf(line, "owner.list")).toMatchObject({ code: "AUTH_REQUIRED" });
    line.write(hello);
    expect(await line.next()).toMatchObject({ ok: true });
    expect(await ask(line, "owner.list")).toMatchObject({ ok: true });
  });

  it("of another version of the protocol are refused with what to do", async () => {
    const line = await (await startTestGateway({})).dial();
    const params = { ...hello.params, protocol: 2 };
    expect(await errorOf(line, "connect", params)).toMatchObject({
      reason: "gateway/protocol",
      hint: expect.stringContaining("gateway stop"),
    });
    expect(await errorOf(line, "owner.list")).toMatchObject({ code: "AUTH_REQUIRED" });
  });

  it.each(["no.such", "owner.list", "constructor", "__proto__", "toString"])(
    "for %s, which nobody handles, are refused",
    async (method) => {
      expect(await errorOf(await meet({}), method)).toMatchObject({ code: "METHOD_NOT_FOUND" });
    },
  );

  it.each([
    ["a missing field", "outbox.get", {}, "id"],
    ["a wrong type", "outbox.list", { limit: "many" }, "limit"],
    ["an unknown field", "outbox.get", { id: "o_1", extra: 1 }, "unknown parameter extra; it takes id"],
    ["a number out of bounds", "outbox.list", { limit: 0 }, "limit"],
  ])("with %s are refused by name, and the handler is not called", async (_what, method, params, named) => {
    const never = () => Promise.reject(new Error("called"));
    const line = await meet({ "outbox.get": never, "outbox.list": never });
    const error = await errorOf(line, method, params);
    expect(error.code).toBe("INVALID_REQUEST");
    expect(error.message).toContain(named);
  });

  it("run side by side and are answered as they end", async () => {
    let finish = () => {};
    const line = await meet({
      "owner.list": () => new Promise((resolve) => (finish = () => resolve({ owners: [] }))),
      "notices.list": async () => ({ notices: [] }),
    });
    line.write(request("slow", "owner.list"), request("quick", "notices.list"));
    expect(await line.next()).toMatchObject({ id: "quick" });
    line.write(request("slow", "notices.list"));
    expect(await line.next()).toMatchObject({ id: "slow", error: { code: "INVALID_REQUEST" } });
    finish();
    expect(await line.next()).toMatchObject({ id: "slow", ok: true });
  });

  it("PROTO-04 are told what happens while they wait, in event frames with rising numbers", async () => {
    const line = await meet({
      "agent.wait": async ({ runId }, call) => {
        for (const delta of ["Hel", "lo"]) call.emit("agent.delta", { runId, delta });
        return { result: "Hello" };
      },
    });
    line.write(request("w", "agent.wait", { runId: "r_1" }));
    expect([await line.next(), await line.next(), await line.next()]).toEqual([
      { type: "event", event: "agent.delta", payload: { runId: "r_1", delta: "Hel" }, seq: 1, id: "w" },
      { type: "event", event: "agent.delta", payload: { runId: "r_1", delta: "lo" }, seq: 2, id: "w" },
      { type: "res", id: "w", ok: true, payload: { result: "Hello" } },
    ]);
  });

  it("of a connection that closes are aborted", async () => {
    let signal: AbortSignal | undefined;
    const line = await meet({
      "agent.wait": (_params, call) => {
        signal = call.signal;
        call.emit("begun", {});
        return new Promise(() => {});
      },
    });
    line.write(request("w", "agent.wait", { runId: "r_1" }));
    await line.next();
    line.socket.destroy();
    if (!signal) throw new Error("the handler was not called");
    if (!signal.aborted) await once(signal, "abort");
    expect(signal.aborted).toBe(true);
  });
});

describe("errors", () => {
  it("of ours keep their code, words and hint", async () => {
    const line = await meet({
      "sessions.find": () =>
        Promise.reject(
          failure(
            "session/not-found",
            "failure.no-session",
            { id: "x" },
            { hint: "failure.no-session.hint" },
          ),
        ),
    });
    expect(await errorOf(line, "sessions.find", { sessionKey: "x" })).toEqual({
      code: "INVALID_REQUEST",
      reason: "session/not-found",
      message: "There is no session x.",
      hint: "`pincer sessions list` lists all sessions.",
      text: { key: "failure.no-session", hint: "failure.no-session.hint", parameters: { id: "x" } },
    });
  });

  it("that nobody foresaw tell nothing of the inside, and are logged", async () => {
    const gateway = await startTestGateway({
      methods: {
        "owner.list": () => Promise.reject(new TypeError("secret path /root")),
        "notices.list": () => Promise.reject(new PincerError("internal/bug", "secret path /root")),
      },
    });
    const line = await gateway.meet();
    for (const method of ["owner.list", "notices.list"]) {
      const error = await errorOf(line, method);
      expect(error.code).toBe("INTERNAL_ERROR");
      expect(JSON.stringify(error)).not.toContain("/root");
    }
    expect(gateway.said.join()).toContain("secret path");
  });

  it("have a code of the protocol's list, whatever ours is", async () => {
    for (const code of [
      "session/busy",
      "model/failed",
      "tool/failed",
      "storage/full",
      "turn/aborted",
    ] as const) {
      const line = await meet({ "owner.list": () => Promise.reject(new PincerError(code, "no")) });
      const error = await errorOf(line, "owner.list");
      expect(error.reason).toBe(code);
      expect(protocolErrorCodes).toContain(error.code);
    }
  });

  it("and answers go out without secrets", async () => {
    const hide = <Payload>(payload: Payload) =>
      JSON.parse(JSON.stringify(payload).replaceAll("hunter22", "[secret:x]")) as Payload;
    const gateway = await startTestGateway({
      hide,
      methods: {
        "owner.list": () => Promise.reject(new PincerError("storage/failed", "hunter22")),
        "agent.wait": async (_params, call) => {
          call.emit("agent.delta", { delta: "hunter22" });
          return "hunter22";
        },
      },
    });
    const line = await gateway.meet();
    const frames = [
      await ask(line, "owner.list"),
      await ask(line, "agent.wait", { runId: "r" }),
      await line.next(),
    ];
    expect(JSON.stringify(frames)).not.toContain("hunter22");
  });
});

describe("idempotency", () => {
  it("PROTO-11 does a request with the same key once, also over another connection, and answers alike", async () => {
    let claims = 0;
    const gateway = await startTestGateway({
      methods: { "owner.claim": async () => ({ code: `CODE${++claims}`, expiresAt: "" }) },
    });
    const [one, two] = [await gateway.meet(), await gateway.meet()];
    const first = await ask(one, "owner.claim", { idempotencyKey: "k" });
    expect(await ask(one, "owner.claim", { idempotencyKey: "k" })).toEqual(first);
    expect(await ask(two, "owner.claim", { idempotencyKey: "k" })).toEqual(first);
    expect(claims).toBe(1);
    await ask(one, "owner.claim");
    expect(claims).toBe(2);
  });

  it("PROTO-11 refuses a key that comes back with other parameters", async () => {
    const line = await meet({ "outbox.drop": async ({ id }) => ({ dropped: id }) });
    await ask(line, "outbox.drop", { id: "a", idempotencyKey: "k" });
    expect(await ask(line, "outbox.drop", { idempotencyKey: "k", id: "a" })).toMatchObject({ ok: true });
    expect(await errorOf(line, "outbox.drop", { id: "b", idempotencyKey: "k" })).toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
    });
  });

  it("lets one that failed be tried again, and leaves agent.run to remember for itself", async () => {
    let drops = 0;
    let runs = 0;
    const line = await meet({
      "outbox.drop": async ({ id }) => {
        if (++drops === 1) throw new PincerError("storage/busy", "later");
        return { dropped: id };
      },
      "agent.run": async () => ({ runId: "r", duplicate: ++runs > 1 }),
    });
    await errorOf(line, "outbox.drop", { id: "a", idempotencyKey: "k" });
    expect(await ask(line, "outbox.drop", { id: "a", idempotencyKey: "k" })).toMatchObject({ ok: true });
    for (const duplicate of [false, true]) {
      expect(await ask(line, "agent.run", { input: "hi", idempotencyKey: "k" })).toMatchObject({
        payload: { duplicate },
      });
    }
  });

  it("forgets the oldest beyond a thousand, and everything after ten minutes", async () => {
    const clock = createHandClock();
    const done: string[] = [];
    const gateway = await startTestGateway({
      clock,
      methods: {
        "outbox.drop": async ({ id }) => {
          done.push(id);
          return { dropped: id };
        },
      },
    });
    const line = await gateway.meet();
    const drop = (id: string) => ask(line, "outbox.drop", { id, idempotencyKey: id });
    for (let index = 0; index <= 1000; index++) await drop(String(index));
    await drop("1");
    expect(done.length).toBe(1001);
    await drop("0");
    expect(done.length).toBe(1002);
    await clock.advance(600_000);
    await drop("1000");
    expect(done.length).toBe(1003);
  });
});
