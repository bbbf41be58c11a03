import * as fc from "fast-check";
import { expect, it } from "vitest";
import { onceForRecent } from "./once-for-recent.ts";

it("gives what the function would, whatever was asked before", () => {
  const shout = (text: string) => `${text}!`;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.string({ maxLength: 2 })), (most, texts) => {
      const shoutOnce = onceForRecent(shout, most);
      for (const text of texts) expect(shoutOnce(text)).toBe(shout(text));
    }),
  );
});

it("makes it once while it is among the last, and keeps no more than those", () => {
  const made: string[] = [];
  const make = onceForRecent((text) => {
    made.push(text);
    return text.toUpperCase();
  }, 2);
  for (const text of ["a", "b", "a", "b", "c", "b", "a"]) make(text);
  expect(made).toEqual(["a", "b", "c", "a"]);
});

it("keeps nothing of what could not be made", () => {
  let tries = 0;
  const make = onceForRecent((text) => {
    if (++tries === 1) throw new Error("not now");
    return text;
  }, 2);
  expect(() => make("a")).toThrow("not now");
  expect(make("a")).toBe("a");
});
