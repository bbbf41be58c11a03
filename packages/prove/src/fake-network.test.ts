import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyLedger, createNetworkLedger } from "./network-ledger.ts";
import { createRandom } from "./random.ts";
import {
  attempt,
  openNetworkStage,
  outbound,
  personMessage,
  type NetworkStage,
} from "./testing/network-stage.ts";

let stage: NetworkStage;
beforeEach(async () => (stage = await openNetworkStage()));
afterEach(() => stage.close());

const textsOf = () => stage.network.ledger.seen.map(({ text }) => text);

describe("messages on their way in", () => {
  it("are kept until they are acknowledged, and come again after a reconnect", async () => {
    const [first, second] = [personMessage("plain"), personMessage("plain")];
    stage.network.write([first]);
    const held = Promise.withResolvers<void>();
    const one = await stage.connect("plain", { receive: () => held.promise });
    one.stop();
    stage.network.write([second]);
    const other = await stage.connect("plain");
    await until(() => stage.network.ledger.unacknowledged("plain").length === 0);
    expect(other.received.map(({ message }) => message.id)).toEqual([first.providerId, second.providerId]);
  });

  it("are acknowledged only when they are stored", async () => {
    const message = personMessage("keyed");
    const stored = Promise.withResolvers<void>();
    await stage.connect("keyed", { receive: () => stored.promise });
    stage.network.write([message]);
    await until(() => stage.points.includes("channel.keyed.receive:before"));
    expect(stage.network.ledger.isAcknowledged(message)).toBe(false);
    stored.resolve();
    await until(() => stage.network.ledger.isAcknowledged(message));
    expect(stage.points.slice(-2)).toEqual(["channel.keyed.receive:before", "channel.keyed.receive:after"]);
  });

  it("are acknowledged before they are stored with that bug planted", async () => {
    const message = personMessage("keyed");
    const { received } = await stage.connect("keyed", {
      receive: () => new Promise(() => {}),
      plant: "ack-first",
    });
    stage.network.write([message]);
    await until(() => stage.network.ledger.isAcknowledged(message));
    expect(received).toHaveLength(1);
  });

  it("that cannot be stored come again, with what follows them, in their order", async () => {
    const messages = [personMessage("plain"), personMessage("plain"), personMessage("plain")];
    const elsewhere = personMessage("plain", "7");
    let isFull = true;
    const stored: string[] = [];
    await stage.connect("plain", {
      async receive({ message }) {
        if (isFull && message.id === messages[0]?.providerId) {
          isFull = false;
          throw new Error("full");
        }
        stored.push(message.id);
      },
    });
    stage.network.write([...messages, elsewhere]);
    await until(() => stage.network.ledger.unacknowledged("plain").length === 0);
    const inChat = stored.filter((id) => id !== elsewhere.providerId);
    expect(inChat).toEqual(messages.map(({ providerId }) => providerId));
  });

  it("come twice, and in another order between conversations, when told so", async () => {
    const messages = ["1", "2", "1", "2", "1"].map((peerId) => personMessage("plain", peerId));
    const account = await stage.connect("plain");
    stage.network.write(messages, { twice: true, shuffle: createRandom(5) });
    await until(() => account.received.length === 10);
    const ofPeer = (peerId: string) =>
      account.received.filter(({ peer }) => peer.id === peerId).map(({ message }) => message.id);
    const expected = (peerId: string) =>
      messages.filter(({ peer }) => peer.id === peerId).flatMap(({ providerId: id }) => [id, id]);
    expect([ofPeer("1"), ofPeer("2")]).toEqual([expected("1"), expected("2")]);
  });
});

