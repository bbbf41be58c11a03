import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createUploadAllowance } from "./upload-allowance.ts";

it("SEC-02 counts what each caller brings within an hour, and a small file as what it takes on a disk", async () => {
  const clock = createHandClock();
  const { take } = createUploadAllowance({ clock, mostBytes: () => 10_000 });
  expect([take("a", 1), take("a", 5904)]).toEqual([undefined, undefined]);
  await clock.advance(60_000);
  expect([take("a", 1), take("b", 10_001), take("b", 10_000)]).toEqual([3540, 3600, undefined]);
  await clock.advance(3_540_000);
  expect([take("a", 10_000), take("b", 1)]).toEqual([undefined, 60]);
});
