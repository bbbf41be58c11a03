import type { ChannelConnection, Destination } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createWorkingSign } from "./working-sign.ts";

const to: Destination = {
  channel: "pigeon",
  accountId: "default",
  target: { peerKind: "user", peerId: "ann" },
};
const messageOf = async (turnId: string) => (turnId === "t1" ? "m1" : undefined);
const settle = () => new Promise((resolve) => setImmediate(resolve));

function stage(sign: string | undefined, able: Partial<ChannelConnection> = {}) {
  const signs: string[] = [];
  const connection: ChannelConnection = {
    send: async () => ({}),
    close: async () => {},
    react: async ({ peerId }, messageId, emoji) => void signs.push(`${peerId} ${messageId} ${emoji}`),
    ...able,
  };
  const clock = createHandClock();
  const log = { debug: (message: string) => void signs.push(message) };
  const working = createWorkingSign({
    connection: () => connection,
    signOf: () => sign,
    messageOf,
    clock,
    log,
  });
  return { working, signs, clock };
}

describe("the sign that a message is worked on", () => {
  it("CHAN-01 is put on the message, and taken away once", async () => {
    const { working, signs } = stage("👀");
    const takeAway = working.put(to, "t1");
    takeAway();
    takeAway();
    await settle();
    expect(signs).toEqual(["ann m1 👀", "ann m1 "]);
    working.put(to, "a turn that answers nothing")();
    await settle();
    expect(signs).toHaveLength(2);
  });

  it("is not there where nobody wants it, or the network has none", async () => {
    const unwanted = stage(undefined);
    unwanted.working.put(to, "t1")();
    const unable = stage("👀");
    const { react: _, ...bare } = { react: undefined, send: async () => ({}), close: async () => {} };
    const without = createWorkingSign({
      connection: () => bare,
      signOf: () => "👀",
      messageOf,
      clock: unable.clock,
      log: { debug: (message) => void unable.signs.push(message) },
    });
    without.put(to, "t1")();
    await settle();
    expect([unwanted.signs, unable.signs]).toEqual([[], []]);
  });

  it("harms nothing where it fails or hangs", async () => {
    const failing = stage("👀", { react: () => Promise.reject(new Error("no such sign")) });
    failing.working.put(to, "t1")();
    await settle();
    expect(failing.signs).toEqual(["a reaction failed: no such sign", "a reaction failed: no such sign"]);
    const hanging = stage("👀", { react: () => new Promise(() => {}) });
    hanging.working.put(to, "t1")();
    await settle();
    await hanging.clock.advance(4000);
    await settle();
    expect(hanging.signs).toHaveLength(1);
  });
});
