import * as fc from "fast-check";
import { expect, it } from "vitest";
import { keepPlace, mostShown, moveDown, moveUp, windowAround, windowAtEnd } from "./row-window.ts";

const count = fc.integer({ min: 0, max: 50_000 });

it("UI-01 never holds more rows than it should, nor any that are not there", () => {
  fc.assert(
    fc.property(count, fc.nat(), fc.array(fc.constantFrom(moveUp, moveDown)), (rows, at, moves) => {
      const start = rows === 0 ? windowAtEnd(0) : windowAround(at % rows, rows);
      const { from, to } = moves.reduce((shown, move) => move(shown, rows), start);
      expect(from >= 0 && from <= to && to <= rows && to - from <= mostShown).toBe(true);
    }),
  );
});

it("reaches the first and the last row by moving, and holds the row that was asked for", () => {
  let shown = windowAtEnd(20_000);
  for (let moves = 0; moves < 900; moves++) shown = moveUp(shown, 20_000);
  expect(shown.from).toBe(0);
  for (let moves = 0; moves < 900; moves++) shown = moveDown(shown, 20_000);
  expect(shown.to).toBe(20_000);
  const { from, to } = windowAround(77, 20_000);
  expect(from <= 77 && to > 77).toBe(true);
});

it("shows the same rows when others come above, and the newest while the end is followed", () => {
  const shown = { from: 100, to: 200 };
  expect(keepPlace(shown, { before: 50, count: 300, isAtEnd: false })).toEqual({ from: 150, to: 250 });
  expect(keepPlace(shown, { before: 0, count: 300, isAtEnd: true })).toEqual(windowAtEnd(300));
  expect(keepPlace(shown, { before: 0, count: 20, isAtEnd: false }).to).toBeLessThanOrEqual(20);
});
