import { createHandClock } from "@pincer/sdk/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { openSqliteStores } from "./open-sqlite-stores.ts";
import type { Stores } from "./storage.ts";
import { question, waitingTurn, yes } from "./testing/approval-samples.ts";
import { claim, draft, ending, inbound, receive, takeFence, turnFor } from "./testing/message-samples.ts";
import { say } from "./testing/samples.ts";

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

  it("a question is on the disk when its caller hears of it, and so is what a command answered", async () => {
    const disk = createDisk();
    const { inbox } = (await open(disk)).tenant("acme");
    const { session, person, rule, options } = turnFor([]);
    const asked = { session, person, rule, options, typed: true, queue: "own", direct: false } as const;
    let before = disk.count();
    const { row } = await inbox.accept(inbound("1"), asked);
    expect(disk.count()).toBe(before + 1);
    before = disk.count();
    await inbox.settle(row.id, { state: "command", reason: "help", answer: "words" });
    expect(disk.count()).toBe(before + 1);
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
