import { PincerError } from "@pincer/sdk";
import { expect, it } from "vitest";
import { diskFailure } from "./disk-failure.ts";

const thrown = (facts: object) => Object.assign(new Error("raw words"), facts);

it.each([
  [{ code: "ENOSPC", path: "/home/config.json5" }, "storage/full", "/home/config.json5"],
  [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, "storage/full", "/home"],
  [{ code: "ERR_SQLITE_ERROR", errcode: 14 }, "storage/unavailable", "/home"],
  [{ code: "ERR_SQLITE_ERROR", errcode: 8 | (3 << 8) }, "storage/unavailable", "/home"],
  [{ code: "EROFS" }, "storage/unavailable", "EROFS"],
  [{ code: "EACCES" }, "storage/unavailable", "EACCES"],
  [{ code: "EISDIR" }, "storage/unavailable", "EISDIR"],
  [{ code: "ELOOP" }, "storage/unavailable", "ELOOP"],
])("makes of %j an error that names the place and says what to do", (facts, code, named) => {
  const failed = diskFailure(thrown(facts), "/home");
  expect(failed).toMatchObject({ code, hint: expect.stringMatching(/\w/) });
  expect(failed instanceof PincerError && failed.message).toContain(named);
});

it("leaves alone what is no refusal of the disk", () => {
  for (const other of [
    thrown({}),
    thrown({ code: "ERR_INVALID_ARG_TYPE" }),
    new PincerError("internal/bug", "x"),
    "x",
  ])
    expect(diskFailure(other, "/home")).toBe(other);
});
