import { createHandClock } from "@pincer/sdk/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { openSqliteStores } from "./open-sqlite-stores.ts";
import type { Stores } from "./storage.ts";
import { question, waitingTurn, yes } from "./testing/approval-samples.ts";
import {
  claim,
  draft,
  ending,
  entriesFor,
  inbound,
  receive,
  takeFence,
  turnFor,
} from "./testing/message-samples.ts";
import { holder, say } from "./testing/samples.ts";

let root: string;
let stores: Stores;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-messages-"));
});
afterEach(async () => {
  await stores.close();
  await rm(root, { recursive: true });
});

function createDisk() {
  let count = 0;
  let failing = false;
  return {
    count: () => count,
    fail: () => (failing = true),
    fdatasync: async () => {
      count++;
      if (failing) throw new Error("EIO: i/o error, fdatasync");
    },
  };
}

async function open({ fdatasync }: { fdatasync: () => Promise<void> }): Promise<Stores> {
  const clock = createHandClock();
  stores = await openSqliteStores({
    file: join(root, "core.db"),
    clock,
    ids: createIds(clock.now),
    fdatasync,
  });
  return stores;
}

describe("messages and the disk", () => {
  it("PROTO-11 acknowledges a second delivery only after a sync, for the first may still be on its way", async () => {
    const disk = createDisk();
    const { inbox } = (await open(disk)).tenant("acme");
    await inbox.accept(inbound("1"));
    const before = disk.count();
    expect((await inbox.accept(inbound("1"))).type).toBe("duplicate");
    expect(disk.count()).toBe(before + 1);
    disk.fail();
    await expect(inbox.accept(inbound("1"))).rejects.toMatchObject({ code: "storage/failed" });
  });

  it.each([
    ["at once, when it is taken and when it is answered", "at-once", [1, 1]],
    ["with the answer, when it is answered", "at-end", [0, 1]],
  ] as const)("a question whose asker is told %s, is on the disk then", async (_, told, syncs) => {
    const disk = createDisk();
    const { turns } = (await open(disk)).tenant("acme");
    const counts: number[] = [];
    const count = async <Result>(work: Promise<Result>): Promise<Result> => {
      const before = disk.count();
      const result = await work;
      counts.push(disk.count() - before);
      return result;
    };
    const { inputs: _inputs, ...wish } = turnFor([]);
    const lease = { name: "main", holder: holder("one"), ttlMs: 60_000, isStale: () => false };
    const claimOf = () => ({ turnId: "r_1", deadlineAt: null, isStale: () => false, entriesFor });
    const beginning = { turnId: "r_1", lease, claimOf, told };
    const { begun } = await count(turns.accept(inbound("1"), wish, beginning));
    if (!begun) throw new Error("unreachable");
    await count(turns.end(ending("r_1", begun.fence)));
    expect(counts).toEqual(syncs);
  });

  it("a question that cannot begin at once is on the disk before its asker waits, whenever that one is told", async () => {
    const disk = createDisk();
    const tenant = (await open(disk)).tenant("acme");
    await takeFence(tenant);
    const { inputs: _inputs, ...wish } = turnFor([]);
    const lease = { name: "main", holder: holder("two"), ttlMs: 60_000, isStale: () => false };
    const claimOf = () => ({ turnId: "r_1", deadlineAt: null, isStale: () => false, entriesFor });
    const before = disk.count();
    const { begun } = await tenant.turns.accept(inbound("1"), wish, {
      turnId: "r_1",
      lease,
      claimOf,
      told: "at-end",
    });
    expect({ begun, syncs: disk.count() - before }).toEqual({ begun: undefined, syncs: 1 });
  });

  it("syncs once before a send begins and once at the end of a turn; what is between rides along", async () => {
    const disk = createDisk();
    const tenant = (await open(disk)).tenant("acme");
    const inputs = await receive(tenant, "1");
    const fence = await takeFence(tenant);
    let before = disk.count();
    const queued = await tenant.turns.enqueue(turnFor(inputs));
    const turnId = queued.type === "queued" ? queued.turn.turnId : "";
    await claim(tenant, turnId, fence);
    await tenant.turns.record({ turnId, fence, bodies: [say("x")], steps: [], sync: "later" });
    await tenant.outbox.preview({ ...draft("an"), turnId });
    expect(disk.count()).toBe(before);
    const { outbox } = await tenant.turns.end(
      ending(turnId, fence, { replies: [draft("answer", { turnId })] }),
    );
    expect(disk.count()).toBe(before + 1);
    before = disk.count();
    const id = outbox[0]?.id ?? "";
    await tenant.outbox.beginSend(id);
    expect(disk.count()).toBe(before + 1);
    await tenant.outbox.markSent(id, { messageId: "p", version: 2, shownLength: 6 });
    expect(disk.count()).toBe(before + 1);
  });

  it("SAFE-02 has a question, its answer and its use on the disk before anybody goes on", async () => {
    const disk = createDisk();
    const tenant = (await open(disk)).tenant("acme");
    const { turnId, approval } = await waitingTurn(tenant, "1");
    const syncsOf = async (work: () => Promise<unknown>) => {
      const before = disk.count();
      await work();
      return disk.count() - before;
    };
    const { approvals } = tenant;
    expect(await syncsOf(() => approvals.ask(question(turnId, { callId: "call_2" })))).toBe(1);
    // Found, not made: the one who made it may still be waiting for the disk.
    expect(await syncsOf(() => approvals.ask(question(turnId)))).toBe(1);
    expect(await syncsOf(() => approvals.answer(approval.id, yes))).toBe(1);
    expect(await syncsOf(() => approvals.answer(approval.id, yes))).toBe(1);
    expect(await syncsOf(() => approvals.spend(approval.id))).toBe(1);
    expect(await syncsOf(() => approvals.expire("2030-01-01T00:00:00.000Z", 9))).toBe(1);
    const { id } = await approvals.ask(question("r_2"));
    await approvals.answer(id, yes);
    disk.fail();
    await expect(approvals.spend(id)).rejects.toMatchObject({ code: "storage/failed" });
  });
});
