import { createHandClock } from "@pincer/sdk/testing";
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { WelcomeView } from "../protocol/gateway-methods.ts";
import { createGatewayLink, type GatewayLinkParts, type LinkGap, type LinkState } from "./gateway-link.ts";

/** A WebSocket whose other end is the test. */
class FakeSocket {
  readonly sent: Array<{ id: string; method: string; params: Record<string, unknown> }> = [];
  readyState = 1;
  closedWith: number | undefined;
  private readonly ears = new Map<string, (event: never) => void>();

  addEventListener(type: string, listener: (event: never) => void): void {
    this.ears.set(type, listener);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FakeSocket["sent"][number]);
  }
  close(code?: number): void {
    this.closedWith = code;
  }
  tell(frame: object): void {
    this.ears.get("message")?.({ data: JSON.stringify(frame) } as never);
  }
  drop(code = 1006, reason = ""): void {
    this.ears.get("close")?.({ code, reason } as never);
  }
  requests(): string[] {
    return this.sent.map(({ method }) => method);
  }
  last(method: string) {
    const found = this.sent.findLast((frame) => frame.method === method);
    if (!found) throw new Error(`${method} was not sent`);
    return found;
  }
  answer(method: string, payload: unknown): void {
    this.tell({ type: "res", id: this.last(method).id, ok: true, payload });
  }
}

