import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";

describe("the redactor", () => {
  it("writes a secret's name in its place, in text and in data, keys included", () => {
    const redactor = createRedactor();
    redactor.add("telegram", "123:abcdef");
    expect(redactor.text("token=123:abcdef!")).toBe("token=[secret:telegram]!");
    expect(redactor.data({ a: ["123:abcdef"], "123:abcdef": 1, n: null })).toEqual({
      a: ["[secret:telegram]"],
      "[secret:telegram]": 1,
      n: null,
    });
  });

  it("keeps the names of our own data, even where a secret is an ordinary word", () => {
    const redactor = createRedactor();
    redactor.add("odd", "session");
    expect(redactor.values({ session: ["session"] })).toEqual({ session: ["[secret:odd]"] });
  });

  it("leaves no secret in any text, whatever characters it is made of", () => {
    const secret = fc.string({ minLength: 6, maxLength: 40, unit: "grapheme" });
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.string(), (secrets, around) => {
        const redactor = createRedactor();
        secrets.forEach((value, index) => redactor.add(`s${index}`, value));
        for (const value of secrets) {
          const written = redactor.text(`${around}${value}${JSON.stringify({ value })}`);
          // Outside the marks, which are ours, no secret is left.
          for (const piece of written.split(/\[secret:s\d\]/)) expect(piece).not.toContain(value);
        }
      }),
    );
  });

  it("replaces a secret that contains another one whole", () => {
    const redactor = createRedactor();
    redactor.add("short", "abcdef");
    redactor.add("long", "abcdefghij");
    expect(redactor.text("abcdefghij abcdef")).toBe("[secret:long] [secret:short]");
  });

  it("leaves values alone that are too short to be told from ordinary words", () => {
    const redactor = createRedactor();
    redactor.add("pin", "1234");
    expect(redactor.text("1234")).toBe("1234");
  });

  it("knows a secret in its JSON and URL spellings", () => {
    const redactor = createRedactor();
    redactor.add("odd", 'a"b\nc d/é');
    expect(redactor.text(JSON.stringify('a"b\nc d/é'))).toBe('"[secret:odd]"');
    expect(redactor.text(encodeURIComponent('a"b\nc d/é'))).toBe("[secret:odd]");
  });
});
