import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatCut, losses, parseCut, troubleOf, type Cut } from "./cut.ts";
import { formatSeries, parseSeries } from "./prove.ts";

const count = fc.integer({ min: 1, max: 1000 });
const word = fc.stringMatching(/^[a-z][a-zA-Z_]{0,8}$/);
const point = fc.oneof(
  fc.tuple(word, word).map(([store, verb]) => `${store}.${verb}:before`),
  fc.tuple(word, word).map(([kind, verb]) => `channel.${kind}.${verb}:taken`),
  word.map((event) => `model.${event}-delta`),
  fc.constant("sync:after"),
);
const cut: fc.Arbitrary<Cut> = fc.oneof(
  fc.record(
    {
      type: fc.constant("failpoint" as const),
      action: fc.constantFrom("kill", "full", "eio"),
      point,
      hit: count,
      early: fc.boolean(),
      under: fc.constantFrom("500", "close-after"),
    },
    { requiredKeys: ["type", "action", "point", "hit", "early"] },
  ),
  fc.record({
    type: fc.constant("after" as const),
    unit: fc.constantFrom("ms", "events"),
    count,
    early: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("syscall" as const),
    action: fc.constantFrom("kill", "enospc", "eio"),
    call: fc.constantFrom("pwrite64", "fdatasync"),
    hit: count,
  }),
  fc.record({ type: fc.constant("file-limit" as const), kilobytes: count }),
  fc.record({ type: fc.constant("hostile" as const), fault: fc.constantFrom("500x10", "hang-taken") }),
  fc.constant<Cut>({ type: "disk" }),
  fc.record({ type: fc.constant("damage" as const), part: fc.constantFrom("page" as const, "log" as const) }),
  fc.record({ type: fc.constant("lose" as const), how: fc.constantFrom(...losses) }),
  fc.record({
    type: fc.constant("restore" as const),
    held: fc.constantFrom("retry" as const, "drop" as const),
  }),
  fc.record({
    type: fc.constant("clock" as const),
    minutes: fc.integer({ min: -9999, max: 9999 }),
    early: fc.boolean(),
  }),
  fc.constant<Cut>({ type: "poison" }),
  fc.constant<Cut>({ type: "none" }),
);

it("a cut can be written down and read again", () => {
  fc.assert(
    fc.property(cut, (each) => {
      expect(parseCut(formatCut(each))).toEqual(each);
    }),
  );
});

it("a whole series can be written down and read again", () => {
  fc.assert(
    fc.property(fc.nat(), count, fc.array(cut, { minLength: 1 }), (seed, speed, cuts) => {
      expect(parseSeries(formatSeries({ seed, speed, cuts }))).toEqual({ seed, speed, cuts });
    }),
  );
});

it.each([
  ["disk@full", "full disk"],
  ["full@inbox.accept:before#1", "full disk"],
  ["limit@200kb", "full disk"],
  ["eio@sync:before#1", "I/O error"],
  ["damage@log", "damaged page"],
  ["lose@truncated", "lost database"],
  ["restore@drop", "restore"],
  ["early:clock@-90min", "clock jump"],
  ["hostile@late-75s", "hanging send"],
  ["hostile@twice", undefined],
  ["kill@35ms", undefined],
])("%s counts as %s", (text, kind) => {
  const cut = parseCut(text);
  expect(cut && troubleOf(cut)).toBe(kind);
});

it.each([
  "lose@nothing",
  "damage@",
  "clock@min",
  "disk@half",
  "",
  "kill",
  "kill@",
  "kill@here",
  "burn@sync:before#1",
  "kill@sync:before#x",
  "early:",
])("%j is no cut", (text) => {
  expect(parseCut(text)).toBeUndefined();
  expect(parseSeries(`1/10/${text}`)).toBeUndefined();
});