const about = (given: Partial<WelcomeView> = {}): WelcomeView => ({
  protocol: 1,
  version: "0",
  pid: 1,
  startedAt: "2026-01-01T12:00:00.000Z",
  language: "en",
  methods: [],
  effects: { "agent.run": "own", "outbox.drop": "once" },
  caller: { id: "owner", name: "owner", role: "owner" },
  connectionId: "c1",
  stateVersion: 10,
  ...given,
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

function open(given: Partial<GatewayLinkParts> = {}) {
  const clock = createHandClock();
  const sockets: FakeSocket[] = [];
  const states: LinkState[] = [];
  const gaps: LinkGap[] = [];
  const link = createGatewayLink({
    url: "ws://gateway/ws",
    WebSocket: class extends FakeSocket {
      constructor() {
        super();
        sockets.push(this);
      }
    },
    client: { name: "test", version: "0" },
    clock,
    random: () => 1,
    onState: (state) => states.push(state),
    onGap: (gap) => gaps.push(gap),
    ...given,
  });
  const socket = () => {
    const last = sockets.at(-1);
    if (!last) throw new Error("nobody dialled");
    return last;
  };
  /** Says hello on the newest connection. */
  async function welcome(view: Partial<WelcomeView> = {}) {
    socket().tell({
      type: "event",
      event: "connect.challenge",
      payload: { challenge: "ch", gatewayId: "g" },
      seq: 0,
    });
    await settle();
    socket().answer("connect", about(view));
  }
  async function reconnect(view: Partial<WelcomeView> = {}) {
    socket().drop();
    await clock.advance(500);
    await welcome(view);
  }
  return { link, clock, sockets, states, gaps, socket, welcome, reconnect };
}

describe("a link to the gateway", () => {
  it("PROTO-01 asks the next gateway for what one that was stopping left, and goes on with a run there", async () => {
    const { link, socket, welcome, reconnect } = open();
    await welcome();
    const events: string[] = [];
    const onEvent = (event: string) => void events.push(event);
    const dropped = link.request("outbox.drop", { id: "o" } as never);
    const waited = link.request("agent.wait", { runId: "r", stream: true }, { onEvent });
    const stopped = { code: "INVALID_REQUEST", message: "stopping", reason: "gateway/stopped" };
    for (const method of ["outbox.drop", "agent.wait"])
      socket().tell({ type: "res", id: socket().last(method).id, ok: false, error: stopped });
    await reconnect({ startedAt: "2026-01-01T12:00:05.000Z" });
    expect(socket().requests()).toEqual(["connect", "outbox.drop", "agent.wait"]);
    expect(events).toEqual(["agent.start_over"]);
    socket().answer("outbox.drop", { dropped: true });
    socket().answer("agent.wait", { text: "done" });
    expect(await dropped).toEqual({ dropped: true });
    expect(await waited).toEqual({ text: "done" });
  });

  it("subscribes again a little later where the gateway had no time for it", async () => {
    const { link, socket, welcome, clock } = open();
    await welcome();
    link.subscribe(["runs"], () => {});
    const refuse = (reason: string) =>
      socket().tell({
        type: "res",
        id: "events",
        ok: false,
        error: { code: "INVALID_REQUEST", message: "no", reason },
      });
    refuse("gateway/busy");
    await clock.advance(2000);
    await settle();
    expect(socket().requests()).toEqual(["connect", "events.subscribe", "events.subscribe"]);
    refuse("permission/missing");
    await clock.advance(2000);
    await settle();
    expect(socket().requests()).toHaveLength(3);
    refuse("gateway/busy");
    link.close();
    expect(clock.sleeping()).toBe(0);
  });

  it("leaves nothing on a signal whose requests are answered", async () => {
    const { link, socket, welcome } = open();
    await welcome();
    const { signal } = new AbortController();
    const asked = link.request("owner.list", {}, { signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    socket().answer("owner.list", {});
    await asked;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("PROTO-01 connects first, with what there is to show, and then asks what was asked before", async () => {
    const device = {
      publicKey: "pk",
      name: "laptop",
      wants: "viewer" as const,
      sign: async (statement: string) => `signed ${statement}`,
    };
    const { link, socket, welcome, states } = open({ auth: async () => ({ token: "t" }), device });
    const asked = link.request("owner.list", {});
    expect(socket().sent).toEqual([]);
    await welcome();
    expect(socket().requests()).toEqual(["connect", "owner.list"]);
    expect(socket().last("connect").params).toEqual({
      protocol: 1,
      client: { name: "test", version: "0" },
      auth: {
        token: "t",
        device: {
          publicKey: "pk",
          name: "laptop",
          wants: "viewer",
          signature: 'signed "pincer device 1"\n"g"\n"ch"\n"pk"\n"viewer"',
        },
      },
    });
    socket().answer("owner.list", { owners: [] });
    expect(await asked).toEqual({ owners: [] });
    expect(states.map(({ type }) => type)).toEqual(["connecting", "connected"]);
  });

  it("takes the WebSocket that pages and Node have", () => {
    const parts: Pick<GatewayLinkParts, "WebSocket"> = { WebSocket: globalThis.WebSocket };
    expect(parts.WebSocket).toBeTypeOf("function");
  });

  it("shows nothing where there is nothing to show", async () => {
    const { socket, welcome } = open();
    await welcome();
    expect(socket().last("connect").params).not.toHaveProperty("auth");
  });

  it("fails a request with the gateway's code, words and hint", async () => {
    const { link, socket, welcome } = open();
    await welcome();
    const asked = link.request("outbox.get", { id: "o" });
    const error = { code: "FORBIDDEN", message: "no", hint: "ask", reason: "permission/missing" };
    socket().tell({ type: "res", id: socket().last("outbox.get").id, ok: false, error });
    await expect(asked).rejects.toMatchObject(error);
  });

  it("comes back by itself, each time later, and begins anew once it was connected", async () => {
    const { socket, clock, states, welcome } = open();
    const waits = () => states.flatMap((state) => (state.type === "waiting" ? [state.ms] : []));
    for (let index = 0; index < 8; index++) {
      socket().drop();
      await clock.advance(waits().at(-1) ?? 0);
    }
    expect(waits()).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    await welcome();
    socket().drop();
    expect(waits().at(-1)).toBe(500);
  });

  it("waits between half and all of the time, so that not everybody comes at once", async () => {
    const { socket, states } = open({ random: () => 0 });
    socket().drop();
    expect(states.at(-1)).toMatchObject({ type: "waiting", ms: 250 });
  });

  it.each([
    [1006, "", "The connection was lost."],
    [4029, "", "Too many connections; try again later."],
    [1001, "The gateway is stopping.", "The gateway is stopping."],
  ])("says in words why a connection ended with %i", (code, reason, why) => {
    const { socket, states } = open();
    socket().drop(code, reason);
    expect(states.at(-1)).toMatchObject({ type: "waiting", why });
  });

  it("gives a connection up on which nobody answers in time", async () => {
    const { sockets, clock, states } = open();
    await clock.advance(15_000);
    expect(states.at(-1)).toMatchObject({ type: "waiting", why: "The gateway did not answer in time." });
    expect(sockets[0]?.closedWith).toBe(1000);
    await clock.advance(500);
    expect(sockets).toHaveLength(2);
    sockets[0]?.drop();
    expect(states.at(-1)).toEqual({ type: "connecting" });
  });

  it("does not try again where what it showed lets nobody in, until it is told to", async () => {
    const { link, socket, sockets, clock, states } = open();
    const asked = link.request("owner.list", {});
    socket().tell({
      type: "event",
      event: "connect.challenge",
      payload: { challenge: "ch", gatewayId: "g" },
      seq: 0,
    });
    await settle();
    const error = { code: "UNAUTHORIZED", message: "You are not signed in.", reason: "gateway/unauthorized" };
    socket().tell({ type: "res", id: "connect", ok: false, error });
    await expect(asked).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(link.request("owner.list", {})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await clock.advance(600_000);
    expect(sockets).toHaveLength(1);
    expect(states.at(-1)).toMatchObject({ type: "refused", error: { reason: "gateway/unauthorized" } });
    link.retry();
    expect(sockets).toHaveLength(2);
  });

  it("keeps knocking as a device that waits to be let in", async () => {
    const { socket, sockets, clock } = open();
    const error = {
      code: "UNAUTHORIZED",
      message: "The code is K7Q2.",
      reason: "gateway/unauthorized",
      text: { key: "gateway.device-pending", parameters: { code: "K7Q2" } },
    };
    socket().tell({ type: "res", id: "connect", ok: false, error });
    await clock.advance(500);
    expect(sockets).toHaveLength(2);
  });

  it("learns why it is being cut off from the last frame", async () => {
    const { socket, states, welcome } = open();
    await welcome();
    const error = { code: "UNAUTHORIZED", message: "You were signed out.", reason: "gateway/unauthorized" };
    socket().tell({ type: "res", id: "", ok: false, error });
    socket().drop(4003);
    expect(states.at(-1)).toMatchObject({ type: "refused", error: { message: "You were signed out." } });
  });

  it("says nothing to a gateway after it was closed", async () => {
    const { link, socket, welcome } = open();
    await welcome();
    const leave = link.subscribe(["runs"], () => {});
    const before = socket().sent.length;
    link.close();
    leave();
    expect(socket().sent).toHaveLength(before);
  });

  it("closes for good, and rejects what waits", async () => {
    const { link, sockets, clock, welcome, socket } = open();
    await welcome();
    const asked = link.request("owner.list", {});
    link.close();
    link.close();
    await expect(asked).rejects.toMatchObject({ code: "CLOSED" });
    await expect(link.request("owner.list", {})).rejects.toMatchObject({ code: "CLOSED" });
    socket().drop();
    await clock.advance(600_000);
    expect(sockets).toHaveLength(1);
  });

  it("stops waiting for a request whose asker has gone", async () => {
    const { link, welcome, reconnect, socket } = open();
    await welcome();
    const gone = new AbortController();
    const asked = link.request("owner.list", {}, { signal: gone.signal });
    gone.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await reconnect();
    expect(socket().requests()).toEqual(["connect"]);
    await expect(link.request("owner.list", {}, { signal: gone.signal })).rejects.toThrow("enough");
  });
});

describe("requests over a connection that breaks", () => {
  it("PROTO-11 are asked again under the same key, which is made where none was given", async () => {
    const { link, welcome, reconnect, socket } = open();
    await welcome();
    const read = link.request("owner.list", {});
    const drop = link.request("outbox.drop", { id: "o" });
    const run = link.request("agent.run", { input: "hi", idempotencyKey: "mine" });
    const first = socket().last("outbox.drop").params;
    expect(first["idempotencyKey"]).toMatch(/^[0-9a-f]{32}$/);
    expect(socket().last("owner.list").params).toEqual({});
    await reconnect();
    expect(socket().requests()).toEqual(["connect", "owner.list", "outbox.drop", "agent.run"]);
    expect(socket().last("outbox.drop").params).toEqual(first);
    expect(socket().last("agent.run").params).toEqual({ input: "hi", idempotencyKey: "mine" });
    socket().answer("owner.list", { owners: [] });
    socket().answer("outbox.drop", { dropped: "o" });
    socket().answer("agent.run", { runId: "r", duplicate: true });
    expect(await Promise.all([read, drop, run])).toEqual([
      { owners: [] },
      { dropped: "o" },
      { runId: "r", duplicate: true },
    ]);
  });

  it("that were made while a connection was closing are sent with the next one, as never sent before", async () => {
    const { link, socket, welcome, reconnect } = open();
    await welcome();
    const closing = socket();
    closing.readyState = 2;
    const dropped = link.request("outbox.drop", { id: "o" } as never);
    link.subscribe(["sessions"], () => {});
    expect(closing.requests()).toEqual(["connect"]);
    await reconnect({ startedAt: "2026-01-01T12:00:09.000Z" });
    socket().answer("outbox.drop", { dropped: true });
    expect(await dropped).toEqual({ dropped: true });
  });

  it("are not done twice by a gateway that was started anew and forgot their key", async () => {
    const { link, welcome, reconnect, socket } = open();
    await welcome();
    const drop = link.request("outbox.drop", { id: "o" });
    const run = link.request("agent.run", { input: "hi" });
    const refusal = drop.catch((error: unknown) => error);
    await reconnect({ startedAt: "2026-01-01T12:05:00.000Z" });
    expect(await refusal).toMatchObject({ code: "UNCERTAIN" });
    expect(socket().requests()).toEqual(["connect", "agent.run"]);
    socket().answer("agent.run", { runId: "r", duplicate: false });
    expect(await run).toEqual({ runId: "r", duplicate: false });
  });

  it("PROTO-01 follow a run on from the last step, each step once, and forget what was being said", async () => {
    const { link, welcome, reconnect, socket } = open();
    await welcome();
    const told: string[] = [];
    const waiting = link.request(
      "agent.wait",
      { runId: "r", stream: true },
      { onEvent: (event, payload) => void told.push(`${event} ${JSON.stringify(payload)}`) },
    );
    const emit = (event: string, payload: object, seq: number) =>
      socket().tell({ type: "event", event, payload, seq, id: socket().last("agent.wait").id });
    expect(socket().last("agent.wait").params).toMatchObject({ after: 0 });
    emit("agent.step", { seq: 4 }, 1);
    emit("agent.approval", { approval: { id: "A" } }, 2);
    emit("agent.delta", { delta: "Hel" }, 3);
    await reconnect();
    expect(socket().last("agent.wait").params).toEqual({ runId: "r", stream: true, after: 4 });
    emit("agent.step", { seq: 4 }, 1);
    emit("agent.step", { seq: 6 }, 2);
    emit("agent.snapshot", { text: "Hello", thinking: "" }, 3);
    emit("agent.approval", { approval: { id: "A" } }, 4);
    emit("agent.delta", { delta: " you" }, 5);
    socket().answer("agent.wait", { result: "Hello you" });
    await waiting;
    expect(told).toEqual([
      'agent.step {"seq":4}',
      'agent.approval {"approval":{"id":"A"}}',
      'agent.delta {"delta":"Hel"}',
      'agent.start_over {"reason":"reconnected"}',
      'agent.step {"seq":6}',
      'agent.snapshot {"text":"Hello","thinking":""}',
      'agent.delta {"delta":" you"}',
    ]);
  });
});

describe("events", () => {
  const changed = (seq: number, stateVersion: number) => ({
    type: "event",
    event: "config.changed",
    payload: { inForce: true },
    seq,
    stateVersion,
  });

  it("GW-11 come to those who listen to their topic, also after a reconnect, until they stop", async () => {
    const { link, welcome, reconnect, socket } = open();
    const heard: string[] = [];
    const stop = link.subscribe(["config"], ({ event }) => heard.push(`config: ${event}`));
    link.subscribe(["nodes"], ({ event }) => heard.push(`nodes: ${event}`));
    await welcome();
    expect(socket().last("events.subscribe").params).toEqual({ topics: ["config", "nodes"] });
    socket().tell(changed(1, 11));
    await reconnect({ stateVersion: 11 });
    expect(socket().requests()).toEqual(["connect", "events.subscribe"]);
    socket().tell(changed(1, 12));
    const stopping = { type: "event", event: "gateway.stopping", payload: {}, seq: 2, stateVersion: 13 };
    socket().tell(stopping);
    stop();
    expect(socket().last("events.subscribe").params).toEqual({ topics: ["nodes"] });
    socket().tell(changed(3, 14));
    expect(heard).toEqual([
      "config: config.changed",
      "config: config.changed",
      "config: gateway.stopping",
      "nodes: gateway.stopping",
    ]);
  });

  it("GW-11 tell of a gap in their numbers, of an older state, and of what happened meanwhile", async () => {
    const { link, welcome, reconnect, socket, gaps } = open();
    link.subscribe(["config"], () => {});
    await welcome({ stateVersion: 10 });
    socket().tell(changed(1, 11));
    socket().tell(changed(2, 12));
    expect(gaps).toEqual([]);
    socket().tell(changed(4, 13));
    expect(gaps).toEqual(["skipped"]);
    socket().tell(changed(5, 12));
    expect(gaps).toEqual(["skipped", "older"]);
    await reconnect({ stateVersion: 12 });
    expect(gaps).toEqual(["skipped", "older"]);
    await reconnect({ stateVersion: 15 });
    expect(gaps).toEqual(["skipped", "older", "away"]);
  });

  it("that are for this connection alone are handed on", async () => {
    const pushed: string[] = [];
    const { welcome, socket } = open({ onPush: (event) => void pushed.push(event) });
    await welcome();
    socket().tell({ type: "event", event: "gateway.slow", payload: { unreadBytes: 1 }, seq: 0 });
    socket().tell({ type: "event", event: "node.invoke", payload: { callId: "1" }, seq: 1 });
    expect(pushed).toEqual(["gateway.slow", "node.invoke"]);
  });
});
