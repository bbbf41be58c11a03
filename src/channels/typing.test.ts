import type { ChannelConnection, Destination } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createTyping } from "./typing.ts";

const to = (peerId: string): Destination => ({
  channel: "pigeon",
  accountId: "default",
  target: { peerKind: "user", peerId },
});

function stage(able: Partial<ChannelConnection> = {}, typingSeconds?: number) {
  const hand = createHandClock();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const clock = {
    ...hand,
    async advance(ms: number) {
      await settle();
      await hand.advance(ms);
      await settle();
    },
  };
  const signs: string[] = [];
  const connection: ChannelConnection = {
    send: async () => ({}),
    close: async () => {},
    showTyping: async ({ peerId }) => void signs.push(`${peerId} writes`),
    stopTyping: async ({ peerId }) => void signs.push(`${peerId} stops`),
    ...able,
  };
  const stop = new AbortController();
  const typing = createTyping({
    connection: () => connection,
    traitsOf: () => (typingSeconds === undefined ? {} : { typingSeconds }),
    clock,
    log: { debug: (message) => void signs.push(message) },
    signal: stop.signal,
  });
  return { clock, typing, signs, stop };
}

describe("the sign that somebody writes", () => {
  it("CHAN-25 is shown again before it fades, and taken away at the end", async () => {
    const { clock, typing, signs } = stage();
    const hide = typing.show(to("ann"));
    await clock.advance(8000);
    expect(signs).toEqual(["ann writes", "ann writes", "ann writes"]);
    hide();
    hide();
    await clock.advance(20_000);
    expect(signs).toEqual(["ann writes", "ann writes", "ann writes", "ann stops"]);
  });

  it("CHAN-25 stays as long as one of several turns in a conversation runs", async () => {
    const { clock, typing, signs } = stage();
    const [one, other] = [typing.show(to("ann")), typing.show(to("ann"))];
    typing.show(to("bob"))();
    one();
    await clock.advance(4000);
    expect(signs.filter((sign) => sign.startsWith("ann"))).toEqual(["ann writes", "ann writes"]);
    other();
    await clock.advance(10_000);
    expect(signs.filter((sign) => sign.startsWith("ann"))).toEqual(["ann writes", "ann writes", "ann stops"]);
  });

  it("CHAN-25 goes by how long the network shows it", async () => {
    const { clock, typing, signs } = stage({}, 10);
    const hide = typing.show(to("ann"));
    await clock.advance(7999);
    expect(signs).toHaveLength(1);
    await clock.advance(1);
    expect(signs).toHaveLength(2);
    hide();
  });

  it("CHAN-25 troubles nobody where the network fails, hangs or has none", async () => {
    const failing = stage({ showTyping: () => Promise.reject(new Error("no")) });
    const hide = failing.typing.show(to("ann"));
    await failing.clock.advance(100);
    hide();
    await failing.clock.advance(100);
    expect(failing.signs).toEqual(["showTyping failed: no", "ann stops"]);

    const hanging = stage({ showTyping: () => new Promise(() => {}) });
    const done = hanging.typing.show(to("ann"));
    done();
    await hanging.clock.advance(4000);
    expect(hanging.signs).toEqual(["showTyping failed: no answer within 4000 ms", "ann stops"]);
  });

  it("CHAN-25 is not shown any more when everything stops", async () => {
    const { clock, typing, signs, stop } = stage();
    typing.show(to("ann"));
    await clock.advance(100);
    stop.abort();
    await clock.advance(20_000);
    expect(signs).toEqual(["ann writes", "ann stops"]);
  });
});
