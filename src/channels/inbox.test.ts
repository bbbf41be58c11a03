import type { InboundContent, ReceivedMessage } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import type { InboxRow } from "../storage/message-stores.ts";
import { createInbox, largestTextBytes } from "./inbox.ts";

const hello = (id = "m1", text = "hello"): ReceivedMessage => ({
  peer: { kind: "user", id: "42" },
  sender: { id: "42", name: "Ann" },
  message: { type: "text", id, text, attachments: [], mentioned: true },
  timestamp: 1_700_000_000_000,
});

function makeInbox(onStored: (row: InboxRow) => void = () => undefined) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("acme");
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const inbox = createInbox({
    inbox: stores.inbox,
    tenantId: "acme",
    workspaceId: "w_default",
    log: { debug: log, info: log, warn: log, error: log },
    onStored,
  });
  return { inbox, stores, logged, rows: () => stores.inbox.listNew(10) };
}

describe("the inbox", () => {
  it("PROTO-08 stores a message with where it came from, and nothing else", async () => {
    const { inbox, rows } = makeInbox();
    const secret = { ...hello(), rawUpdate: { token: "x" } } as ReceivedMessage;
    expect(await inbox.receive("pigeon", "work", secret)).toEqual({ type: "stored" });
    const [row] = await rows();
    expect(row?.message).toEqual({
      ...hello(),
      tenantId: "acme",
      workspaceId: "w_default",
      channel: "pigeon",
      accountId: "work",
    });
  });

  it("PROTO-11 recognises what came before, on this account alone, and passes on new messages only", async () => {
    const passed: string[] = [];
    const { inbox, rows } = makeInbox((row) => void passed.push(row.message.accountId));
    expect(await inbox.receive("pigeon", "work", hello())).toEqual({ type: "stored" });
    expect(await inbox.receive("pigeon", "work", hello())).toEqual({ type: "duplicate" });
    expect(await inbox.receive("pigeon", "home", hello())).toEqual({ type: "stored" });
    expect(await rows()).toHaveLength(2);
    expect(passed).toEqual(["work", "home"]);
  });

  it("PROTO-11 takes an edit and a delete as messages of their own", async () => {
    const { inbox, rows } = makeInbox();
    const { message: _message, ...rest } = hello();
    const edit: InboundContent = {
      type: "edit",
      id: "m1#2",
      of: "m1",
      text: "bye",
      attachments: [],
      mentioned: true,
    };
    for (const message of [edit, { type: "delete", id: "m1#3", of: "m1" } satisfies InboundContent]) {
      await inbox.receive("pigeon", "work", { ...rest, message });
    }
    expect((await rows()).map((row) => row.message.message.type)).toEqual(["edit", "delete"]);
  });

  it.each([
    ["no peer", { ...hello(), peer: undefined }],
    ["an empty peer", { ...hello(), peer: { kind: "user", id: "" } }],
    ["no id", { ...hello(), message: { ...hello().message, id: "" } }],
    ["a number as text", { ...hello(), message: { ...hello().message, text: 5 } }],
    ["no time", { ...hello(), timestamp: Number.NaN }],
    ["nothing at all", {}],
  ])("PROTO-08 refuses a message with %s, says so, and stores nothing of it", async (_what, message) => {
    const { inbox, rows, logged } = makeInbox();
    const receiving = inbox.receive("pigeon", "work", message as unknown as ReceivedMessage);
    await expect(receiving).rejects.toMatchObject({ code: "usage/bad-argument" });
    expect(await rows()).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  it("PROTO-08 refuses a text that is too long instead of cutting it", async () => {
    const { inbox, rows } = makeInbox();
    const receiving = inbox.receive("pigeon", "work", hello("m1", "中".repeat(largestTextBytes / 3 + 1)));
    await expect(receiving).rejects.toMatchObject({
      code: "usage/bad-argument",
      hint: expect.stringMatching(/parts/),
    });
    await inbox.receive("pigeon", "work", hello("m2", "x".repeat(largestTextBytes)));
    expect(await rows()).toHaveLength(1);
  });

  it("PROTO-11 acknowledges what is stored even if nobody could take it up", async () => {
    const { inbox, logged } = makeInbox(() => {
      throw new Error("routing is down");
    });
    expect(await inbox.receive("pigeon", "work", hello())).toEqual({ type: "stored" });
    expect(logged).toEqual([expect.stringMatching(/routing is down/)]);
  });

  it("PROTO-11 does not acknowledge what could not be stored", async () => {
    const passed: InboxRow[] = [];
    const { inbox, stores } = makeInbox((row) => void passed.push(row));
    stores.inbox.accept = async () => {
      throw new Error("the disk is full");
    };
    await expect(inbox.receive("pigeon", "work", hello())).rejects.toThrow("the disk is full");
    expect(passed).toEqual([]);
  });
});
