import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "./plain-text.ts";

describe("text for a terminal", () => {
  it("shows control characters instead of obeying them", () => {
    expect(plainText("\u001B]0;pwned\u0007 \u009B2J\u007F")).toBe("␛]0;pwned␇ \uFFFD2J␡");
    expect(plainText("a\r\nb\tc 你好 🙂")).toBe("a␍\nb\tc 你好 🙂");
  });

  it("leaves no control character but line breaks and tabs, and everything else as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = plainText(text);
        // oxlint-disable-next-line no-control-regex -- they are what is looked for
        expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
        expect(shown.length).toBe(text.length);
      }),
    );
  });
});
