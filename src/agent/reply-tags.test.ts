import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeReplyTags } from "./reply-tags.ts";

describe("reply tags", () => {
  it("LOOP-11 are taken out, and say which message is answered", () => {
    expect(takeReplyTags("[[reply_to_current]] Hello")).toEqual({ text: "Hello", replyTo: "current" });
    expect(takeReplyTags("[[ Reply_To : om_17 ]]\n\nHello")).toEqual({
      text: "Hello",
      replyTo: { id: "om_17" },
    });
    expect(takeReplyTags("Hello [[reply_to_current]] there [[reply_to_current]]")).toEqual({
      text: "Hello there",
      replyTo: "current",
    });
  });

  it("LOOP-11 that name a message count more than the current one, and the last name most", () => {
    const text = "[[reply_to:1]]a [[reply_to:2]]b [[reply_to_current]]c";
    expect(takeReplyTags(text)).toEqual({ text: "a b c", replyTo: { id: "2" } });
  });

  it("LOOP-11 in code, without an id or too long are text", () => {
    for (const text of [
      "`[[reply_to_current]]`",
      "```\n[[reply_to:1]]\n```\n",
      "[[reply_to:]] [[reply_to: ]] [[reply]] [[reply_to_currently]]",
      `[[reply_to:${"x".repeat(70)}]]`,
      "[[reply_to:a\nb]]",
      " <think>kept</think> \n",
    ])
      expect(takeReplyTags(text)).toEqual({ text, replyTo: undefined });
  });

  it("LOOP-11 leave every other text as it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(takeReplyTags(text)).toEqual({ text, replyTo: undefined });
      }),
    );
  });
});
