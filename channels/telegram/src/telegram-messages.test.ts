/** What comes in from people, through the stand-in for the Bot API. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PincerError, type OutboundMessage } from "@pincer/sdk";
import type { FakePerson } from "./testing/bot-api-world.ts";
import { attempt, createTelegramStage, type TelegramStage } from "./testing/telegram-stage.ts";

let stage: TelegramStage;
let ann: FakePerson;
beforeEach(async () => {
  stage = await createTelegramStage();
  ann = stage.fake.people.person(1001, "Ann");
});
afterEach(() => stage.close());

const received = (count: number) => stage.until(() => stage.host.received.length >= count, 40_000);
const answer = (text: string, more: Partial<OutboundMessage["response"]> = {}): OutboundMessage => ({
  channel: "telegram",
  accountId: "default",
  target: { peerKind: "user", peerId: "1001" },
  response: { text, attachments: [], ...more },
});
const bytesOf = async (media: string | undefined) =>
  Buffer.from(await stage.host.media.read(media ?? "")).toString();

describe("CHAN-01 what comes in", () => {
  it("is confirmed to Telegram only when it is stored", async () => {
    stage.host.refuse = new Error("the disk is full");
    stage.fake.people.dm(ann, { text: "keep me" });
    await stage.until(() => stage.host.deliveries.length > 0);
    await stage.pass(2000);
    expect(stage.fake.world.updates).toHaveLength(1);
    stage.host.refuse = undefined;
    await received(1);
    await stage.until(() => stage.fake.world.updates.length === 0);
    expect(stage.texts()).toEqual(["keep me"]);
  });

  it("skips what the host never takes, and goes on", async () => {
    stage.host.refuse = new PincerError("usage/bad-argument", "too strange");
    stage.fake.people.dm(ann, { text: "strange" });
    await stage.until(() => stage.fake.world.updates.length === 0);
    stage.host.refuse = undefined;
    stage.fake.people.dm(ann, { text: "good" });
    await received(1);
    expect(stage.texts()).toEqual(["good"]);
  });

  it("an edit is a message of its own that names the one it is about", async () => {
    const message = stage.fake.people.dm(ann, { text: "helo" });
    stage.fake.people.edit(message, "hello");
    stage.fake.people.edit(message, "hello!");
    await received(3);
    const [first, second, third] = stage.host.received.map((each) => each.message);
    expect(second).toMatchObject({ type: "edit", of: first?.id, text: "hello" });
    expect(third).toMatchObject({ type: "edit", of: first?.id, text: "hello!" });
    expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3);
  });

  it("a place that moves is told once", async () => {
    const walking = stage.fake.people.dm(ann, { location: { latitude: 1, longitude: 2, live_period: 900 } });
    stage.fake.world.push("edited_message", {
      ...walking,
      location: { latitude: 3, longitude: 4 },
      edit_date: 1,
    });
    stage.fake.people.dm(ann, { text: "see?" });
    await received(2);
    expect(stage.texts()).toEqual(["[Location: 1, 2]", "see?"]);
  });

  it("MEDIA-04 a picture and its words come as one message with the file in the store", async () => {
    const photo = stage.fake.people.upload(Buffer.from("jpeg bytes"), "photos/file_1.jpg");
    stage.fake.people.dm(ann, { photo: [{ ...photo, width: 10, height: 10 }], caption: "look" });
    await received(1);
    const message = stage.last()?.message;
    expect(message).toMatchObject({ type: "text", text: "look", attachments: [{ mimeType: "image/jpeg" }] });
    expect(await bytesOf(message?.type === "text" ? message.attachments[0]?.media : "")).toBe("jpeg bytes");
  });

  it("MEDIA-04 the pictures of an album come as one message, also when they come one by one", async () => {
    const photo = (name: string) => [
      { ...stage.fake.people.upload(Buffer.from(name), `photos/${name}.jpg`), width: 9, height: 9 },
    ];
    stage.fake.people.dm(ann, { photo: photo("one"), media_group_id: "g1", caption: "three beds" });
    // The first has been brought, and the connector waits for the rest, on a clock that stands still.
    await stage.fake.until(() => stage.fake.polling() === 0);
    stage.fake.people.dm(ann, { photo: photo("two"), media_group_id: "g1" });
    stage.fake.people.dm(ann, { text: "between" });
    stage.fake.people.dm(ann, { photo: photo("three"), media_group_id: "g1" });
    await received(2);
    await stage.pass(5000);
    const [album, between] = stage.host.received.map((each) => each.message);
    expect(album).toMatchObject({ text: "three beds" });
    expect(album?.type === "text" && album.attachments).toHaveLength(3);
    expect(between).toMatchObject({ text: "between" });
    expect(stage.host.received).toHaveLength(2);
  });

  it("MEDIA-04 files of somebody who is not let in are not fetched, and their words come all the same", async () => {
    const asked: unknown[] = [];
    stage.host.isWelcome = async (from) => {
      asked.push(from);
      return from.sender.id === "1001";
    };
    const bob = stage.fake.people.person(7, "Bob");
    const document = stage.fake.people.upload(Buffer.from("x".repeat(1000)), "documents/1.bin");
    const sent = stage.fake.people.dm(bob, { document, caption: "let me in" });
    stage.fake.people.edit(sent, "now let me in");
    await received(2);
    expect(stage.host.received.map(({ message }) => message)).toMatchObject([
      { type: "text", text: "let me in\n[The file document was not fetched]", attachments: [] },
      { type: "edit", attachments: [] },
    ]);
    expect(stage.fake.calls.filter(({ method }) => method === "getFile")).toEqual([]);
    expect(asked[0]).toMatchObject({ peer: { kind: "user", id: "7" }, sender: { id: "7" } });
    stage.fake.people.dm(ann, { document });
    await received(3);
    expect(stage.last()?.message).toMatchObject({ attachments: [{ name: "document" }] });
    stage.fake.people.dm(bob, { text: "only words" });
    await received(4);
    expect(asked).toHaveLength(3);
  });

  it("MEDIA-04 a file that is too large for bots is said in words, and the message comes all the same", async () => {
    const document = { file_id: "big", file_size: 31 * 1024 * 1024, file_name: "film.mkv" };
    stage.fake.people.dm(ann, { document, caption: "watch" });
    await received(1);
    expect(stage.texts()[0]).toBe(
      "watch\n[The file film.mkv was not fetched: Telegram gives bots at most 20 MB. Send a smaller one, or a link]",
    );
  });

  it("MEDIA-04 a file that Telegram has no more, or that the store refuses, is said in words", async () => {
    stage.fake.people.dm(ann, { document: { file_id: "gone", file_name: "gone.txt" } });
    const kept = stage.host.media.store;
    stage.host.media.store = () =>
      Promise.reject(new PincerError("usage/bad-argument", "larger than allowed"));
    const document = { ...stage.fake.people.upload(Buffer.from("x"), "d/1"), file_name: "no.txt" };
    stage.fake.people.dm(ann, { document });
    await received(2);
    stage.host.media.store = kept;
    expect(stage.texts()).toEqual([
      "[The file gone.txt was not fetched: Telegram does not have it any more]",
      "[The file no.txt was not fetched: larger than allowed]",
    ]);
  });

  it.each(["half-open", "reset", "stalled-body"] as const)(
    "MEDIA-04 a download that ends in %s is tried again, and does not hold up everything for ever",
    async (type) => {
      const fault = stage.fake.faults.begin({ type }, { method: "file", times: 1 });
      const document = { ...stage.fake.people.upload(Buffer.from("bytes"), "d/1"), file_name: "a.txt" };
      stage.fake.people.dm(ann, { document });
      await received(1);
      expect(fault.met()).toBe(1);
      const message = stage.last()?.message;
      expect(await bytesOf(message?.type === "text" ? message.attachments[0]?.media : "")).toBe("bytes");
      stage.fake.faults.begin({ type }, { method: "file" });
      stage.fake.people.dm(ann, { document: { ...document, file_name: "b.txt" } });
      stage.fake.people.dm(ann, { text: "still there?" });
      await stage.until(() => stage.host.received.length >= 3, 200_000);
      expect(stage.texts().slice(1)).toEqual([
        "[The file b.txt was not fetched: Telegram did not give it]",
        "still there?",
      ]);
    },
    20_000,
  );

  it("the token is in no file address that anybody sees", async () => {
    stage.fake.faults.begin({ type: "reset" }, { method: "file" });
    const document = { ...stage.fake.people.upload(Buffer.from("x"), "d/1"), file_name: "a.txt" };
    stage.fake.people.dm(ann, { document });
    await stage.until(() => stage.host.received.length > 0, 200_000);
    expect(stage.host.logged.join()).toContain("no updates");
    expect([...stage.host.logged, ...stage.texts()].join()).not.toContain("TEST-token");
  });

  it("a message in a topic of a group says which, and an answer goes there", async () => {
    const group = stage.fake.people.group({ id: -1005, title: "Workshop", topics: [42] });
    stage.fake.people.say(group, ann, { text: "hi", thread: 42 });
    await received(1);
    expect(stage.last()).toMatchObject({
      peer: { kind: "group", id: "-1005", name: "Workshop" },
      threadId: "42",
    });
    const target = { peerKind: "group" as const, peerId: "-1005", threadId: "42" };
    await stage.connection().send({ ...answer("there"), target }, attempt("k1"));
    await stage
      .connection()
      .send({ ...answer("general"), target: { ...target, threadId: "1" } }, attempt("k2"));
    expect(stage.fake.people.said(-1005).map((each) => each["message_thread_id"])).toEqual([42, undefined]);
  });

  it("goes on after a restart without a message twice", async () => {
    stage.fake.people.dm(ann, { text: "one" });
    await received(1);
    await stage.restart();
    stage.fake.people.dm(ann, { text: "two" });
    await received(2);
    expect(stage.texts()).toEqual(["one", "two"]);
  });
});

describe("CHAN-01 buttons", () => {
  const pressed = async (send: string, between: () => Promise<void> = async () => undefined) => {
    await stage.connection().send(answer("May I?", { actions: [{ label: "Yes", send }] }), attempt());
    await between();
    const [message] = stage.fake.people.said(1001);
    const id = message ? stage.fake.people.press(ann, message, { label: "Yes" }) : "";
    await received(1);
    await stage.until(() => stage.fake.world.queries.get(id)?.isAnswered === true);
  };

  it("pressing a button sends its text as a message of that person, and Telegram is answered", async () => {
    await pressed("/approve a1");
    expect(stage.last()).toMatchObject({
      peer: { kind: "user", id: "1001" },
      sender: { id: "1001", name: "Ann" },
      message: {
        type: "text",
        text: "/approve a1",
        mentioned: true,
        replyTo: { fromMe: true, text: "May I?" },
      },
    });
  });

  it("a text that is too long for a button is known all the same, also after a restart", async () => {
    const send = `/choose ${"中文".repeat(60)}`;
    await pressed(send, () => stage.restart());
    expect(stage.texts()).toEqual([send]);
  });

  it("a button that nobody knows any more is answered in words, and says nothing", async () => {
    await stage.connection().send(answer("May I?", { actions: [{ label: "Yes", send: "/x" }] }), attempt());
    const [message] = stage.fake.people.said(1001);
    const id = message ? stage.fake.people.press(ann, message, { data: "#forged" }) : "";
    await stage.until(() => stage.fake.world.queries.get(id)?.isAnswered === true);
    expect(stage.fake.world.queries.get(id)?.text).toContain("no longer known");
    expect(stage.host.deliveries).toEqual([]);
  });

  it("pressed twice is said twice, each with an id of its own, and an answer to it goes to the question", async () => {
    await pressed("/approve a1");
    const [message] = stage.fake.people.said(1001);
    if (message) stage.fake.people.press(ann, message, { label: "Yes" });
    await received(2);
    const [first, second] = stage.host.received.map((each) => each.message.id);
    expect(first).not.toBe(second);
    await stage.connection().send({ ...answer("Done."), replyTo: first ?? "" }, attempt("k2"));
    expect(stage.fake.people.said(1001)[1]?.["reply_to_message"]).toMatchObject({ text: "May I?" });
  });
});
