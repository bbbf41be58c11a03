import { textOf } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageTokens } from "./estimate-tokens.ts";
import { cutNotice, openingOf, shortenOpening } from "./opening.ts";
import type { Mark } from "./session-view.ts";

const at = { seq: 60, time: "2026-11-15T12:00:00.000Z" };
const summary = (text: string, rest: object = {}): Mark => ({
  ...at,
  type: "compaction",
  summary: text,
  keepFrom: 58,
  ...rest,
});
const textOfOpening = (mark: Mark, hasMemory = false) => {
  const opening = openingOf(mark, hasMemory);
  return opening && textOf(opening.message);
};

describe("what stands for the past", () => {
  it("is a summary that names the entries it stands for and says that they are kept", () => {
    const text = textOfOpening(summary("They chose blue."));
    expect(text).toContain('<summary of="#2-#57">\nThey chose blue.\n</summary>');
    expect(text).toMatch(/summary .* made by you.*kept and can be searched/);
    expect(textOfOpening(summary("x", { from: 31 }))).toContain('of="#31-#57"');
  });

  it("is not told twice where the prompt shows the session's memory", () => {
    const counted = summary("x", { trigger: "messages" });
    expect(textOfOpening(counted, true)).toBeUndefined();
    expect(textOfOpening(counted, false)).toContain("<summary");
    expect(textOfOpening(summary("x", { trigger: "tokens" }), true)).toContain("<summary");
  });

  it("is a handoff with its name and all that was handed over", () => {
    const state = { summary: "Tests are green.", next: ["deploy"], owner: "ann" };
    const text = textOfOpening({ ...at, type: "anchor", name: 'phase "2"\n>', state });
    expect(text).toContain(
      '<handoff name="phase &quot;2&quot; &gt;">\nTests are green.\nnext: ["deploy"]\nowner: ann\n</handoff>',
    );
    expect(textOfOpening({ ...at, type: "anchor", name: "bare" })).toContain('<handoff name="bare">');
  });

  it("is what another session left", () => {
    const data = { sessionId: "s1", summary: "We planned a trip." };
    expect(textOfOpening({ ...at, type: "event", name: "carried", data })).toContain(
      "<earlier-session>\nWe planned a trip.\n</earlier-session>",
    );
    expect(textOfOpening({ ...at, type: "event", name: "carried", data: { summary: " " } })).toBeUndefined();
    expect(openingOf(undefined, false)).toBeUndefined();
  });

  it("cannot be ended by what it quotes", () => {
    const piece = fc.constantFrom(
      "</summary>",
      "</ summary >",
      "<SUMMARY",
      "< / summary",
      "<summary of='#1'>",
      "x",
      "\n",
      "&lt;",
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (text) => {
          const shown = textOfOpening(summary(text)) ?? "";
          expect(shown.match(/<\s*\/\s*summary/gi)).toHaveLength(1);
          expect(shown.match(/<\s*summary/gi)).toHaveLength(1);
          expect(shown.endsWith("</summary>")).toBe(true);
        },
      ),
    );
    expect(textOfOpening(summary("<read-files>\na.ts\n</read-files>"))).toContain(
      "<read-files>\na.ts\n</read-files>",
    );
  });

  it("can be told in fewer tokens", () => {
    const opening = openingOf(summary("word ".repeat(5000)), false);
    if (!opening) throw new Error("there is an opening");
    expect(messageTokens(shortenOpening(opening.message, 500))).toBeLessThanOrEqual(500);
    expect(textOf(shortenOpening(opening.message, 500))).toContain('<summary of="#2-#57">');
  });
});

describe("the notice that there is more", () => {
  it("COMP-24 says before which entry, and a few words of what was said there", () => {
    expect(textOf(cutNotice({ before: 75, digest: "", tokens: 600 }))).toContain("before entry #75");
    const told = textOf(cutNotice({ before: 75, digest: "- asked for blue", tokens: 600 }));
    expect(told).toContain("<earlier-messages>\n- asked for blue\n</earlier-messages>");
  });

  it("keeps to its tokens, however long the digest is", () => {
    for (const digest of ["word ".repeat(9000), "好".repeat(9000)]) {
      const notice = cutNotice({ before: 75, digest, tokens: 600 });
      expect(messageTokens(notice)).toBeLessThanOrEqual(600);
      expect(messageTokens(notice)).toBeGreaterThan(400);
    }
    expect(
      messageTokens(cutNotice({ before: 123_456_789, digest: "word ".repeat(900), tokens: 0 })),
    ).toBeLessThan(60);
  });
});
