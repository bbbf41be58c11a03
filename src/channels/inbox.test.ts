import { formatSessionKey, PincerError, type InboundContent, type ReceivedMessage } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import { createInbox } from "./inbox.ts";
import { largestTextBytes, longestIdLength } from "./parse-message.ts";

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
  const told: Array<[id: string, error: unknown]> = [];
  const log = (message: string) => void logged.push(message);
  const redactor = createRedactor();
  const inbox = createInbox({
    inbox: stores.inbox,
    tenantId: "acme",
    workspaceId: "w_default",
    log: { debug: log, info: log, warn: log, error: log },
    redactor,
    onStored,
    onRefused: ({ message }, error) => void told.push([message.id, error]),
  });
  return { inbox, stores, logged, told, redactor, rows: () => stores.inbox.listNew(10) };
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

  it("SEC-02 keeps what a connector knows of it: what was pasted, and that nobody typed it", async () => {
    const { inbox, rows, redactor } = makeInbox();
    redactor.add("key", "sk-12345678");
    const said = hello("m1", "use sk-12345678 for it");
    Object.assign(said.message, { pasted: [{ start: 16, end: 22 }], typed: false });
    await inbox.receive("pigeon", "work", said);
    expect((await rows())[0]?.message.message).toMatchObject({
      text: "use [secret:key] for it",
      pasted: [{ start: 17, end: 23 }],
      typed: false,
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
    const stray = { text: 5, of: "m1" };
    for (const message of [edit, { type: "delete" as const, id: "m1#3", ...stray }]) {
      await inbox.receive("pigeon", "work", { ...rest, message });
    }
    expect((await rows()).map((row) => row.message.message.type)).toEqual(["edit", "delete"]);
    expect((await rows())[1]?.message.message).toEqual({ type: "delete", id: "m1#3", of: "m1" });
  });

  it.each([
    ["no peer", { ...hello(), peer: undefined }],
    ["an empty peer", { ...hello(), peer: { kind: "user", id: "" } }],
    ["no id", { ...hello(), message: { ...hello().message, id: "" } }],
    ["a number as text", { ...hello(), message: { ...hello().message, text: 5 } }],
    ["no time", { ...hello(), timestamp: Number.NaN }],
    ["nothing at all", {}],
    ["blank text alone", hello("m1", " \n\t")],
    [
      "an edit to blank text",
      { ...hello(), message: { ...hello().message, type: "edit", of: "m0", text: "" } },
    ],
    ["a peer that is too long", { ...hello(), peer: { kind: "group", id: "x".repeat(longestIdLength + 1) } }],
    ["a sender that is too long", { ...hello(), sender: { id: "x".repeat(longestIdLength + 1) } }],
    ["a thread that is too long", { ...hello(), threadId: "x".repeat(longestIdLength + 1) }],
    ["a peer that is no Unicode", { ...hello(), peer: { kind: "user", id: "a\ud800" } }],
    ["a sender with control characters", { ...hello(), sender: { id: "a\u0000b" } }],
    ["a thread with control characters", { ...hello(), threadId: "a\nb" }],
    ["an id that is no Unicode", { ...hello(), message: { ...hello().message, id: "\udc00" } }],
    [
      "ids that are too long together",
      {
        ...hello(),
        peer: { kind: "group", id: "x".repeat(longestIdLength) },
        threadId: "y".repeat(longestIdLength),
      },
    ],
  ])("PROTO-08 refuses a message with %s, says so, and stores nothing of it", async (_what, message) => {
    const { inbox, rows, logged } = makeInbox();
    const receiving = inbox.receive("pigeon", "work", message as unknown as ReceivedMessage);
    await expect(receiving).rejects.toMatchObject({ code: "usage/bad-argument" });
    expect(await rows()).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  it("PROTO-11 says who waits behind a message that could not be stored, and keeps nothing of theirs", async () => {
    const { inbox, rows, told } = makeInbox();
    const full = new PincerError("storage/unavailable", "the disk is full");
    inbox.putOff("pigeon", "work", hello("m2"), full);
    inbox.putOff("pigeon", "work", hello("m3"), new Error("the file could not be fetched"));
    inbox.putOff("pigeon", "work", hello("m4", " "), full);
    expect(told).toEqual([["m2", full]]);
    expect(await rows()).toEqual([]);
  });

  it("PROTO-08 keeps every field that the shape has", async () => {
    const { inbox, rows } = makeInbox();
    const image = {
      kind: "image",
      media: "memory:1",
      mimeType: "image/png",
      name: "a.png",
      sizeBytes: 7,
    } as const;
    const full: ReceivedMessage = {
      ...hello(),
      peer: { kind: "room", id: "r", name: "Room" },
      threadId: "t",
      parentPeerId: "p",
      guildId: "g",
      teamId: "team",
      sender: { id: "42", name: "Ann", isSelf: false },
      message: {
        type: "text",
        id: "m1",
        text: "",
        attachments: [image],
        mentioned: false,
        replyTo: { id: "m0", text: "before", fromMe: true },
        forwarded: true,
      },
    };
    const edit: InboundContent = {
      type: "edit",
      id: "m2",
      of: "m1",
      text: "x",
      attachments: [image],
      mentioned: true,
    };
    await inbox.receive("pigeon", "work", full);
    await inbox.receive("pigeon", "work", { ...full, message: edit });
    const [first, second] = await rows();
    expect(first?.message).toMatchObject(full);
    expect(second?.message.message).toEqual(edit);
  });

  it("ROUTE-11 takes every place that any agent can have a session for", async () => {
    const { inbox } = makeInbox();
    const part = fc.string({ minLength: 1, maxLength: 300, unit: "binary" });
    const kind = fc.constantFrom("user" as const, "group" as const, "room" as const);
    await fc.assert(
      fc.asyncProperty(kind, part, fc.option(part), async (kind, id, threadId) => {
        const message = { ...hello(), peer: { kind, id }, ...(threadId === null ? {} : { threadId }) };
        const taken = await inbox.receive("pigeon", "work", message).then(
          () => true,
          () => false,
        );
        const conversation =
          kind === "user"
            ? { type: "direct" as const, channel: "pigeon", accountId: "work", peer: id }
            : { type: "group" as const, channel: "pigeon", accountId: "work", kind, group: id };
        const scope = { tenantId: "acme", workspaceId: "w_default", agentId: "a".repeat(64), conversation };
        if (taken) formatSessionKey({ ...scope, ...(threadId === null ? {} : { threadId }) });
      }),
      {
        examples: [
          ["user", ":".repeat(200), null],
          ["group", "x".repeat(250), "y".repeat(250)],
        ],
      },
    );
  });

  it("PROTO-08 mends a text that is not valid Unicode instead of refusing it", async () => {
    const { inbox, rows } = makeInbox();
    await inbox.receive("pigeon", "work", {
      ...hello("m1", "half \ud83d"),
      sender: { id: "42", name: "\udc00" },
    });
    expect((await rows())[0]?.message).toMatchObject({
      sender: { name: "\ufffd" },
      message: { text: "half \ufffd" },
    });
  });

  it("SEC-01 stores no secret that somebody writes into a chat", async () => {
    const { inbox, rows, redactor } = makeInbox();
    redactor.add("bot", "123:abcdef");
    const attachments = [
      { kind: "file" as const, media: "memory:1", mimeType: "text/plain", name: "123:abcdef.txt" },
    ];
    const replyTo = { id: "m0", text: "mine was 123:abcdef" };
    const text = "my token is 123:abcdef";
    await inbox.receive("pigeon", "work", {
      ...hello(),
      message: { type: "text", id: "m1", text, attachments, mentioned: true, replyTo },
    });
    await inbox.receive("pigeon", "work", {
      ...hello(),
      peer: { kind: "group", id: "g", name: "123:abcdef" },
      message: { type: "edit", id: "m2", of: "m1", text, attachments, mentioned: true },
    });
    const stored = await rows();
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain("123:abcdef");
    expect(stored[0]?.message.message).toMatchObject({ text: "my token is [secret:bot]" });
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
