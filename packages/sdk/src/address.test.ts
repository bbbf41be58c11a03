import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNamed, withoutAddress } from "./address.ts";

describe("whether a text speaks to somebody", () => {
  it.each([
    ["pincer: hi", true],
    ["hi, PINCER!", true],
    ["@pincer hi", true],
    ["pincers", false],
    ["my-pincer", false],
    ["pincer2", false],
    ["问 pincer。", true],
  ])("ROUTE-01 %j: %s", (text, isIt) => {
    expect(isNamed(text, ["other", "pincer"])).toBe(isIt);
  });

  it("takes off the name that it begins with, and nothing else", () => {
    expect(withoutAddress("Pincer, /status", ["pincer"])).toBe("/status");
    expect(withoutAddress("@pincer: hi", ["pincer"])).toBe("hi");
    expect(withoutAddress("pincer is nice", ["pincer"])).toBe("pincer is nice");
    expect(withoutAddress("pincer: ", ["pincer"])).toBe("pincer: ");
  });

  it("takes every name for what it is", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        expect(isNamed(` ${name} `, [name])).toBe(true);
        expect(withoutAddress(`${name}: hi`, [name])).toBe("hi");
      }),
    );
    expect(isNamed("anything", ["."])).toBe(false);
  });
});
