import { PincerError } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { asStorageError } from "./sqlite-errors.ts";

const sqliteError = (errcode: number) =>
  Object.assign(new Error("what SQLite said"), { code: "ERR_SQLITE_ERROR", errcode });

describe("storage errors", () => {
  it.each([
    ["SQLITE_BUSY", 5, "storage/busy"],
    ["SQLITE_BUSY_RECOVERY", 261, "storage/busy"],
    ["SQLITE_LOCKED", 6, "storage/busy"],
    ["SQLITE_PROTOCOL", 15, "storage/busy"],
    ["SQLITE_CORRUPT", 11, "storage/corrupt"],
    ["SQLITE_NOTADB", 26, "storage/corrupt"],
    ["SQLITE_FULL", 13, "storage/full"],
    ["SQLITE_IOERR_WRITE", 778, "storage/unavailable"],
    ["SQLITE_READONLY", 8, "storage/unavailable"],
    ["SQLITE_CANTOPEN", 14, "storage/unavailable"],
  ])("says %s in the product's words", (_, errcode, code) => {
    const cause = sqliteError(errcode);
    const error = asStorageError(cause, "core.db");
    expect(error).toBeInstanceOf(PincerError);
    expect(error).toMatchObject({ code, cause, hint: expect.any(String) });
    expect(String(error)).toContain("what SQLite said (core.db)");
  });

  it("tells a full disk from other trouble with files", () => {
    const system = (code: string) => Object.assign(new Error(code), { code, syscall: "open" });
    expect(asStorageError(system("ENOSPC"), "core.db")).toMatchObject({ code: "storage/full" });
    expect(asStorageError(system("EACCES"), "core.db")).toMatchObject({ code: "storage/unavailable" });
  });

  it("leaves bugs and errors of ours as they are", () => {
    const bug = new TypeError("undefined is not a function");
    const misuse = sqliteError(21);
    const ours = new PincerError("session/not-found", "no");
    expect(asStorageError(bug, "core.db")).toBe(bug);
    expect(asStorageError(misuse, "core.db")).toBe(misuse);
    expect(asStorageError(ours, "core.db")).toBe(ours);
  });
});
