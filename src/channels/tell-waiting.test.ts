import { PincerError, type ChannelConnection, type OutboundMessage } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { failure } from "../infra/failure.ts";
import { createSay } from "../infra/texts.ts";
import { createWaitingLines, type WaitingPerson } from "./tell-waiting.ts";
import { peer } from "./testing/delivery-stage.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

function stage(send: () => Promise<object> = async () => ({})) {
  const clock = createHandClock();
  const sent: OutboundMessage[] = [];
  const connection: ChannelConnection = {
    async send(message) {
      const answer = await send();
      sent.push(message);
      return answer;
    },
    close: async () => {},
  };
  const lines = createWaitingLines({
    connection: () => connection,
    clock,
    say: createSay("en"),
    log: { info() {}, warn() {} },
    makeKey: () => "key",
  });
  return { clock, lines, said: () => sent.map(({ response }) => response.text) };
}

const ann: WaitingPerson = { destination: peer("ann"), person: "recording:ann" };
const bob: WaitingPerson = { destination: peer("bob"), person: "recording:bob" };
const full = { type: "not-stored", error: new PincerError("storage/full", "no space") } as const;

it("says one line to each person, and the next not before ten minutes", async () => {
  const { clock, lines, said } = stage();
  for (let count = 0; count < 5; count++) lines.tell(ann, full);
  lines.tell(bob, full);
  await settle();
  expect(said()).toHaveLength(2);
  clock.jump(86_400_000);
  lines.tell(ann, full);
  await clock.advance(600_000);
  lines.tell(ann, full);
  await settle();
  expect(said()).toHaveLength(3);
});

it("says what is the matter, without a word of the error itself", async () => {
  const workdir = failure("storage/unavailable", "failure.workdir-not-made", {
    workdir: "/mnt/x",
    reason: "r",
  });
  const said = await Promise.all(
    [
      full,
      { type: "held", error: new PincerError("storage/full", "SECRET") } as const,
      { type: "held", error: new PincerError("storage/corrupt", "SECRET") } as const,
      { type: "held", error: workdir } as const,
      { type: "queued" } as const,
      { type: "too-fast" } as const,
    ].map(async (cause) => {
      const { lines, said: told } = stage();
      lines.tell(ann, cause);
      await settle();
      return told().join();
    }),
  );
  expect(new Set(said).size).toBe(6);
  expect(said.join()).not.toMatch(/SECRET|\/mnt|no space/);
  expect(said[3]).toMatch(/drive/);
});

it("says nothing to strangers, nor when nobody can tell whether it is one", async () => {
  const { lines, said } = stage();
  lines.tell({ ...ann, mayHear: async () => false }, full);
  lines.tell({ ...bob, mayHear: () => Promise.reject(new Error("unreadable")) }, full);
  await settle();
  expect(said()).toEqual([]);
});

it("tries again with the next message where the line did not get out", async () => {
  let isUp = false;
  const { lines, said } = stage(async () => (isUp ? {} : Promise.reject(new Error("down"))));
  lines.tell(ann, full);
  await settle();
  isUp = true;
  lines.tell(ann, full);
  await settle();
  expect(said()).toHaveLength(1);
});
