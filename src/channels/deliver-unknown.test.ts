import { createRecordingChannel, type RecordingChannel } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createDeliveryStage } from "./testing/delivery-stage.ts";

const mark = "(maybe sent twice) ";
const lost = { type: "close-in-send", taken: false } as const;
const taken = { type: "close-in-send", taken: true } as const;

describe("delivery of a message whose outcome is unknown", () => {
  it.each([lost, taken])("CHAN-26 asks the network where it can: $taken", async (fault) => {
    const stage = await createDeliveryStage({ abilities: { querySent: true } });
    stage.network.faults.inject(fault);
    await stage.send({ text: "one" }, { text: "two" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", "two"]);
  });

  it("CHAN-26 asks again when the network cannot answer just now", async () => {
    const stage = await createDeliveryStage({ abilities: { querySent: true } });
    stage.network.faults.inject(taken);
    stage.network.faults.inject({ type: "fail", call: "query", code: "unavailable", times: 3 });
    stage.network.faults.inject({ type: "hang", call: "query" });
    await stage.send({ text: "one" });
    await stage.run();
    expect(stage.seen()).toEqual(["one"]);
  });

  it("CHAN-26 repeats with a mark when the network never answers the question", async () => {
    const stage = await createDeliveryStage({ abilities: { querySent: true } });
    stage.network.faults.inject(taken);
    stage.network.faults.inject({ type: "fail", call: "query", code: "unavailable", times: 50 });
    await stage.send({ text: "one" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", `${mark}one`]);
  });

  it.each([lost, taken])(
    "CHAN-26 sends again under the same key where the network drops seconds: $taken",
    async (fault) => {
      const stage = await createDeliveryStage({ traits: { idempotentSend: true } });
      stage.network.faults.inject({ ...fault, times: 3 });
      await stage.send({ text: "one" }, { text: "two" });
      await stage.run();
      expect(stage.seen()).toEqual(["one", "two"]);
    },
  );

  it("CHAN-26 repeats, marked as such, where nothing else is possible", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject(taken);
    await stage.send({ text: "one" }, { text: "two" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", `${mark}one`, "two"]);
  });

  it("CHAN-26 does not spend a repeat on a network that answers nobody", async () => {
    const network = createRecordingChannel();
    const { channel } = network;
    let isAnswering = false;
    const asked: number[] = [];
    const probed: RecordingChannel = {
      ...network,
      channel: {
        ...channel,
        connect: async (config, host) => ({
          ...(await channel.connect(config, host)),
          async probe() {
            asked.push(host.clock.now());
            return { ok: isAnswering };
          },
        }),
      },
    };
    const stage = await createDeliveryStage({ networks: [probed] });
    network.faults.inject(lost);
    await stage.send({ text: "one" });
    await stage.run(300_000);
    expect(stage.seen()).toEqual([]);
    isAnswering = true;
    const endedAt = stage.clock.now();
    await stage.run(30_000);
    expect(stage.seen()).toEqual([`${mark}one`]);
    expect((asked.at(-1) ?? 0) - endedAt).toBeLessThan(30_000);
  });

  it("CHAN-26 repeats where the network answers, even if nothing comes in", async () => {
    const network = createRecordingChannel();
    const { channel } = network;
    const connect: typeof channel.connect = async (config, host) => ({
      ...(await channel.connect(config, host)),
      probe: async () => ({ ok: false, canSend: true, detail: "somebody else polls" }),
    });
    const stage = await createDeliveryStage({ networks: [{ ...network, channel: { ...channel, connect } }] });
    network.faults.inject(lost);
    await stage.send({ text: "one" });
    await stage.run(30_000);
    expect(stage.seen()).toEqual([`${mark}one`]);
  });

  it("CHAN-26 keeps the mark when the repeat must wait for the network", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject(taken);
    stage.network.faults.inject({ type: "fail", code: "unavailable", times: 2 });
    await stage.send({ text: "one" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", `${mark}one`]);
  });

  it("CHAN-26 delivers in the end what hung for minutes, marked, and before what came later", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "hang", taken: false, times: 4 });
    await stage.send({ text: "one" }, { text: "two" });
    const took = await stage.run();
    expect(stage.seen()).toEqual([`${mark}one`, "two"]);
    // Four hangs of half a minute, and pauses that grow from five seconds.
    expect(took).toBeLessThan(200_000);
    expect(await stage.stores.notices.list({ limit: 5 })).toHaveLength(0);
  });

  it("CHAN-26 leaves it to the owner when a day of repeats was in vain", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "hang", taken: false, times: 1000 });
    const dayMs = 86_400_000;
    await stage.send({ text: "one", notAfter: new Date(stage.clock.now() + dayMs).toISOString() });
    await stage.run(2 * dayMs);
    const rows = await stage.stores.outbox.list({ limit: 5, states: ["failed"] });
    const failed = rows.find(({ text }) => text === "one");
    expect(failed).toMatchObject({ error: { code: "uncertain" } });
    expect(failed?.attempts).toBeGreaterThan(20);
    expect(failed?.attempts).toBeLessThan(60);
    const notices = await stage.stores.notices.list({ limit: 5 });
    expect(notices.map(({ text }) => text.key)).toContain("delivery.notice.uncertain");
  });

  it("CHAN-26 does not keep somebody waiting for an hour who asks again meanwhile", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "hang", taken: false, times: 9 });
    await stage.send({ text: "one" });
    await stage.run(1_500_000);
    expect(stage.seen()).toEqual([]);
    await stage.send({ text: "two" });
    await stage.run(60_000);
    expect(stage.seen()).toEqual([`${mark}one`, "two"]);
  });

  it("CHAN-26 repeats nothing where the channel's policy says none, and tells the owner alone", async () => {
    const stage = await createDeliveryStage({ uncertain: "none" });
    stage.network.faults.inject(taken);
    await stage.send({ text: "one" }, { text: "two" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", "two"]);
    const [failed] = await stage.stores.outbox.list({ limit: 5, states: ["failed"] });
    expect(failed).toMatchObject({ text: "one", error: { code: "uncertain" } });
    expect(await stage.stores.notices.list({ limit: 5 })).toHaveLength(1);
  });

  it("CHAN-26 takes a send that hangs for an unknown outcome", async () => {
    const stage = await createDeliveryStage({ abilities: { querySent: true } });
    stage.network.faults.inject({ type: "hang", taken: true });
    stage.network.faults.inject({ type: "hang", taken: false });
    await stage.send({ text: "one" }, { text: "two" });
    await stage.run();
    expect(stage.seen()).toEqual(["one", "two"]);
  });

  it("CHAN-26 finds out after a crash what became of a send", async () => {
    for (const isTaken of [true, false]) {
      const stage = await createDeliveryStage({ abilities: { querySent: true } });
      stage.network.faults.inject({ type: "hang", taken: isTaken });
      await stage.send({ text: "one" }, { text: "two" });
      await stage.settle();
      await stage.restart();
      await stage.run();
      expect(stage.seen()).toEqual(["one", "two"]);
    }
  });

  it("CHAN-26 repeats at most once over crashes", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "hang", taken: true, times: 2 });
    await stage.send({ text: "one" });
    await stage.settle();
    await stage.restart();
    await stage.settle();
    await stage.restart();
    await stage.run();
    expect(stage.seen()).toEqual(["one", `${mark}one`, expect.stringMatching(/may not have arrived/)]);
  });

  it("CHAN-26 goes on repeating after a restart between two repeats, until one arrives", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "closed", times: 4 });
    const [row] = await stage.send({ text: "one" });
    for (let restarts = 0; restarts < 2; restarts++) {
      await stage.run(12_000);
      const between = await stage.stores.outbox.get(row?.id ?? "");
      expect(between).toMatchObject({ state: "uncertain", repeated: true, error: { code: "closed" } });
      await stage.restart();
    }
    await stage.run();
    expect(stage.seen()).toEqual([`${mark}one`]);
    expect(await stage.stores.notices.list({ limit: 5 })).toHaveLength(0);
  });

  it("CHAN-26 leaves it to the owner after a day, however often it was restarted", async () => {
    const stage = await createDeliveryStage();
    stage.network.faults.inject({ type: "fail", code: "closed", times: 1000 });
    const dayMs = 86_400_000;
    await stage.send({ text: "one", notAfter: new Date(stage.clock.now() + dayMs).toISOString() });
    for (let hours = 0; hours < 25; hours += 5) {
      await stage.run(5 * 3_600_000);
      await stage.restart();
    }
    await stage.run(2 * dayMs);
    const rows = await stage.stores.outbox.list({ limit: 5, states: ["failed"] });
    const failed = rows.find(({ text }) => text === "one");
    expect(failed).toMatchObject({ error: { code: "uncertain" } });
    expect(failed?.attempts).toBeGreaterThan(20);
  });

  it("CHAN-26 asks also when it has become late, and repeats nothing then", async () => {
    const seenWhen = async (isTaken: boolean) => {
      const stage = await createDeliveryStage({ abilities: { querySent: true } });
      stage.network.faults.inject({ type: "hang", taken: isTaken });
      await stage.send({ text: "one", notAfter: new Date(stage.clock.now() + 1000).toISOString() });
      await stage.settle();
      await stage.clock.advance(10_000);
      await stage.restart();
      await stage.run();
      return stage.seen();
    };
    expect(await seenWhen(true)).toEqual(["one"]);
    expect(await seenWhen(false)).toEqual([expect.stringMatching(/may not have arrived/)]);
  });
});
