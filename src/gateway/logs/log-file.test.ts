import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asideName, openLogFile, type LogDisk } from "./log-file.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-log-"));
  file = join(directory, "logs", "gateway.log");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const limits = (maxBytes: number, keepFiles: number) => () => ({ maxBytes, keepFiles });
const sayLost = (count: number) => `lost ${count}`;
const linesOf = (path: string) =>
  existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
/** Of all files, oldest first. */
const allLines = (keep: number) =>
  Array.from({ length: keep + 1 }, (_, place) => linesOf(asideName(file, keep - place))).flat();

it("is readable by its owner alone, also where an older one was not", () => {
  const log = openLogFile({ file, limits: limits(1000, 1), sayLost });
  log.write("one");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  log.close();
  rmSync(file);
  writeFileSync(file, "", { mode: 0o644 });
  log.write("two");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("does not follow a link that somebody put in its place", () => {
  const log = openLogFile({ file, limits: limits(1000, 1), sayLost });
  log.write("one");
  log.close();
  rmSync(file);
  const victim = join(directory, "victim");
  writeFileSync(victim, "theirs");
  symlinkSync(victim, file);
  log.write("two");
  expect(readFileSync(victim, "utf8")).toBe("theirs");
});

it("loses no line when it is put aside, keeps the order, and keeps no more files than it may", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom("a", "é", "汉", " ") }), {
        maxLength: 60,
      }),
      fc.integer({ min: 20, max: 400 }),
      (lines, maxBytes) => {
        rmSync(join(directory, "logs"), { recursive: true, force: true });
        const log = openLogFile({ file, limits: limits(maxBytes, 100), sayLost });
        for (const line of lines) log.write(line);
        log.close();
        expect(allLines(100)).toEqual(lines);
        const sizes = Array.from({ length: 101 }, (_, place) => asideName(file, place))
          .filter((path) => existsSync(path) && linesOf(path).length > 1)
          .map((path) => statSync(path).size);
        expect(sizes.filter((size) => size > maxBytes)).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

it.each([0, 1, 3])("keeps %i of those that were put aside, also when more were kept before", (keepFiles) => {
  let keep = 5;
  const log = openLogFile({ file, limits: () => ({ maxBytes: 10, keepFiles: keep }), sayLost });
  for (let line = 0; line < 8; line++) log.write(`line ${line} `);
  expect(allLines(9)).toHaveLength(6);
  keep = keepFiles;
  log.write("line 8");
  log.close();
  expect(allLines(9)).toHaveLength(keepFiles + 1);
  expect(allLines(9).at(-1)).toBe("line 8");
});

it("goes on in a new file when somebody else took the old one away", () => {
  const log = openLogFile({ file, limits: limits(1000, 1), sayLost });
  log.write("one");
  rmSync(file);
  log.write("two");
  expect(linesOf(file)).toEqual(["two"]);
});

it("never throws when the disk is full, says how many lines are missing, and glues none together", () => {
  const full = createFillingDisk();
  const log = openLogFile({ file, limits: limits(10_000, 1), sayLost, disk: full.disk });
  log.write("first");
  full.room = 3;
  log.write("torn in the middle");
  log.write("lost");
  full.room = Infinity;
  log.write("after");
  expect(full.text().split("\n")).toEqual(["first", "tor", "lost 2", "after", ""]);
});

/** One that takes `room` bytes more. */
function createFillingDisk() {
  let text = "";
  const state = { room: Infinity, text: () => text, disk: undefined as unknown as LogDisk };
  state.disk = {
    open: () => 1,
    size: () => ({ bytes: Buffer.byteLength(text), isGone: false }),
    write(_descriptor, bytes, offset) {
      const taken = Math.min(bytes.length - offset, state.room);
      if (taken === 0) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      text += bytes.subarray(offset, offset + taken).toString("utf8");
      state.room -= taken;
      return taken;
    },
    close: () => undefined,
    rename: () => undefined,
    remove: () => undefined,
  };
  return state;
}
