import { methods, type Frame, type MethodName, type WelcomeView } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { permissionOf } from "../policy/method-access.ts";
import { holds, roles, type Role } from "../policy/permission-points.ts";
import { ownerCaller } from "../policy/caller.ts";
import { createEventBus } from "./event-bus.ts";
import type { MethodHandlers } from "./method-calls.ts";
import { createRpc } from "./rpc.ts";

/** A connection of somebody with a role, to a gateway that handles every method and notes which were called. */
function connectAs(role: Role) {
  const called: string[] = [];
  const frames: Frame[] = [];
  const names = Object.keys(methods).filter((name) => name !== "connect");
  const handlers = Object.fromEntries(names.map((name) => [name, async () => void called.push(name)]));
  const rpc = createRpc({
    methods: handlers as unknown as MethodHandlers,
    about: { version: "0", pid: 1, startedAt: "2026-01-01T12:00:00.000Z", language: () => "en" },
    hide: (payload) => payload,
    bus: createEventBus({ clock: createHandClock() }),
    clock: createHandClock(),
    log: { warn: () => {}, error: () => {} },
  });
  const connection = rpc.open((frame) => void frames.push(frame), {
    caller: { ...ownerCaller("t_default", "token"), role },
  });
  const ask = (method: string, params: object) =>
    connection.receive(JSON.stringify({ type: "req", id: method, method, params }));
  ask("connect", { protocol: 1, client: { name: "test", version: "0" } });
  return { ask, called, frames };
}

const answerTo = (frames: Frame[], method: string) =>
  frames.find((frame) => frame.type === "res" && frame.id === method);

describe("permissions at the gateway", () => {
  it.each(roles)("TEN-03 a connection as %s reaches what its role was granted, and nothing else", (role) => {
    const { ask, frames } = connectAs(role);
    const names = (Object.keys(methods) as MethodName[]).filter((name) => name !== "connect");
    // Parameters that match nothing: a caller with the permission is told so, and one without never gets that far.
    for (const name of names) ask(name, { unknown: 1 });
    const refused = names.filter((name) => {
      const frame = answerTo(frames, name);
      return frame?.type === "res" && !frame.ok && frame.error.code === "FORBIDDEN";
    });
    expect(refused).toEqual(names.filter((name) => !holds(role, permissionOf(name))));
  });

  it.each(roles)(
    "TEN-03 a connection as %s is told of the methods that it may ask, and of no other",
    (role) => {
      const welcome = answerTo(connectAs(role).frames, "connect");
      const told = welcome?.type === "res" && welcome.ok ? (welcome.payload as WelcomeView).methods : [];
      const names = (Object.keys(methods) as MethodName[]).filter(
        (name) => name === "connect" || holds(role, permissionOf(name)),
      );
      expect([...new Set(told)]).toEqual(names.sort());
    },
  );

  it("SAFE-09 refuses an answer to a request to callers without the permission, and names the permission", () => {
    const { ask, called, frames } = connectAs("developer");
    ask("approvals.approve", { id: "K7Q2MP" });
    expect(called).toEqual([]);
    expect(answerTo(frames, "approvals.approve")).toMatchObject({
      ok: false,
      error: {
        code: "FORBIDDEN",
        reason: "permission/missing",
        message: expect.stringContaining("approvals.answer"),
        text: { parameters: { point: "approvals.answer", role: "developer" } },
      },
    });
    ask("approvals.list", {});
    expect(called).toEqual(["approvals.list"]);
  });

  it("SAFE-09 the owner's answer is carried out", () => {
    const { ask, called } = connectAs("owner");
    ask("approvals.approve", { id: "K7Q2MP", scope: "once" });
    ask("approvals.deny", { id: "K7Q2MP" });
    expect(called).toEqual(["approvals.approve", "approvals.deny"]);
  });
});