describe("messages on their way out", () => {
  it("are seen once by key where the network drops repeats, twice where it does not", async () => {
    for (const kind of ["keyed", "plain"] as const) {
      const { connection } = await stage.connect(kind);
      const sent = [
        await connection.send(outbound(kind, "re m1."), attempt("k")),
        await connection.send(outbound(kind, "re m1."), attempt("k")),
      ];
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(kind === "keyed" ? 1 : 2);
    }
  });

  it("can be asked about and edited where the network is able to", async () => {
    const { connection } = await stage.connect("editing");
    const signal = new AbortController().signal;
    const { messageId = "" } = await connection.send(outbound("editing", "re m"), attempt("k"));
    await connection.edit?.(outbound("editing", "re m1."), messageId, { signal });
    expect(textsOf()).toEqual(["re m1."]);
    const target = { peerKind: "user" as const, peerId: "42" };
    expect(await connection.querySent?.(target, "k", signal)).toEqual({ type: "sent", messageId });
    expect(await connection.querySent?.(target, "other", signal)).toEqual({ type: "not-sent" });
    const { connection: plain } = await stage.connect("plain");
    expect([plain.edit, plain.querySent]).toEqual([undefined, undefined]);
  });

  it("are refused as often as told, and then taken", async () => {
    const { connection } = await stage.connect("plain");
    stage.network.inject("plain", [
      { type: "refuse", code: "unavailable" },
      { type: "refuse", code: "rate-limited", retryAfterMs: 70 },
    ]);
    const send = () => connection.send(outbound("plain", "re m1."), attempt("k"));
    await expect(send()).rejects.toMatchObject({ code: "unavailable" });
    await expect(send()).rejects.toMatchObject({ code: "rate-limited", retryAfterMs: 70 });
    expect(textsOf()).toEqual([]);
    await send();
    expect(textsOf()).toEqual(["re m1."]);
  });

  it.each([true, false])("have an unknown outcome when the connection ends, taken: %s", async (taken) => {
    const account = await stage.connect("plain");
    stage.network.inject("plain", [{ type: "cut", taken, afterMs: 0 }]);
    const sending = account.connection.send(outbound("plain", "re m1."), attempt("k"));
    await expect(sending).rejects.toMatchObject({ code: "closed" });
    expect(textsOf()).toEqual(taken ? ["re m1."] : []);
    expect(await account.lost).toContain("ended");
    const again = account.connection.send(outbound("plain", "re m1."), attempt("k"));
    await expect(again).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each([true, false])("are answered late, and people see them if they were taken: %s", async (taken) => {
    const { connection } = await stage.connect("plain");
    stage.network.inject("plain", [{ type: "late", taken, afterMs: 20 }]);
    const sending = connection.send(outbound("plain", "re m1."), attempt("k"));
    const answer = await sending.catch(({ code }: { code: string }) => ({ code }));
    expect(answer).toEqual(taken ? { messageId: "out-1" } : { code: "unavailable" });
    expect(textsOf()).toEqual(taken ? ["re m1."] : []);
  });

  it("are kept from people who wait with that bug planted", async () => {
    const { connection } = await stage.connect("plain", { plant: "keep-quiet" });
    await connection.send(outbound("plain", "Others come first."), attempt("wait_1"));
    await connection.send(outbound("plain", "re m1."), attempt("k"));
    expect(textsOf()).toEqual(["re m1."]);
  });

  it("count as refused when they hang with that bug planted", async () => {
    const { connection } = await stage.connect("plain", { plant: "hang-is-refusal" });
    stage.network.inject("plain", [{ type: "cut", taken: true, afterMs: 5 }]);
    const sending = connection.send(outbound("plain", "re m1."), attempt("k"));
    await expect(sending).rejects.toMatchObject({ code: "unavailable" });
  });

  it("have an unknown outcome when they are given up", async () => {
    const { connection } = await stage.connect("plain");
    stage.network.inject("plain", [{ type: "cut", taken: true, afterMs: 60_000 }]);
    const giveUp = new AbortController();
    const sending = connection.send(outbound("plain", "re m1."), { ...attempt("k"), signal: giveUp.signal });
    giveUp.abort();
    await expect(sending).rejects.toMatchObject({ code: "closed" });
  });
});

describe("the network knows", () => {
  it("that nobody waits for an answer to a stranger, nor to what was given up", () => {
    const { ledger } = stage.network;
    const [given, other] = [personMessage("plain"), personMessage("plain")];
    for (const message of [given, other, { ...personMessage("plain", "666"), kind: "stranger" as const }])
      ledger.write(message);
    ledger.giveUp(given);
    expect(ledger.waiting()).toEqual([other]);
    expect(copyLedger(ledger).waiting()).toEqual([other]);
  });

  it("that a line to somebody who waits answers nothing", () => {
    const line = "I cannot store messages right now.";
    for (const [lines, waits] of [
      [[], false],
      [[line], true],
    ] as const) {
      const ledger = createNetworkLedger(lines);
      const message = personMessage("plain");
      ledger.write(message);
      ledger.take("plain", { target: { peerKind: "user", peerId: message.peer.id }, text: line, key: "k" });
      expect(ledger.waiting().length > 0).toBe(waits);
      expect(copyLedger(ledger).waiting().length > 0).toBe(waits);
    }
  });

  it("when everything is acknowledged and answered", async () => {
    const { connection } = await stage.connect("plain");
    const message = personMessage("plain");
    stage.network.write([message]);
    let isSettled = false;
    void stage.network.settled().then(() => (isSettled = true));
    await until(() => stage.network.ledger.isAcknowledged(message));
    expect(isSettled).toBe(false);
    await connection.send(outbound("plain", `re ${message.id}.`), attempt("k"));
    await until(() => isSettled);
  });

  it("when a number of frames have passed", async () => {
    let isReached = false;
    stage.network.afterEvents(2, () => (isReached = true));
    await stage.connect("plain");
    stage.network.write([personMessage("plain")]);
    await until(() => isReached);
    expect(stage.network.ledger.unacknowledged("plain").length).toBeLessThan(2);
  });
});

/** Looks again with each turn of the loop: everything here ends by itself, soon. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
