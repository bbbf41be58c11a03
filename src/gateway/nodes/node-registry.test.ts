import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { ownerCaller, type Caller } from "../../policy/caller.ts";
import { createNodeMethods } from "./node-registry.ts";

interface Pushed {
  connectionId: string;
  event: string;
  payload: { callId: string; command: string; arguments: unknown };
}

/** Connections that remember what was pushed and are closed by hand. */
function stage() {
  const clock = createHandClock();
  const pushed: Pushed[] = [];
  const told: string[] = [];
  const open = new Map<string, Array<() => void>>();
  const methods = createNodeMethods({
    connections: {
      push(connectionId, event, payload) {
        if (!open.has(connectionId)) return false;
        pushed.push({ connectionId, event, payload: payload as Pushed["payload"] });
        return true;
      },
      onClose: (connectionId, then) =>
        open.has(connectionId) ? void open.get(connectionId)?.push(then) : then(),
    },
    publish: ({ event, payload }) => void told.push(`${event} ${payload.name}`),
    clock,
    ids: createIds(() => clock.now()),
  });
  const phone: Caller = { ...ownerCaller("t_default", "device"), id: "device:phone", role: "node" };
  const call = (connectionId: string, caller = phone, signal = new AbortController().signal) => {
    if (!open.has(connectionId)) open.set(connectionId, []);
    return { caller, signal, connectionId, emit: () => {} };
  };
  const close = (connectionId: string) => {
    const told = open.get(connectionId) ?? [];
    open.delete(connectionId);
    for (const then of told) then();
  };
  const about = {
    name: "phone",
    platform: "ios",
    version: "1",
    commands: [{ name: "camera.snap", description: "takes a picture" }],
  };
  const attach = async (connectionId: string, name = "phone") =>
    (await methods["nodes.register"]({ ...about, name }, call(connectionId))).nodeId;
  const names = async () => (await methods["nodes.list"]({}, call("owner"))).nodes.map(({ name }) => name);
  return { methods, clock, pushed, told, call, close, attach, names };
}

const snap = (nodeId: string) => ({ nodeId, command: "camera.snap", arguments: { server: true } });

describe("nodes", () => {
  it("GW-09 UI-02 a node registers, is asked over its connection, and its answer is the answer", async () => {
    const { methods, pushed, call, attach } = stage();
    const nodeId = await attach("c1");
    const asked = methods["nodes.invoke"](snap(nodeId), call("owner"));
    expect(pushed).toEqual([
      {
        connectionId: "c1",
        event: "node.invoke",
        payload: {
          callId: expect.any(String),
          command: "camera.snap",
          arguments: { server: true },
          timeoutMs: 30_000,
        },
      },
    ]);
    const { callId } = pushed[0]?.payload ?? { callId: "" };
    await methods["nodes.result"]({ callId, ok: true, payload: { file: "a.jpg" } }, call("c1"));
    expect(await asked).toEqual({ payload: { file: "a.jpg" } });
  });

  it("is removed when its connection closes, and waiting callers are told", async () => {
    const { methods, told, call, close, attach, names } = stage();
    const nodeId = await attach("c1");
    const asked = methods["nodes.invoke"](snap(nodeId), call("owner"));
    close("c1");
    await expect(asked).rejects.toThrow("disconnected");
    expect(await names()).toEqual([]);
    expect(told).toEqual(["node.attached phone", "node.gone phone"]);
    await expect(methods["nodes.invoke"](snap(nodeId), call("owner"))).rejects.toThrow("no node");
  });

  it("has the same id when it comes back, and its old connection's end takes nothing from it", async () => {
    const { attach, close, names } = stage();
    const first = await attach("c1");
    expect(await attach("c2")).toBe(first);
    close("c1");
    expect(await names()).toEqual(["phone"]);
  });

  it("only the node that was asked can answer, and only once", async () => {
    const { methods, pushed, call, attach } = stage();
    const nodeId = await attach("c1");
    await attach("c2", "other");
    const asked = methods["nodes.invoke"](snap(nodeId), call("owner"));
    const { callId } = pushed[0]?.payload ?? { callId: "" };
    const forged = methods["nodes.result"]({ callId, ok: true, payload: "forged" }, call("c2"));
    await expect(forged).rejects.toThrow("has no such open request");
    await expect(methods["nodes.result"]({ callId, ok: true }, call("owner"))).rejects.toThrow(
      "has no such open request",
    );
    await methods["nodes.result"]({ callId, ok: true, payload: "real" }, call("c1"));
    expect(await asked).toEqual({ payload: "real" });
    await expect(methods["nodes.result"]({ callId, ok: true }, call("c1"))).rejects.toThrow(
      "has no such open request",
    );
  });

  it("one that takes too long is told that nobody waits any more", async () => {
    const { methods, clock, pushed, call, attach } = stage();
    const nodeId = await attach("c1");
    const asked = methods["nodes.invoke"]({ ...snap(nodeId), timeoutMs: 500 }, call("owner"));
    const refused = asked.catch((error: Error) => error.message);
    await clock.advance(500);
    expect(await refused).toContain("within 500 ms");
    expect(pushed.map(({ event }) => event)).toEqual(["node.invoke", "node.cancel"]);
  });

  it("a caller that has left is not waited for", async () => {
    const { methods, pushed, call, attach } = stage();
    const nodeId = await attach("c1");
    const left = new AbortController();
    const asked = methods["nodes.invoke"](snap(nodeId), call("owner", undefined, left.signal));
    left.abort(new Error("the connection closed"));
    await expect(asked).rejects.toThrow("the connection closed");
    expect(pushed.at(-1)?.event).toBe("node.cancel");
  });

  it("a failure of the node is a failure with its words", async () => {
    const { methods, pushed, call, attach } = stage();
    const asked = methods["nodes.invoke"](snap(await attach("c1")), call("owner"));
    const { callId } = pushed[0]?.payload ?? { callId: "" };
    await methods["nodes.result"]({ callId, ok: false, error: "no camera" }, call("c1"));
    await expect(asked).rejects.toThrow("no camera");
  });

  it("is asked only for what it said it can do, within bounds", async () => {
    const { methods, pushed, call, attach } = stage();
    const nodeId = await attach("c1");
    const owner = call("owner");
    const invoke = (params: object) => methods["nodes.invoke"]({ ...snap(nodeId), ...params }, owner);
    await expect(invoke({ command: "system.run" })).rejects.toThrow("no command");
    await expect(invoke({ arguments: { a: "x".repeat(300_000) } })).rejects.toThrow("exceed");
    const waiting = Array.from({ length: 32 }, () => invoke({}).catch(() => undefined));
    await expect(invoke({})).rejects.toThrow("too busy");
    expect(pushed).toHaveLength(32);
    expect(waiting).toHaveLength(32);
  });

  it("there are at most a hundred", async () => {
    const { attach } = stage();
    for (let index = 0; index < 100; index++) await attach(`c${index}`, `node ${index}`);
    await expect(attach("c100", "one more")).rejects.toThrow("100 nodes are already connected");
    await attach("c99", "another name");
  });
});
