/** The page may not know the product's code, and writes paths into the config by itself: the gateway has to read them as they were meant. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPath, readPath } from "../src/config/config-path.ts";
import { parsePath } from "../src/config/parse-path.ts";
import * as page from "../web/src/views/config/config-paths.ts";

/** One name is refused wherever a path is read. */
const name = fc.string({ minLength: 1 }).filter((each) => each !== "__proto__");
const path = fc
  .tuple(name, fc.array(fc.oneof(name, fc.nat(99)), { maxLength: 4 }))
  .map(([first, rest]) => [first, ...rest]);

describe("paths into the config", () => {
  it("UI-01 are written by the page as by the gateway, which reads them back", () => {
    fc.assert(
      fc.property(path, (given) => {
        expect(page.formatPath(given)).toBe(formatPath(given));
        expect(parsePath(page.formatPath(given))).toEqual(given);
      }),
    );
  });

  it("UI-01 lead the page to what they lead the gateway to", () => {
    fc.assert(
      fc.property(fc.jsonValue(), path, (value, given) => {
        expect(page.readPath(value, given)).toEqual(readPath(value, given));
      }),
    );
  });
});
