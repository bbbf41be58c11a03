import { expect, it } from "vitest";
import { formatBytes } from "./format-bytes.ts";

const megabyte = 1024 * 1024;

it("writes sizes with a unit and three digits", () => {
  expect([0, 999, 1024 * 1.5, 85 * megabyte, 1.42 * 1024 * megabyte].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.50 KB",
    "85.0 MB",
    "1.42 GB",
  ]);
});
