import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { LogLevel } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import type { Clock } from "../../infra/clock.ts";
import { openLogFile } from "./log-file.ts";
import { followLog, tailLog } from "./read-log.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-log-"));
  file = join(directory, "gateway.log");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lineOf = (msg: string, level: LogLevel = "info", ids: object = {}) =>
  JSON.stringify({ level, time: "2026-01-01T00:00:00.000Z", ...ids, msg });
const said = (lines: Array<{ message: string }>) => lines.map(({ message }) => message);

it("CLI-18 tells the last lines over all files, oldest first, with their ids, and none when there is no log", async () => {
  expect(await tailLog({ file, lines: 10 })).toEqual([]);
  const log = openLogFile({ file, limits: () => ({ maxBytes: 200, keepFiles: 9 }), sayLost: String });
  for (let count = 0; count < 12; count++) log.write(lineOf(`line ${count}`, "info", { runId: `r${count}` }));
  log.close();
  const last = await tailLog({ file, lines: 7 });
  expect(said(last)).toEqual(["line 5", "line 6", "line 7", "line 8", "line 9", "line 10", "line 11"]);
  expect(last[0]).toEqual({
    time: "2026-01-01T00:00:00.000Z",
    level: "info",
    message: "line 5",
    fields: { runId: "r5" },
  });
  expect(await tailLog({ file, lines: 0 })).toEqual([]);
});

it("tells only what weighs as much as is asked for, and shows a torn line as it is", async () => {
  const text = [lineOf("a", "debug"), lineOf("b", "warn"), '{"level":"warn","ti', lineOf("c", "error")];
  writeFileSync(file, `${text.join("\n")}\n`);
  expect(said(await tailLog({ file, lines: 10, level: "warn" }))).toEqual(["b", "c"]);
  expect(said(await tailLog({ file, lines: 2 }))).toEqual(['{"level":"warn","ti', "c"]);
});

it("reads back through lines that are longer than what is read at once", async () => {
  const long = "汉".repeat(50_000);
  writeFileSync(file, `${[lineOf("first"), lineOf(long), lineOf("last")].join("\n")}\n`);
  expect(said(await tailLog({ file, lines: 3 }))).toEqual(["first", long, "last"]);
});

it("follows what is written while it is put aside, several times between two looks, without a gap or a repetition", async () => {
  const stop = new AbortController();
  const log = openLogFile({ file, limits: () => ({ maxBytes: 300, keepFiles: 50 }), sayLost: String });
  const rounds = 6;
  let round = 0;
  let written = 0;
  const write = (count: number) => {
    for (let each = 0; each < count; each++) log.write(lineOf(`line ${written++}`));
  };
  write(5);
  // Each look is followed by more lines, as if they had been written meanwhile.
  const clock: Clock = {
    ...createHandClock(),
    sleep: async () => (++round > rounds ? stop.abort() : write(round * 3)),
  };
  const seen: string[] = [];
  for await (const line of followLog({ file, lines: 3, clock, signal: stop.signal })) seen.push(line.message);
  expect(seen).toEqual(Array.from({ length: written - 2 }, (_, index) => `line ${index + 2}`));
});

it("waits for a line until it is whole, and for a log until there is one", async () => {
  const stop = new AbortController();
  const steps = [
    () => writeFileSync(file, lineOf("half").slice(0, 20)),
    () => appendFileSync(file, `${lineOf("half").slice(20)}\n`),
    () => renameSync(file, `${file}.1`),
    () => writeFileSync(file, `${lineOf("new")}\n`),
  ];
  const clock: Clock = { ...createHandClock(), sleep: async () => (steps.shift() ?? (() => stop.abort()))() };
  const seen: string[] = [];
  for await (const line of followLog({ file, lines: 3, clock, signal: stop.signal })) seen.push(line.message);
  expect(seen).toEqual(["half", "new"]);
});
