import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../memory-stores.ts";
import { waitingTurn } from "../testing/approval-samples.ts";
import { draft, noticeDraft, place, queue, receive } from "../testing/message-samples.ts";

function openTenant() {
  const clock = createHandClock(Date.parse("2026-01-01T12:00:00.000Z"));
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) });
  return { clock, tenant: stores.tenant("acme"), other: stores.tenant("other") };
}

const nothing = { count: 0, oldestAt: null };

describe("what waits", () => {
  it("OBS-02 is nothing in an empty home", async () => {
    const { tenant } = openTenant();
    expect(await tenant.backlogs.read()).toEqual({
      inbox: nothing,
      turns: nothing,
      outbox: [],
      deadLetters: 0,
      approvals: 0,
      notices: 0,
    });
  });

  it("OBS-02 is counted with its oldest, for one tenant alone", async () => {
    const { clock, tenant, other } = openTenant();
    await receive(tenant, "m1");
    await clock.advance(1000);
    await receive(tenant, "m2");
    await queue(tenant, "m3");
    await clock.advance(1000);
    await queue(tenant, "m4");
    await tenant.notices.add(noticeDraft("one"));
    expect(await tenant.backlogs.read()).toMatchObject({
      inbox: { count: 2, oldestAt: "2026-01-01T12:00:00.000Z" },
      turns: { count: 2, oldestAt: "2026-01-01T12:00:01.000Z" },
      notices: 1,
    });
    expect(await other.backlogs.read()).toMatchObject({ inbox: nothing, turns: nothing, notices: 0 });
  });

  it("OBS-02 says by account what is to be sent, whatever the names of accounts hold", async () => {
    const { clock, tenant } = openTenant();
    const odd = { ...place("7"), channel: "a:b", accountId: "50%3A" };
    await tenant.outbox.enqueue([draft("one", { destination: odd })]);
    await clock.advance(5000);
    await tenant.outbox.enqueue([
      draft("two", { destination: { ...odd, target: place("8").target } }),
      draft("three"),
    ]);
    const sent = await tenant.outbox.enqueue([draft("four")]);
    await tenant.outbox.markSent(sent[0]?.id ?? "", { messageId: "m", version: 1, shownLength: 4 });
    const { outbox } = await tenant.backlogs.read();
    expect(outbox).toHaveLength(2);
    expect(outbox).toContainEqual({
      channel: "a:b",
      accountId: "50%3A",
      count: 2,
      oldestAt: "2026-01-01T12:00:00.000Z",
    });
    expect(outbox).toContainEqual({
      channel: "telegram",
      accountId: "bot",
      count: 1,
      oldestAt: "2026-01-01T12:00:05.000Z",
    });
  });

  it("OBS-04 counts what was given up and what waits for the owner", async () => {
    const { tenant } = openTenant();
    const [row = ""] = await receive(tenant, "m1");
    await tenant.inbox.settle(row, { state: "dead", reason: "crashed" });
    const buried = await queue(tenant, "m2");
    await tenant.turns.bury(buried.turnId, { replies: [], notice: noticeDraft("buried") });
    await waitingTurn(tenant, "m3");
    expect(await tenant.backlogs.read()).toMatchObject({ deadLetters: 2, approvals: 1, notices: 1 });
  });

  it("holds everything that a restored home would do again, until the owner runs or drops it", async () => {
    const { tenant } = openTenant();
    await receive(tenant, "m1");
    const { turnId: queued } = await queue(tenant, "m2");
    const waiting = await waitingTurn(tenant, "m9");
    await tenant.outbox.enqueue([draft("one")]);
    const work = { which: "all", since: "2026-01-10T12:00:00.000Z", notice: "notice.held-restore" } as const;
    expect(await tenant.backlogs.hold(work)).toEqual({ turns: 3, sends: 1 });
    expect(await tenant.backlogs.read()).toMatchObject({
      inbox: nothing,
      turns: nothing,
      outbox: [],
      deadLetters: 3,
      approvals: 0,
      notices: 1,
    });
    const dead = await tenant.turns.list({ limit: 9, states: ["dead"] });
    expect(dead.map(({ ending }) => ending?.type)).toEqual(["held", "held"]);
    expect((await tenant.notices.list({ limit: 1 }))[0]?.text.parameters).toEqual({
      turns: 3,
      sends: 1,
      since: "2026-01-10 12:00",
    });
    expect((await tenant.turns.revive(queued))?.state).toBe("queued");
    expect(await tenant.turns.drop(waiting.turnId)).toBe(true);
    expect(await tenant.backlogs.hold(work)).toMatchObject({ turns: 1, sends: 0 });
  });

  it("of a home whose record is damaged, only turns that have run in part are held", async () => {
    const { tenant } = openTenant();
    await queue(tenant, "m1");
    await waitingTurn(tenant, "m9");
    const since = "2026-01-10T12:00:00.000Z";
    const held = await tenant.backlogs.hold({ which: "begun", since, notice: "notice.held-repair" });
    expect(held).toEqual({ turns: 1, sends: 0 });
    expect(await tenant.backlogs.read()).toMatchObject({ turns: { count: 1 }, deadLetters: 1 });
  });
});
