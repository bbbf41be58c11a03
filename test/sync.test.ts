import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { makeHome, pincerBin, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe("what the disk is told", () => {
  it.skipIf(!hasProgram("strace"))(
    "has the question and the answer synced before the answer is printed",
    async () => {
      await home.run(["ask", "warm up"]);
      const trace = join(home.path, "trace");
      const ended = spawnSync(
        "strace",
        [
          "-f",
          "-y",
          "-s",
          "4096",
          "-e",
          "trace=pwrite64,write,fdatasync,fsync",
          "-o",
          trace,
          process.execPath,
          pincerBin,
          "ask",
          "is it safe?",
        ],
        { env: { ...process.env, PINCER_HOME: home.path }, encoding: "utf8" },
      );
      expect(ended.status).toBe(0);

      const calls = readFileSync(trace, "utf8").split("\n");
      const printed = calls.findIndex(
        (line) => /write\(1</.test(line) && line.includes("I received your message"),
      );
      const asked = calls.findIndex((line) => line.includes("core.db-wal") && line.includes("is it safe?"));
      const answered = calls.findIndex(
        (line, index) => index > asked && line.includes("core.db-wal") && line.includes("I received"),
      );
      const syncs = calls.flatMap((line, index) =>
        /fdatasync\(\d+<[^>]*core\.db-wal>/.test(line) ? [index] : [],
      );
      expect(asked).toBeGreaterThan(0);
      expect(answered).toBeGreaterThan(asked);
      expect(printed).toBeGreaterThan(answered);
      expect(syncs.some((index) => index > asked && index < answered)).toBe(true);
      expect(syncs.some((index) => index > answered && index < printed)).toBe(true);
    },
  );
});
