/** What goes out to people, through the stand-in for the Bot API. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OutboundMessage } from "@pincer/sdk";
import { splitForTest } from "./testing/long-text.ts";
import { attempt, createTelegramStage, type TelegramStage } from "./testing/telegram-stage.ts";

let stage: TelegramStage;
beforeEach(async () => {
  stage = await createTelegramStage();
  stage.fake.people.person(1001, "Ann");
});
afterEach(() => stage.close());

const user = { peerKind: "user" as const, peerId: "1001" };
const group = { peerKind: "group" as const, peerId: "-1005" };
const to = (
  text: string,
  {
    target = user,
    ...more
  }: Partial<OutboundMessage["response"]> & { target?: OutboundMessage["target"] } = {},
): OutboundMessage => ({
  channel: "telegram",
  accountId: "default",
  target,
  response: { text, attachments: [], ...more },
});
const send = (message: OutboundMessage, key = "k") =>
  stage.within(stage.connection().send(message, attempt(key)));
const edit = (message: OutboundMessage, id: string | undefined) =>
  stage.within(stage.connection().edit?.(message, id ?? "", attempt()) ?? Promise.resolve());
const said = (chat = 1001) => stage.fake.people.said(chat);
const seen = () => stage.fake.people.seen(1001);
const file = (name: string, mimeType: string, content = name) =>
  stage.host.media.store(Buffer.from(content), { name, mimeType });
const methods = () =>
  stage.fake.calls.map(({ method }) => method).filter((method) => /^(?:send|edit)/.test(method));

describe("CHAN-01 words that go out", () => {
  it("are shown with what Telegram can show", async () => {
    await send(to("**bold** & `code`"));
    expect(said()[0]).toMatchObject({
      text: "bold & code",
      entities: [
        { type: "b", offset: 0, length: 4 },
        { type: "code", offset: 7, length: 4 },
      ],
    });
  });

  it("SEC-02 come without a preview, whatever is in them, also where they change and where they fail as HTML", async () => {
    const words = "see https://evil.example/?d=1 and ![x](https://evil.example/p.png)";
    const { messageId } = (await send(to(words), "k1")) ?? {};
    await edit(to(`${words}, again`), messageId);
    stage.fake.faults.begin({ type: "bad-entities" }, { method: "sendMessage", times: 1 });
    await send(to(`**${words}**`), "k2");
    const sent = stage.fake.calls.filter(({ method }) => /^(?:send|edit)Message/.test(method));
    expect(sent.length).toBeGreaterThanOrEqual(4);
    for (const { given } of sent) expect(given["link_preview_options"]).toEqual({ is_disabled: true });
  });

  it("come as they were written where Telegram cannot read the HTML", async () => {
    stage.fake.faults.begin({ type: "bad-entities" }, { method: "sendMessage", times: 1 });
    await send(to("**bold**"));
    expect(seen()).toEqual(["**bold**"]);
  });

  it("come as they were written where a table has become too long", async () => {
    const table = `|${"a".repeat(20)}|b|\n|-|-|\n${"|x|y|\n".repeat(600)}`;
    await send(to(table));
    expect(seen()[0]?.length).toBeLessThanOrEqual(4096);
    expect(seen()[0]).toContain("|x|y|");
  });

  it("fill a message to the last letter, as Telegram counts them", async () => {
    await send(to(`${"😀".repeat(2047)}&<`), "k1");
    expect(seen()[0]).toHaveLength(4096);
    await expect(send(to("a".repeat(4097)), "k2")).rejects.toMatchObject({ code: "rejected" });
  });

  it.each(splitForTest)("part %# of a long text with code is taken", async (part) => {
    await send(to(part));
    expect(seen()).toHaveLength(1);
  });

  it("with half a character in them, or nothing to see, harm nothing", async () => {
    await send(to("half \ud800 and \0 nothing"), "k1");
    await send(to("[r]: https://a.b"), "k2");
    expect(seen()).toEqual(["half \ufffd and  nothing", "[r]: https://a.b"]);
    await expect(send(to("  \n"), "k3")).rejects.toMatchObject({ code: "rejected" });
  });

  it("answer the message that they answer, also when that is gone", async () => {
    const ann = stage.fake.people.person(1001, "Ann");
    const question = stage.fake.people.dm(ann, { text: "why?" });
    await send({ ...to("because"), replyTo: `1001/${question.message_id}` }, "k1");
    expect(said()[0]).toMatchObject({ reply_to_message: { text: "why?" } });
    await send({ ...to("because"), replyTo: "1001/99999" }, "k2");
    await send({ ...to("because"), replyTo: "no id" }, "k3");
    expect(seen()).toHaveLength(3);
  });

  it("go to the supergroup that a group has become", async () => {
    const old = stage.fake.people.group({ id: -1005, title: "Old", type: "group" });
    stage.fake.people.migrate(old, -1_001_005);
    await send(to("one", { target: group }), "k1");
    await send(to("two", { target: group }), "k2");
    expect(stage.fake.people.seen(-1_001_005)).toEqual(["one", "two"]);
    await stage.until(() => stage.host.logged.some((line) => line.includes("-1001005")));
  });
});

describe("STREAM-04 a message that grows", () => {
  it("is edited, and the same text twice is no failure", async () => {
    const { messageId } = await send(to("Thinking"));
    await edit(to("Thinking **hard**"), messageId);
    await edit(to("Thinking **hard**"), messageId);
    expect(seen()).toEqual(["Thinking hard"]);
  });

  it("keeps or loses its buttons with the edit", async () => {
    const actions = [{ label: "Yes", send: "/yes" }];
    const { messageId } = await send(to("May I?", { actions }));
    expect(said()[0]?.["reply_markup"]).toBeDefined();
    await edit(to("Allowed."), messageId);
    expect(said()[0]?.["reply_markup"]).toBeUndefined();
  });

  it("is rejected where the message is gone, so that the host sends it anew", async () => {
    const { messageId } = await send(to("one"));
    stage.fake.people.remove(1001, Number(messageId?.split("/")[1]));
    await expect(edit(to("two"), messageId)).rejects.toMatchObject({ code: "rejected" });
    await expect(edit(to("two"), "nonsense")).rejects.toMatchObject({ code: "rejected" });
  });

  it("falls back to the text as it was written where Telegram cannot read the HTML", async () => {
    const { messageId } = await send(to("one"));
    stage.fake.faults.begin({ type: "bad-entities" }, { method: "editMessageText", times: 1 });
    await edit(to("**two**"), messageId);
    expect(seen()).toEqual(["**two**"]);
  });

  it("changes about once a second, and in a group less than twenty times a minute", async () => {
    stage.fake.people.group({ id: -1005, title: "G" });
    const began = stage.clock.now();
    for (const [target, count] of [
      [user, 12],
      [group, 30],
    ] as const) {
      const { messageId } = await send(to("0", { target }), target.peerId);
      for (let version = 1; version < count; version++)
        await edit(to(String(version), { target }), messageId);
    }
    const ms = stage.clock.now() - began;
    expect(ms).toBeGreaterThan(9000 + 55_000);
    expect(ms).toBeLessThan(140_000);
  }, 30_000);
});

describe("MEDIA-04 files that go out", () => {
  it.each([
    ["a.png", "image/png", "sendPhoto"],
    ["a.gif", "image/gif", "sendAnimation"],
    ["a.mp4", "video/mp4", "sendVideo"],
    ["a.mp3", "audio/mpeg", "sendAudio"],
    ["a.ogg", "audio/ogg", "sendVoice"],
    ["a.pdf", "application/pdf", "sendDocument"],
    ["a.svg", "image/svg+xml", "sendDocument"],
  ])("%s goes as what it is", async (name, mimeType, method) => {
    await send(to("**here**", { attachments: [await file(name, mimeType)] }));
    expect(methods()).toEqual([method]);
    expect(said()[0]).toMatchObject({ caption: "here" });
  });

  it("several pictures are an album with the words below", async () => {
    const attachments = [
      await file("a.jpg", "image/jpeg"),
      await file("b.jpg", "image/jpeg"),
      await file("c.pdf", "application/pdf"),
    ];
    await send(to("look", { attachments }));
    expect(methods()).toEqual(["sendMediaGroup", "sendDocument"]);
    expect(seen()).toEqual(["look", "", ""]);
  });

  it("words that are too long for a caption come before the file", async () => {
    const { messageId } = await send(
      to("w".repeat(1025), { attachments: [await file("a.png", "image/png")] }),
    );
    expect(methods()).toEqual(["sendMessage", "sendPhoto"]);
    await edit(to("short"), messageId);
    expect(seen()[0]).toBe("short");
  });

  it("a caption is edited as a caption, with its buttons", async () => {
    const actions = [{ label: "Yes", send: "/yes" }];
    const { messageId } = await send(to("one", { attachments: [await file("a.png", "image/png")], actions }));
    await edit(to("two", { actions }), messageId);
    expect(said()[0]).toMatchObject({ caption: "two" });
    expect(said()[0]?.["reply_markup"]).toBeDefined();
  });

  it("an album with buttons has them below words of their own", async () => {
    const attachments = [await file("a.jpg", "image/jpeg"), await file("b.jpg", "image/jpeg")];
    await send(to("choose", { attachments, actions: [{ label: "1", send: "/1" }] }));
    expect(methods()).toEqual(["sendMessage", "sendMediaGroup"]);
  });

  it("a picture that Telegram cannot show goes as a file", async () => {
    stage.fake.faults.begin(
      { type: "bad-request", description: "PHOTO_INVALID_DIMENSIONS" },
      { method: "sendPhoto" },
    );
    await send(to("", { attachments: [await file("long.png", "image/png")] }));
    expect(methods()).toEqual(["sendPhoto", "sendDocument"]);
  });

  it("what Telegram never takes is rejected before anything is sent", async () => {
    const large = { ...(await file("film.mp4", "video/mp4")), sizeBytes: 51 * 1024 * 1024 };
    await expect(send(to("x", { attachments: [large] }), "k1")).rejects.toMatchObject({
      code: "rejected",
      message: "the file film.mp4 has 51 MB, and Telegram takes at most 50 MB from bots",
    });
    const gone = { ...large, sizeBytes: 1, media: "memory:404" };
    await expect(send(to("x", { attachments: [gone] }), "k2")).rejects.toMatchObject({ code: "rejected" });
    expect(methods()).toEqual([]);
  });

  it("a send that failed in the middle goes on there and repeats nothing", async () => {
    const attachments = [await file("a.png", "image/png")];
    stage.fake.faults.begin({ type: "server-error", status: 500 }, { method: "sendPhoto", times: 1 });
    const message = to("w".repeat(2000), { attachments });
    await expect(send(message, "k1")).rejects.toMatchObject({ code: "unavailable" });
    await send(message, "k1");
    expect(methods()).toEqual(["sendMessage", "sendPhoto", "sendPhoto"]);
    expect(seen()).toHaveLength(2);
  });
});

describe("CHAN-19 what else a bot can do", () => {
  it("shows that it writes, in the topic where that is", async () => {
    stage.fake.people.group({ id: -1005, title: "G", topics: [7] });
    await stage.within(stage.connection().showTyping?.({ ...group, threadId: "7" }) ?? Promise.resolve());
    expect(stage.fake.world.actions).toEqual([{ chat: -1005, action: "typing", thread: 7 }]);
  });

  it("reacts, takes it back, and says when Telegram does not know the sign", async () => {
    const message = stage.fake.people.dm(stage.fake.people.person(1001, "Ann"), { text: "nice" });
    const react = (emoji: string) =>
      stage.within(
        stage.connection().react?.(user, `1001/${message.message_id}`, emoji) ?? Promise.resolve(),
      );
    await react("👍");
    expect(message["reactions"]).toEqual(["👍"]);
    await react("❤\ufe0f");
    expect(message["reactions"]).toEqual(["❤"]);
    await react("");
    expect(message["reactions"]).toEqual([]);
    await expect(react("🦞")).rejects.toMatchObject({ code: "rejected" });
  });

  it("is found well, and in trouble where another program polls", async () => {
    const probe = () =>
      stage.within(Promise.resolve(stage.connection().probe?.(new AbortController().signal)));
    expect(await probe()).toEqual({ ok: true, detail: "@pincer_test_bot" });
    stage.fake.faults.begin({ type: "conflict" }, { method: "getUpdates", times: 2 });
    await stage.until(() => stage.host.logged.some((line) => line.includes("another program")));
    expect(await probe()).toMatchObject({ ok: false, detail: expect.stringContaining("another program") });
  });

  it("turns names into ids as far as Telegram lets it", async () => {
    stage.fake.people.group({ id: -1005, title: "public_group" });
    const names = stage.connection().resolveAllowlist?.(["42", "@public_group", "@somebody", "Ann"]);
    expect(await stage.within(names ?? Promise.resolve([]))).toEqual([
      { name: "42", id: "42" },
      { name: "@public_group", id: "-1005" },
      { name: "@somebody" },
      { name: "Ann" },
    ]);
  });

  it("has a menu of what people may type", async () => {
    stage.host.commands = () => [
      { name: "status", description: "How it is" },
      { name: "new", description: "" },
      { name: "不行", description: "no name for Telegram" },
    ];
    await stage.restart();
    await stage.until(() => stage.fake.world.commands.length > 0);
    expect(stage.fake.world.commands).toEqual([
      { command: "status", description: "How it is" },
      { command: "new", description: "new" },
    ]);
  });
});
