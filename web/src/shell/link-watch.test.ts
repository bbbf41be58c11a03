import { expect, it } from "vitest";
import { createLinkWatch } from "./link-watch.ts";

function watchFrom(first: string) {
  const clock = { at: first };
  const told: Array<string | undefined> = [];
  const watch = createLinkWatch({ now: () => clock.at });
  const end = watch.onChange(() => told.push(watch.lostAt()));
  return { watch, clock, told, end };
}

it("UI-01 knows since when nothing is heard, however often it is tried again meanwhile", () => {
  const { watch, clock, told, end } = watchFrom("2026-01-01T00:00:00Z");
  watch.heard("connecting");
  expect(watch.lostAt()).toBeUndefined();
  watch.heard("connected");
  watch.heard("waiting");
  clock.at = "2026-01-01T00:05:00Z";
  watch.heard("connecting");
  watch.heard("waiting");
  expect(watch.lostAt()).toBe("2026-01-01T00:00:00Z");
  watch.heard("connected");
  expect(told).toEqual(["2026-01-01T00:00:00Z", undefined]);
  watch.heard("waiting");
  expect(told.at(-1)).toBe("2026-01-01T00:05:00Z");
  end();
  watch.heard("connected");
  expect(told).toHaveLength(3);
});
