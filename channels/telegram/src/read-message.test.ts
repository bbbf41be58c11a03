import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessage } from "./read-message.ts";
import { readUpdate } from "./update-schema.ts";

const me = { id: 123_456, username: "pincer_test_bot" };
const directory = fileURLToPath(new URL("../fixtures/", import.meta.url));
const fixture = (name: string): unknown => JSON.parse(readFileSync(`${directory}${name}.json`, "utf8"));
const names = readdirSync(directory).map((file) => file.replace(".json", ""));

function read(name: string) {
  const { update } = readUpdate(fixture(name)) ?? {};
  const message = update?.message ?? update?.edited_message;
  return message && readMessage(message, me);
}

describe("CHAN-01 messages of Telegram in the one shape", () => {
  it("a direct message has its chat, its sender and an id that no other chat uses", () => {
    expect(read("text")).toEqual({
      id: "1001/501",
      where: {
        peer: { kind: "user", id: "1001" },
        sender: { id: "1001", name: "Ann Example" },
        timestamp: 1_767_268_800_000,
      },
      text: "hello 你好 👋",
      mentioned: true,
      replyTo: undefined,
      forwarded: false,
      files: [],
    });
  });

  it("the code of a deep link comes as it was sent", () => {
    expect(read("start-with-code")?.text).toBe("/start K7Q2-9XWM");
  });

  it.each([
    ["group-mention", true],
    ["group-chatter", false],
    ["group-command", true],
    ["group-command-of-another", false],
    ["group-text-mention", true],
    ["group-reply-to-bot", true],
    ["group-reply-to-person", true],
    ["thread-without-topics", false],
    ["topic", false],
  ])("in a group, %s speaks to the bot: %s", (name, mentioned) => {
    expect(read(name)).toMatchObject({ mentioned, where: { peer: { kind: "group" } } });
  });

  it("the bot's name behind a command is taken away", () => {
    expect(read("group-command")?.text).toBe("/status now");
    expect(read("group-command-of-another")?.text).toBe("/status@other_bot");
  });

  it("what is answered comes along, and never within the text", () => {
    expect(read("group-reply-to-bot")).toMatchObject({
      text: "why?",
      replyTo: { id: "-1001234567890/70", text: "Because of the frost.", fromMe: true },
    });
    expect(read("group-reply-to-person")?.replyTo).toEqual({
      id: "-1001234567890/71",
      text: "Ann Example: Potatoes like the moon.",
    });
    expect(read("reply-with-quote")?.replyTo).toEqual({ id: "1001/499", text: "Two.", fromMe: true });
    expect(read("reply-from-elsewhere")?.replyTo).toEqual({ id: "-1005/9", text: "breaking" });
  });

  it("a topic is a place of its own; the notice that began it is no question", () => {
    expect(read("topic")).toMatchObject({ where: { threadId: "42" }, replyTo: undefined });
    expect(read("general-topic")?.where.threadId).toBeUndefined();
    expect(read("thread-without-topics")?.where.threadId).toBeUndefined();
  });

  it("words that somebody passes on, and words of another bot, are marked", () => {
    expect(read("forwarded")?.forwarded).toBe(true);
    expect(read("via-bot")?.forwarded).toBe(true);
    expect(read("text")?.forwarded).toBe(false);
  });

  it.each([
    ["forward_from", { id: 1002, is_bot: false, first_name: "Bob" }],
    ["forward_from_chat", { id: -1001, type: "channel", title: "News" }],
    ["forward_sender_name", "Bob"],
    ["forward_date", 1767268300],
  ])("words passed on are marked where an older server says so with %s", (mark, value) => {
    const { message, ...update } = fixture("text") as { message: object };
    const { update: older } = readUpdate({ ...update, message: { ...message, [mark]: value } }) ?? {};
    expect(older?.message && readMessage(older.message, me)?.forwarded).toBe(true);
  });

  it("a person who writes as the group is the group, and not the account that all of them share", () => {
    expect(read("anonymous-admin")?.where.sender).toEqual({ id: "-1001234567890", name: "The Allotment" });
  });

  it("an address behind words is shown", () => {
    expect(read("text-link")?.text).toBe("read this (https://example.org/a?b=1) please");
  });

  it.each([
    ["photo", "my bed of lettuce", "photo-3", "photo-501.jpg", "image/jpeg"],
    ["document", "", "doc-1", "plan.pdf", "application/pdf"],
    ["voice", "", "voice-1", "voice-message-7s.ogg", "audio/ogg"],
    ["audio", "", "audio-1", "song.mp3", "audio/mpeg"],
    ["video", "", "video-1", "clip.mp4", "video/mp4"],
    ["video-note", "", "round-1", "video-message-5s.mp4", "video/mp4"],
    ["animation", "", "anim-1", "wave.mp4", "video/mp4"],
    ["sticker", "[Sticker 😀]", "sticker-1", "sticker.webp", "image/webp"],
    ["sticker-animated", "[Sticker 😀]", "thumb-1", "sticker.webp", "image/webp"],
  ])("MEDIA-04 %s brings its file", (name, text, fileId, fileName, mimeType) => {
    expect(read(name)).toMatchObject({ text, files: [{ fileId, name: fileName, mimeType }] });
    expect(read(name)?.files).toHaveLength(1);
  });

  it.each([
    ["location", "[Location: 52.520008, 13.404954]"],
    ["venue", "[Place: Café, Main Street 1 (52.5, 13.4)]"],
    ["contact", "[Contact: Carl Case, +490000000]"],
    ["poll", "[Poll: Tea or coffee? (Tea / Coffee)]"],
    ["dice", "[🎲 4]"],
  ])("%s is said in words", (name, text) => {
    expect(read(name)).toMatchObject({ text, files: [] });
  });

  it.each(["member-joined", "migrated", "blocked"])("%s is nobody's word", (name) => {
    expect(read(name)).toBeUndefined();
  });

  it("no update is too strange to be read", () => {
    const strange = fc.oneof(
      fc.constantFrom(null, true, -1, 1e300, "", "\ud800", "x".repeat(70_000), [], {}, [[]], { id: {} }),
      fc.jsonValue(),
    );
    const cases = fc.record({
      name: fc.constantFrom(...names),
      changes: fc.array(fc.record({ at: fc.nat(400), value: strange }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(cases, ({ name, changes }) => {
        const mutated = mutate(fixture(name), changes);
        const { update } = readUpdate(mutated) ?? {};
        const message = update?.message ?? update?.edited_message;
        const result = message ? readMessage(message, me) : undefined;
        expect(typeof (result?.text ?? "")).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});

/** Puts values at places that are counted through the whole tree. */
function mutate(root: unknown, changes: Array<{ at: number; value: unknown }>): unknown {
  const places: Array<{ holder: Record<string, unknown>; key: string }> = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      visit(child);
    }
  };
  visit(root);
  for (const { at, value } of changes) {
    const place = places[at % places.length];
    if (place) place.holder[place.key] = value;
  }
  return root;
}
