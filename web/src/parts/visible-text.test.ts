import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleParts } from "./visible-text.ts";

const shown = (text: string) =>
  visibleParts(text)
    .map((part) => (part.type === "text" ? part.text : `<${part.name}>`))
    .join("");

describe("a text in which nothing is hidden", () => {
  it("UI-01 shows what turns the direction, has no width or is a control", () => {
    expect(shown("rm \u202Efdp.exe")).toBe("rm <U+202E>fdp.exe");
    expect(shown("a\u200Bb\u0000c\u001B[31m")).toBe("a<U+200B>b<U+0000>c<U+001B>[31m");
    expect(shown("tag\u{E0041}")).toBe("tag<U+E0041>");
    expect(shown("x\u00A0y\u3164z\uD800")).toBe("x<U+00A0>y<U+3164>z<U+D800>");
  });

  it("leaves letters, line ends and tabs as they are", () => {
    expect(shown("echo 'hé 你好'\n\tnext")).toBe("echo 'hé 你好'\n\tnext");
  });

  it("shows every character once, in order, and none that cannot be seen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const parts = visibleParts(text);
        const back = parts
          .map((part) =>
            part.type === "text" ? part.text : String.fromCodePoint(Number.parseInt(part.name.slice(2), 16)),
          )
          .join("");
        expect(back).toBe(text);
        const plain = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
        expect(plain).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
