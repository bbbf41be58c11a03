import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../../../src/infra/ids.ts";
import { createMemoryStores } from "../../../src/storage/memory-stores.ts";
import { plantInStores, type Plant } from "./plant.ts";

const clock = createHandClock();
const openStores = (plant?: Plant) => {
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t1");
  return { stores, planted: plantInStores(plant, stores) };
};

const inbound = {
  tenantId: "t1",
  workspaceId: "w1",
  channel: "plain",
  accountId: "default",
  peer: { kind: "user" as const, id: "42" },
  sender: { id: "42" },
  message: { type: "text" as const, id: "1", text: "m1 say", attachments: [], mentioned: true },
  timestamp: 0,
};
const draft = {
  destination: {
    channel: "plain",
    accountId: "default",
    target: { peerKind: "user" as const, peerId: "42" },
  },
  kind: "reply" as const,
  turnId: null,
  text: "re m1.",
  attachments: [],
  replyTo: null,
  notAfter: "2100-01-01T00:00:00.000Z",
  dedupeKey: null,
};

describe("planted bugs", () => {
  it("change nothing where none is planted", () => {
    const { stores, planted } = openStores();
    expect(planted).toBe(stores);
  });

  it("no-dedupe takes a second delivery for a new message", async () => {
    const { planted } = openStores("no-dedupe");
    const outcomes = [await planted.inbox.accept(inbound), await planted.inbox.accept(inbound)];
    expect(outcomes.map(({ type }) => type)).toEqual(["stored", "stored"]);
  });

  it("send-first leaves the row as it was until the send is over", async () => {
    const { stores, planted } = openStores("send-first");
    const [row] = await planted.outbox.enqueue([draft]);
    const id = row?.id ?? "";
    expect(await planted.outbox.beginSend(id)).toMatchObject({ state: "sending", attempts: 1 });
    expect(await stores.outbox.get(id)).toMatchObject({ state: "queued" });
    await planted.outbox.markSent(id, { messageId: "out-1", version: 1, shownLength: 6 });
    expect(await stores.outbox.get(id)).toMatchObject({ state: "sent" });
  });
});
