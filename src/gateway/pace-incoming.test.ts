import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createRateLimits } from "./limits/rate-limits.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import { paceIncoming } from "./pace-incoming.ts";

const usual = { perAddress: 1000, perUser: 1000, perChannel: 1000, perTenant: 1000 };

function createStage(limits: Partial<typeof usual>) {
  const clock = createHandClock();
  const taken: string[] = [];
  const stop = new AbortController();
  const rows = new Map<string, InboxRow>();
  const receive = paceIncoming({
    limits: createRateLimits({ clock, limits: () => ({ ...usual, ...limits }) }),
    tenantId: "t",
    inbox: { get: async (id) => rows.get(id) },
    clock,
    take: (row) => void taken.push(row.id),
    signal: stop.signal,
    onError: (error) => taken.push(String(error)),
  });
  function send(id: string, sender: string, { accountId = "one", text = "hello" } = {}) {
    const message = { type: "text", text };
    const row = {
      id,
      state: "new",
      message: { channel: "chat", accountId, sender: { id: sender }, message },
    };
    rows.set(id, row as InboxRow);
    return receive(row as InboxRow);
  }
  /** Somebody else has taken it from the inbox. */
  const settle = (id: string) => void rows.set(id, { ...rows.get(id), state: "done" } as unknown as InboxRow);
  return { clock, taken, send, stop, settle };
}

const many = (sender: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${sender}${index}`);

describe("taking up messages", () => {
  it("takes a message up at once where nobody sends too much", () => {
    const { taken, send } = createStage({});
    void send("a0", "a");
    expect(taken).toEqual(["a0"]);
  });

  it("TEN-06 a sender of too many messages waits in their own order, nothing is lost, and nobody else waits for them", async () => {
    const { clock, taken, send } = createStage({ perUser: 3 });
    for (const id of many("a", 9)) void send(id, "a");
    void send("b0", "b");
    expect(taken).toEqual(["a0", "a1", "a2", "b0"]);
    for (let second = 0; second < 180; second++) await clock.advance(1000);
    expect(taken.filter((id) => id.startsWith("a"))).toEqual(many("a", 9));
  });

  it("TEN-06 an account that brings in too much is slowed down as a whole", async () => {
    const { clock, taken, send } = createStage({ perChannel: 2 });
    for (const id of ["a", "b", "c", "d"]) void send(id, id);
    void send("elsewhere", "e", { accountId: "two" });
    expect(taken).toEqual(["a", "b", "elsewhere"]);
    for (let second = 0; second < 120; second++) await clock.advance(1000);
    expect(taken.toSorted()).toEqual(["a", "b", "c", "d", "elsewhere"]);
  });

  it("TEN-06 the tenant has a bound of its own over all accounts", async () => {
    const { clock, taken, send } = createStage({ perTenant: 1 });
    void send("a", "a");
    void send("b", "b", { accountId: "two" });
    expect(taken).toEqual(["a"]);
    for (let second = 0; second < 61; second++) await clock.advance(1000);
    expect(taken).toEqual(["a", "b"]);
  });

  it("TEN-06 a stop does not wait behind what was sent before it, however it is written", () => {
    const { taken, send } = createStage({ perUser: 1 });
    for (const id of many("a", 5)) void send(id, "a");
    for (const text of ["stop", "/stop", "STOP!", "停"]) void send(text, "a", { text });
    expect(taken).toEqual(["a0", "stop", "/stop", "STOP!", "停"]);
  });

  it("leaves alone what somebody else has taken from the inbox meanwhile", async () => {
    const { clock, taken, send, settle } = createStage({ perUser: 1 });
    for (const id of many("a", 3)) void send(id, "a");
    settle("a1");
    for (let second = 0; second < 240; second++) await clock.advance(1000);
    expect(taken).toEqual(["a0", "a2"]);
  });

  it("takes nothing up once the gateway stops: the next one does", async () => {
    const { clock, taken, send, stop } = createStage({ perUser: 1 });
    void send("a0", "a");
    void send("a1", "a");
    stop.abort();
    await clock.advance(120_000);
    expect(taken).toEqual(["a0"]);
  });
});
