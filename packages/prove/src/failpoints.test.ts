import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createFailpoints, isWrite } from "./failpoints.ts";
import { watchModel, watchStores, watchSync, watchTool } from "./watch-points.ts";
import type { TenantStores } from "../../../src/storage/storage.ts";

function setUp() {
  const clock = createHandClock();
  let deaths = 0;
  const failpoints = createFailpoints({ clock, die: () => deaths++, fullForMs: 100 });
  return { clock, failpoints, deaths: () => deaths };
}

const kill = (point: string, hit: number) =>
  ({ type: "failpoint", action: "kill", point, hit, early: false }) as const;

describe("failpoints", () => {
  it("do nothing but count until one is armed, and then only at its hit", () => {
    const { failpoints, deaths } = setUp();
    for (let time = 0; time < 3; time++) failpoints.reach("turns.end:before");
    failpoints.arm(kill("turns.end:before", 2));
    failpoints.reach("turns.end:after");
    failpoints.reach("turns.end:before");
    expect([deaths(), failpoints.wasReached()]).toEqual([0, false]);
    failpoints.reach("turns.end:before");
    expect([deaths(), failpoints.wasReached()]).toEqual([1, true]);
    failpoints.reach("turns.end:before");
    expect(deaths()).toBe(1);
    expect(failpoints.counts()).toEqual({ "turns.end:after": 1, "turns.end:before": 6 });
  });

  it("make every write fail for a while when the disk is full, and no read", async () => {
    const { failpoints, clock } = setUp();
    failpoints.arm({ ...kill("inbox.accept:before", 1), action: "full" });
    expect(() => failpoints.reach("inbox.accept:before")).toThrow("The disk is full");
    expect(() => failpoints.reach("outbox.markSent:before")).toThrow("The disk is full");
    for (const point of ["outbox.head:before", "turns.get:before", "inbox.accept:after", "model.begin"]) {
      expect(() => failpoints.reach(point)).not.toThrow();
    }
    await clock.advance(100);
    expect(() => failpoints.reach("inbox.accept:before")).not.toThrow();
  });

  it("make every write fail for a while when the disk fails to write, and no sync", async () => {
    const { failpoints, clock } = setUp();
    failpoints.arm({ ...kill("inbox.accept:before", 1), action: "eio" });
    expect(() => failpoints.reach("inbox.accept:before")).toThrow("EIO");
    expect(() => failpoints.reach("turns.get:before")).not.toThrow();
    expect(() => failpoints.reach("sync:before")).not.toThrow();
    await clock.advance(100);
    expect(() => failpoints.reach("inbox.accept:before")).not.toThrow();
  });

  it("fill the disk until there is room again", () => {
    const { failpoints } = setUp();
    failpoints.fill(true);
    expect(() => failpoints.reach("inbox.accept:before")).toThrow("The disk is full");
    expect(() => failpoints.reach("turns.get:before")).not.toThrow();
    failpoints.fill(false);
    expect(() => failpoints.reach("inbox.accept:before")).not.toThrow();
  });

  it("break the sync for good", () => {
    const { failpoints } = setUp();
    failpoints.arm({ ...kill("sync:before", 2), action: "eio" });
    failpoints.reach("sync:before");
    for (let time = 0; time < 2; time++) expect(() => failpoints.reach("sync:before")).toThrow("EIO");
  });

  it("know a store's writes from everything else", () => {
    expect(["inbox.accept:before", "leases.renew:before", "turns.enqueue:before"].every(isWrite)).toBe(true);
    expect(
      [
        "inbox.accept:after",
        "inbox.listNew:before",
        "pairing.isAllowed:before",
        "channel.plain.send:before",
        "tool.prove_effect:before",
        "model.begin",
        "sync:before",
      ].some(isWrite),
    ).toBe(false);
  });
});

describe("what is watched", () => {
  it("passes a point before and after each verb, in the order of the calls", async () => {
    const points: string[] = [];
    const began: string[] = [];
    const stores = {
      inbox: { get: async (id: string) => void began.push(id) },
      turns: { get: () => Promise.reject(new Error("no")) },
    } as unknown as TenantStores;
    const watched = watchStores(stores, { reach: (point) => void points.push(point) });
    const calls = [watched.inbox.get("one"), watched.inbox.get("two")];
    expect(began).toEqual(["one", "two"]);
    await Promise.all(calls);
    await expect(watched.turns.get("x")).rejects.toThrow("no");
    expect(points).toEqual([
      "inbox.get:before",
      "inbox.get:before",
      "inbox.get:after",
      "inbox.get:after",
      "turns.get:before",
    ]);
  });

  it("passes points around the sync, the model's events and the tools", async () => {
    const points: string[] = [];
    const reach = (point: string) => void points.push(point);
    await watchSync(async () => void points.push("synced"), { reach })(1);
    const model = watchModel(
      {
        provider: "p",
        id: "i",
        async *stream() {
          yield { type: "text-delta", text: "hi" };
        },
      },
      { reach },
    );
    const request = { systemPrompt: "", messages: [], tools: [], signal: new AbortController().signal };
    for await (const event of model.stream(request)) points.push(`got ${event.type}`);
    const tool = watchTool(
      {
        name: "look",
        aliases: [],
        effect: "read",
        idempotent: true,
        controls: {},
        leaves: [],
        askedBy: [],
        resultOrigin: "tool",
        description: "",
        input: {} as never,
        run: async () => ({ text: "seen" }),
      },
      { reach },
    );
    await tool.run({}, { callId: "c", sessionKey: "s", signal: new AbortController().signal });
    expect(points).toEqual([
      "sync:before",
      "synced",
      "sync:after",
      "model.begin",
      "model.text-delta",
      "got text-delta",
      "model.over",
      "tool.look:before",
      "tool.look:after",
    ]);
  });
});
