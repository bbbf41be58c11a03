import { createRecordingChannel } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conversationWith, createDeliveryStage, peer } from "./testing/delivery-stage.ts";

describe("delivery", () => {
  it("CHAN-26 sends what is in the outbox, in order, and records how far it got", async () => {
    const stage = await createDeliveryStage();
    const rows = await stage.send({ text: "one", replyTo: "q7" }, { text: "two" });
    await stage.run();
    expect(stage.ledger).toMatchObject([
      { text: "one", replyTo: "q7", attempt: 1, idempotencyKey: rows[0]?.id },
      { text: "two", replyTo: undefined, attempt: 1, idempotencyKey: rows[1]?.id },
    ]);
    expect(await stage.stores.outbox.get(rows[0]?.id ?? "")).toMatchObject({
      state: "sent",
      messageId: "1",
      shownVersion: 1,
      shownLength: 3,
    });
    expect(stage.progress.map(({ type }) => type)).toEqual(["sent", "sent"]);
  });

  it("CHAN-26 delivers once when the network says 500 ten times and then works", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "unavailable", times: 10 });
    await stage.send({ text: "patience" }, { text: "after it" });
    const waited = await stage.run();
    expect(stage.seen()).toEqual(["patience", "after it"]);
    expect(stage.ledger[0]?.attempt).toBe(11);
    expect(waited).toBeGreaterThan(60_000);
  });

  it("CHAN-26 says who waits for a message while the store fails, and nothing of one that was seen", async () => {
    const stage = await createDeliveryStage();
    const seen = await stage.send({ text: "seen" });
    await stage.run();
    const { head } = stage.stores.outbox;
    stage.stores.outbox.head = async () => {
      throw new Error("the file is damaged");
    };
    await stage.send({ text: "waits", destination: peer("bob") });
    await stage.send({ text: "nobody asked for it", kind: "notice", destination: peer("cid") });
    await stage.settle();
    // It may be over in a moment.
    expect(stage.held).toEqual([]);
    await stage.run(60_000);
    expect(new Set(stage.held)).toEqual(new Set(["bob"]));
    stage.stores.outbox.head = head;
    await stage.run();
    expect(stage.seen()).toEqual(["seen", "waits", "nobody asked for it"]);
    stage.stores.outbox.head = async () => {
      throw new Error("the file is damaged");
    };
    stage.held.length = 0;
    stage.deliverer().wake(seen);
    await stage.run(60_000);
    expect(stage.held).toEqual([]);
  });

  it("CHAN-26 waits as long as the network wants when it is too fast", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "rate-limited", retryAfterMs: 90_000 });
    await stage.send({ text: "slowly" });
    await stage.settle();
    await stage.clock.advance(89_999);
    await stage.settle();
    expect(stage.seen()).toEqual([]);
    await stage.clock.advance(1);
    await stage.settle();
    expect(stage.seen()).toEqual(["slowly"]);
  });

  it.each([
    ["a day", 86_400_000],
    ["an hour", 3_600_000],
  ])(
    "CHAN-26 waits no longer than the network wants where a restart finds the clock %s behind",
    async (_, behindMs) => {
      const stage = await createDeliveryStage();
      await stage.disconnect();
      await stage.send({ text: "slowly", notAfter: soon(stage.clock.now(), 86_400_000) });
      // It is older than the clock is behind, or not.
      await stage.clock.advance(7_200_000);
      stage.network.faults.inject({ type: "fail", code: "rate-limited", retryAfterMs: 90_000 });
      await stage.connect();
      await stage.settle();
      stage.clock.jump(-behindMs);
      await stage.restart();
      await stage.settle();
      await stage.clock.advance(89_999);
      await stage.settle();
      expect(stage.seen()).toEqual([]);
      await stage.clock.advance(1);
      await stage.settle();
      expect(stage.seen()).toEqual(["slowly"]);
    },
  );

  it("SEC-01 keeps secrets out of what it writes about a failure, wherever that goes", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    stage.redactor.add("bot", "123:abcdef");
    const message = "POST https://api.example/bot123:abcdef/send failed";
    stage.network.faults.inject({ type: "fail", code: "unavailable", message });
    const [row] = await stage.send({ text: "hello" });
    await stage.settle();
    const id = row?.id ?? "";
    const redacted = "POST https://api.example/bot[secret:bot]/send failed";
    expect((await stage.stores.outbox.get(id))?.error).toEqual({ code: "unavailable", message: redacted });

    stage.network.faults.inject({ type: "fail", code: "rejected", message });
    await stage.run();
    expect((await stage.stores.outbox.get(id))?.error).toEqual({ code: "rejected", message: redacted });
    const notices = await stage.stores.notices.list({ limit: 5 });
    expect(notices).toMatchObject([{ text: { parameters: { reason: redacted } } }]);
    expect(stage.logged.join("\n")).toContain(redacted);
    expect(stage.logged.join("\n")).not.toContain("123:abcdef");
  });

  it("CHAN-26 keeps the order within a conversation while another goes on", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "unavailable", retryAfterMs: 30_000 });
    await stage.send({ text: "a1" }, { text: "a2" }, { text: "a3" });
    await stage.settle();
    await stage.send({ text: "b1", destination: peer("bob") }, { text: "b2", destination: peer("bob") });
    await stage.settle();
    expect(stage.seen()).toEqual(["b1", "b2"]);
    await stage.run();
    expect(stage.seen("ann")).toEqual(["a1", "a2", "a3"]);
  });

  it("CHAN-26 keeps the pace of an account over all its conversations", async () => {
    const stage = await createDeliveryStage({ traits: { paceMs: 1000 } });
    await stage.send(...["ann", "bob", "cid"].map((name) => ({ text: name, destination: peer(name) })));
    for (const expected of [1, 2, 3]) {
      await stage.settle();
      expect(stage.ledger).toHaveLength(expected);
      await stage.clock.advance(1000);
    }
  });

  it("CHAN-26 counts no attempt while there is no connection, and goes on when there is one", async () => {
    const stage = await createDeliveryStage();
    await stage.disconnect();
    const [row] = await stage.send({ text: "when you are back" });
    await stage.clock.advance(600_000);
    expect((await stage.stores.outbox.get(row?.id ?? ""))?.attempts).toBe(0);
    await stage.connect();
    await stage.settle();
    expect(stage.ledger).toMatchObject([{ text: "when you are back", attempt: 1 }]);
  });

  it("CHAN-26 says one line instead of an answer that is too late, and tells the owner", async () => {
    const stage = await createDeliveryStage();
    await stage.disconnect();
    const [row] = await stage.send({ text: "old news", notAfter: soon(stage.clock.now(), 60_000) });
    await stage.clock.advance(61_000);
    await stage.settle();
    await stage.connect();
    await stage.run();
    expect(stage.seen()).toEqual([expect.stringMatching(/^An answer from \d\d:\d\d could not be delivered/)]);
    expect(await stage.stores.outbox.get(row?.id ?? "")).toMatchObject({
      state: "failed",
      error: { code: "expired" },
    });
    expect(await stage.stores.notices.list({ limit: 5 })).toMatchObject([{ kind: "delivery" }]);
  });

  it("CHAN-26 gives up in time when the network keeps failing", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "unavailable", times: 12 });
    await stage.send({ text: "never", notAfter: soon(stage.clock.now(), 120_000) });
    await stage.run();
    expect(stage.seen()).toEqual([expect.stringMatching(/could not be delivered in time/)]);
  });

  it("CHAN-26 says one line instead of an answer that the network refuses, and none about that line", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "rejected" });
    await stage.send({ text: "bad words" }, { text: "next" });
    await stage.run();
    expect(stage.seen()).toEqual(["next", expect.stringMatching(/rejected it/)]);

    const blocked = await createDeliveryStage();
    blocked.network.faults.inject({ type: "fail", code: "rejected", times: 10 });
    await blocked.send({ text: "you blocked me" });
    await blocked.run();
    const rows = await blocked.stores.outbox.list({ limit: 10 });
    expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
      ["notice", "failed"],
      ["reply", "failed"],
    ]);
    expect(await blocked.stores.notices.list({ limit: 5 })).toHaveLength(1);
  });

  it("CHAN-26 says nothing to a stranger whose pairing message failed, only to the owner", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "rejected" });
    await stage.send({ text: "your code", kind: "pairing" });
    await stage.run();
    expect(stage.seen()).toEqual([]);
    expect(await stage.stores.notices.list({ limit: 5 })).toHaveLength(1);
  });

  it("CHAN-26 begins no send once it is to stop, and lets a running one finish", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "hang", taken: true });
    const [first] = await stage.send({ text: "on its way" }, { text: "still here" });
    await stage.settle();
    const stopping = stage.deliverer().stop(5000);
    await stage.clock.advance(5000);
    await stopping;
    expect(stage.seen()).toEqual(["on its way"]);
    expect((await stage.stores.outbox.get(first?.id ?? ""))?.state).toBe("sending");
    expect(await stage.stores.outbox.unfinished()).toEqual([conversationWith("ann")]);
    await stage.send({ text: "too late" });
    await stage.settle();
    expect(stage.seen()).toEqual(["on its way"]);
  });

  it("CHAN-26 misses no message that comes while it finds nothing more to do", async () => {
    const stage = await createDeliveryStage();
    const { head } = stage.stores.outbox;
    let isFirst = true;
    stage.stores.outbox.head = async (conversation) => {
      const row = await head(conversation);
      if (!row && isFirst) {
        isFirst = false;
        await stage.send({ text: "just in between" });
      }
      return row;
    };
    await stage.send({ text: "one" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", "just in between"]);
  });

  it("CHAN-26 goes on after trouble in the store, in that conversation too", async () => {
    const stage = await createDeliveryStage();
    const { head, markSent } = stage.stores.outbox;
    let failures = 3;
    const stumble = () => {
      failures -= 1;
      if (failures >= 0) throw new Error("the disk is full");
    };
    stage.stores.outbox.head = async (conversation) => (stumble(), head(conversation));
    stage.stores.outbox.markSent = async (...sent) => (stumble(), markSent(...sent));
    await stage.send({ text: "one" });
    await stage.run();
    failures = 2;
    await stage.send({ text: "two" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", "two"]);
    expect(stage.logged.length).toBeGreaterThan(3);
  });

  it(
    "ROUTE-11 sends each reply to its own chat, with ten accounts of equal ids in any order",
    { timeout: 60_000 },
    async () => {
      const where = fc.record({
        channel: fc.constantFrom("north", "south"),
        accountId: fc.constantFrom("a", "b", "c", "d", "e"),
        peerId: fc.constantFrom("1", "2"),
        trouble: fc.constantFrom(undefined, "unavailable", "closed") as fc.Arbitrary<
          "unavailable" | "closed" | undefined
        >,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(where, { minLength: 5, maxLength: 40 }), async (messages) => {
          const networks = ["north", "south"].map((id) =>
            createRecordingChannel({ id, abilities: { querySent: true } }),
          );
          const stage = await createDeliveryStage({ networks, accounts: ["a", "b", "c", "d", "e"] });
          for (const [index, { channel, accountId, peerId, trouble }] of messages.entries()) {
            const network = networks.find((each) => each.channel.id === channel);
            if (trouble === "unavailable") network?.faults.inject({ type: "fail", code: trouble, accountId });
            if (trouble === "closed")
              network?.faults.inject({ type: "close-in-send", taken: index % 2 === 0, accountId });
            const text = `${channel} ${accountId} ${peerId} #${index}`;
            await stage.send({ text, destination: peer(peerId, accountId, channel) });
            if (index % 7 === 0) await stage.clock.advance(200);
          }
          await stage.run();
          const all = networks.flatMap(({ channel, ledger }) =>
            ledger.map(({ accountId, target, text }) => ({
              place: `${channel.id} ${accountId} ${target.peerId}`,
              text,
            })),
          );
          expect(all).toHaveLength(messages.length);
          expect(all.filter(({ place, text }) => !text.startsWith(`${place} #`))).toEqual([]);
          for (const place of new Set(all.map((item) => item.place))) {
            const numbers = all
              .filter((item) => item.place === place)
              .map(({ text }) => Number(text.split("#")[1]));
            expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          }
        }),
        { numRuns: 30 },
      );
    },
  );
});

const soon = (now: number, ms: number): string => new Date(now + ms).toISOString();
