import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome, type Home } from "../../config/home.ts";
import { createProcessLiveness, type ProcessTable } from "../../storage/sessions/process-liveness.ts";
import { createServiceRecords, type ServiceFacts } from "./service-record.ts";

let directory: string;
let home: Home;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-service-"));
  home = locateHome({ PINCER_HOME: directory });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const facts: ServiceFacts = {
  channels: ["local", "telegram"],
  startedAt: "2026-01-01T12:00:00.000Z",
  version: "1.2.3",
  address: "http://localhost:18650",
  port: 18650,
  mode: "background",
  arguments: ["--channel", "local"],
};

/** Processes by pid, each with the moment at which it started. */
function machine(pid: number, running: Map<number, string>) {
  const table: ProcessTable = {
    host: "here",
    pidNamespace: "pid:[1]",
    pid,
    startOf(asked) {
      const start = running.get(asked);
      return start === undefined ? { type: "none" } : { type: "running", start };
    },
  };
  return createServiceRecords(home, createProcessLiveness(table));
}

it("GW-05 records channels, pid, start, paths, version, port and arguments, for the owner alone", async () => {
  const records = machine(700, new Map([[700, "boot/1"]]));
  await records.write(facts);
  expect(statSync(home.serviceFile).mode & 0o777).toBe(0o600);
  expect(home.serviceFile).toBe(join(directory, "service", "gateway-service.json"));
  expect(JSON.parse(readFileSync(home.serviceFile, "utf8"))).toEqual({
    ...facts,
    channel: "local",
    pid: 700,
    statePath: home.serviceFile,
    logPath: join(directory, "logs", "gateway.log"),
    process: { host: "here", pidNamespace: "pid:[1]", processStart: "boot/1" },
  });
  expect(await records.read()).toMatchObject({ pid: 700, channel: "local" });
  await records.clear();
  expect(existsSync(home.serviceFile)).toBe(false);
  await records.clear();
});

it("GW-07 notices the record of a dead process, and of one whose pid somebody else has by now", async () => {
  const running = new Map([[700, "boot/1"]]);
  await machine(700, running).write(facts);
  running.set(700, "boot/999");
  const later = machine(800, running);
  const record = JSON.parse(readFileSync(home.serviceFile, "utf8"));
  expect(later.isSurely(record)).toBe(false);
  expect(await later.read()).toBeUndefined();
  expect(existsSync(home.serviceFile)).toBe(false);
});

it("is certain of no process whose start the system does not tell, or that runs elsewhere", async () => {
  const running = new Map([[700, "boot/1"]]);
  const records = machine(700, running);
  await records.write(facts);
  const record = JSON.parse(readFileSync(home.serviceFile, "utf8"));
  expect(records.isSurely(record)).toBe(true);
  expect(records.isSurely({ ...record, process: { ...record.process, host: "there" } })).toBe(false);
  running.set(700, "");
  expect(records.isSurely(record)).toBe(false);
});

it("leaves the record of another gateway alone when it clears its own", async () => {
  const running = new Map([
    [700, "boot/1"],
    [800, "boot/2"],
  ]);
  await machine(800, running).write(facts);
  await machine(700, running).clear();
  expect(await machine(700, running).read()).toMatchObject({ pid: 800 });
});

it.each(["", "{", "null", '{"pid":1}', '{"pid":-1,"channels":[]}', '{"pid":700,"channels":"x"}'])(
  "takes %j for no record and clears it away",
  async (text) => {
    const records = machine(700, new Map([[700, "boot/1"]]));
    await records.write(facts);
    writeFileSync(home.serviceFile, text);
    expect(await records.read()).toBeUndefined();
    expect(existsSync(home.serviceFile)).toBe(false);
  },
);
