import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReplyStream } from "../agent/reply-stream/reply-stream.ts";
import { createRedactor } from "../infra/redactor.ts";
import { wordsSoFar } from "./words-so-far.ts";

describe("the words so far", () => {
  it("hold the last word back, and nothing where words are not set apart", () => {
    const redactor = createRedactor();
    expect(wordsSoFar("one two thr", redactor)).toBe("one two");
    expect(wordsSoFar("one two three\n", redactor)).toBe("one two three");
    expect(wordsSoFar("one", redactor)).toBe("");
    expect(wordsSoFar("\u4f60\u597d\u3002\u4eca\u5929", redactor)).toBe("\u4f60\u597d\u3002\u4eca\u5929");
    expect(wordsSoFar("\u5bc6\u94a5\u662f sk-ver", redactor)).toBe("\u5bc6\u94a5\u662f");
  });

  it("SEC-01 never show the beginning of a secret without spaces, wherever the text is cut", () => {
    const secret = fc.stringMatching(/^[!-~]{6,30}$/);
    const around = fc.stringMatching(/^[a-z .,:=\n]{0,40}$/);
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const redactor = createRedactor();
        redactor.add("name", value);
        const whole = `${before} ${value}${after} `;
        const shown = redactor.text(whole).trimEnd();
        for (let length = 0; length <= whole.length; length++) {
          // What is seen on the way is a beginning of what is seen in the end: nothing ever has to be taken back.
          expect(shown.startsWith(wordsSoFar(whole.slice(0, length), redactor))).toBe(true);
        }
      }),
    );
  });

  it("LOOP-11 show nothing of tags and reasoning behind a reply stream, and never have to be taken back", () => {
    const whole =
      "<think>sh out</think>[[reply_to_current]] It is `<b>` so.\n\n<final>Really [[reply_to:1]] so.</final>";
    const redactor = createRedactor();
    const stream = createReplyStream({ reasoning: "off", blockBreak: "none" });
    let visible = "";
    const shown = Array.from(whole, (character) => {
      for (const event of stream.push(character)) if (event.type === "partial") visible += event.text;
      return wordsSoFar(visible, redactor);
    });
    expect(visible).toBe("It is `<b>` so.\n\nReally so.");
    expect(shown.every((words) => visible.startsWith(words))).toBe(true);
    expect(shown).toContain("It is `<b>`");
  });
});
