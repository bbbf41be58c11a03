import { expect, it } from "vitest";
import { refreshed, withFurther } from "./run-pages.ts";

const runs = (...positions: number[]) => positions.map((position) => ({ position }));

it("shows a further page once, however often it was asked for", () => {
  const shown = withFurther(runs(9, 8), runs(7, 6));
  expect(shown).toEqual(runs(9, 8, 7, 6));
  expect(withFurther(shown, runs(7, 6))).toEqual(shown);
  expect(withFurther([], runs(3))).toEqual(runs(3));
});

it("keeps what was read behind the part that is read anew", () => {
  expect(refreshed(runs(9, 8, 7, 6), runs(10, 9), true)).toEqual(runs(10, 9, 8, 7, 6));
  expect(refreshed(runs(9, 8), runs(10), false)).toEqual(runs(10));
});
