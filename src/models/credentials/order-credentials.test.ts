import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveOrder, sortByAvailability } from "./order-credentials.ts";

describe("AUTH-04 the order", () => {
  const all = { stored: ["a", "b"], configured: ["c"], profiles: ["d"], all: ["e", "f"] };
  const there = () => true;
  it.each([
    ["that a person has set", all, ["a", "b"]],
    ["of the config", { ...all, stored: undefined }, ["c"]],
    ["of the config's profiles", { ...all, stored: undefined, configured: undefined }, ["d"]],
    [
      "of all that are stored",
      { stored: undefined, configured: undefined, profiles: [], all: all.all },
      ["e", "f"],
    ],
  ])("is the one %s, where no better one is", (_name, sources, order) => {
    expect(resolveOrder(sources, there)).toEqual(order);
  });

  it("leaves out what is not there, and says nothing when nothing of it is", () => {
    expect(resolveOrder(all, (id) => id !== "a")).toEqual(["b"]);
    expect(resolveOrder(all, (id) => !"ab".includes(id))).toEqual(["c"]);
    expect(resolveOrder(all, () => false)).toEqual([]);
  });

  it("tries nothing twice", () => {
    expect(resolveOrder({ ...all, stored: ["b", "a", "b"] }, there)).toEqual(["b", "a"]);
  });
});

describe("AUTH-06 those on cooldown", () => {
  const at = (id: string, cooldownUntil?: number) => ({ id, ...(cooldownUntil ? { cooldownUntil } : {}) });
  const ids = (candidates: Array<{ id: string }>) => candidates.map(({ id }) => id);

  it("come last: [A, B, C, D] becomes [A, C, B, D]", () => {
    expect(ids(sortByAvailability([at("A"), at("B", 100), at("C"), at("D", 200)]))).toEqual([
      "A",
      "C",
      "B",
      "D",
    ]);
  });

  it("come in the order of their return", () => {
    expect(ids(sortByAvailability([at("A", 300), at("B", 100), at("C", 200)]))).toEqual(["B", "C", "A"]);
  });

  it("are neither lost nor doubled, and the others keep their order", () => {
    const candidate = fc.record(
      { id: fc.nat(), cooldownUntil: fc.integer({ min: 1, max: 5 }) },
      { requiredKeys: ["id"] },
    );
    fc.assert(
      fc.property(fc.array(candidate), (given) => {
        const sorted = sortByAvailability(given);
        expect(new Set(sorted)).toEqual(new Set(given));
        expect(sorted).toHaveLength(given.length);
        const ready = (list: typeof given) => list.filter(({ cooldownUntil }) => cooldownUntil === undefined);
        expect(sorted.slice(0, ready(given).length)).toEqual(ready(given));
        expect(sortByAvailability(sorted)).toEqual(sorted);
      }),
    );
  });
});
