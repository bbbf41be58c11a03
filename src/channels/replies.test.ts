import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { normaliseText } from "./normalise-text.ts";
import { createReplies, markLength } from "./replies.ts";

const destination = {
  channel: "pigeon",
  accountId: "default",
  target: { peerKind: "user" as const, peerId: "42" },
};
const photo = { kind: "image" as const, media: "sha256:aa", mimeType: "image/png" };

function makeReplies(textLimit = 100) {
  const clock = createHandClock();
  const replies = createReplies({ traitsOf: () => ({ textLimit }), clock, notAfterMs: 60_000 });
  const drafts = (text: string, more: Partial<Parameters<typeof replies.drafts>[0]> = {}) =>
    replies.drafts({ destination, turnId: "run_1", replyTo: "m7", text, kind: "reply", ...more });
  return { clock, drafts };
}

describe("replies", () => {
  it("CHAN-25 become one draft per part, the first of which answers and carries the attachments", () => {
    const { clock, drafts } = makeReplies(20);
    const made = drafts("one two three four five six seven", { attachments: [photo] });
    expect(made.map(({ text }) => text)).toEqual(["one two three four", "five six seven"]);
    expect(made.map(({ replyTo }) => replyTo)).toEqual(["m7", null]);
    expect(made.map(({ attachments }) => attachments)).toEqual([[photo], []]);
    const notAfter = new Date(clock.now() + 60_000).toISOString();
    expect(made.map((draft) => draft.notAfter)).toEqual([notAfter, notAfter]);
  });

  it("have what can be pressed below their last part", () => {
    const { drafts } = makeReplies(20);
    const actions = [{ label: "Yes", send: "/approve K7" }];
    const made = drafts("one two three four five six seven", { actions });
    expect(made.map((draft) => draft.actions)).toEqual([undefined, actions]);
  });

  it("CHAN-25 are nothing for a blank text, and one draft for a file without words", () => {
    const { drafts } = makeReplies();
    expect(drafts(" \n")).toEqual([]);
    expect(drafts("", { attachments: [photo] })).toMatchObject([{ text: "", attachments: [photo] }]);
  });

  it("CHAN-25 leave room for the mark of a repeat", () => {
    const { drafts } = makeReplies(1000);
    const longest = Math.max(...drafts("word ".repeat(600)).map(({ text }) => text.length));
    for (const language of ["en", "zh"] as const) {
      const mark = createSay(language)("delivery.repeat-mark");
      expect(mark.length).toBeLessThanOrEqual(markLength);
      expect(longest + mark.length).toBeLessThanOrEqual(1000);
    }
  });

  it("STREAM-06 have equal keys when only case, punctuation or white space differ", () => {
    const { drafts } = makeReplies();
    const key = (text: string) => drafts(text)[0]?.dedupeKey;
    expect(key("Hello, world!")).toBe("hello world");
    expect(key("  hello   WORLD ")).toBe("hello world");
    expect(key("你好，世界！")).toBe(key("你好 世界"));
    expect(key("Hello, word!")).not.toBe("hello world");
    expect(drafts("Hello", { attachments: [photo] })[0]?.dedupeKey).not.toBe(key("Hello"));
    expect(drafts("Hello", { turnId: null })[0]?.dedupeKey).toBeNull();
  });

  it("STREAM-06 keep marks apart that are a whole answer", () => {
    expect(normaliseText("?")).not.toBe(normaliseText("!"));
    expect(normaliseText("👍")).not.toBe(normaliseText("👎"));
  });

  it("STREAM-06 never take the parts of one reply for repeats of each other", () => {
    const { drafts } = makeReplies(20);
    fc.assert(
      fc.property(
        fc.constantFrom("la ", "la, ", "la! ", "啦。"),
        fc.integer({ min: 10, max: 80 }),
        (word, times) => {
          const keys = drafts(word.repeat(times)).map(({ dedupeKey }) => dedupeKey);
          expect(new Set(keys).size).toBe(keys.length);
        },
      ),
    );
  });
});
