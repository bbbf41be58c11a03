import { createHandClock } from "@pincer/sdk/testing";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome, type Home } from "../../config/home.ts";
import type { Clock } from "../../infra/clock.ts";
import type { ServiceRecord } from "./service-record.ts";
import { startInBackground, type Launch } from "./start-in-background.ts";

let directory: string;
let home: Home;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-background-"));
  home = locateHome({ PINCER_HOME: directory });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const recordOf = (pid: number): ServiceRecord => ({
  channel: null,
  channels: [],
  pid,
  startedAt: "2026-01-01T12:00:00.000Z",
  statePath: home.serviceFile,
  logPath: home.gatewayLogFile,
  version: "1",
  address: null,
  port: null,
  mode: "background",
  arguments: [],
  process: { host: "here", processStart: "boot/1" },
});

/** Time that passes as soon as somebody waits. */
function quickClock(onSleep: () => void = () => {}): Clock {
  let now = 0;
  return {
    ...createHandClock(),
    now: () => now,
    monotonic: () => now,
    async sleep(ms) {
      now += ms;
      onSleep();
    },
  };
}

const given = () => ({
  environment: { PINCER_HOME: directory },
  cwd: directory,
  signal: new AbortController().signal,
});
const never = new Promise<{ status: number | null }>(() => {});

it("GW-05 starts `gateway run` on its own with the same flags, and comes back when that very process serves", async () => {
  let record: ServiceRecord | undefined;
  const launched: Array<Parameters<Launch>[0]> = [];
  const looks = [() => (record = recordOf(999)), () => (record = recordOf(42))];
  const started = await startInBackground(
    {
      ...given(),
      clock: quickClock(() => void looks.shift()?.()),
      records: { read: async () => record },
      launch(wish) {
        launched.push(wish);
        return { pid: 42, ended: never };
      },
    },
    ["--channel=local", "--no-memory"],
  );
  expect(started).toMatchObject({ type: "started", record: { pid: 42 } });
  expect(launched).toMatchObject([
    { args: ["gateway", "run", "--in-background", "--channel=local", "--no-memory"], cwd: directory },
  ]);
  expect(statSync(join(home.logsDir, "gateway-start.log")).mode & 0o777).toBe(0o600);
});

it("GW-05 says with which words and status it failed", async () => {
  const ended = Promise.withResolvers<{ status: number | null }>();
  const launch: Launch = ({ output }) => {
    writeSync(output, "pincer: port 18650 is taken\n  → choose another\n");
    ended.resolve({ status: 1 });
    return { pid: 42, ended: ended.promise };
  };
  const started = await startInBackground(
    { ...given(), clock: quickClock(), records: { read: async () => undefined }, launch },
    [],
  );
  expect(started).toEqual({
    type: "failed",
    status: 1,
    lines: ["pincer: port 18650 is taken", "  → choose another"],
  });
});

it("starts no second one, and names the first", async () => {
  const launch: Launch = () => ({ pid: 1, ended: never });
  const starting = startInBackground({ ...given(), records: { read: async () => recordOf(7) }, launch }, []);
  await expect(starting).rejects.toMatchObject({
    code: "gateway/running",
    message: expect.stringContaining("process 7"),
  });
});

it("does not wait for ever, and says where to look", async () => {
  const launch: Launch = () => ({ pid: 42, ended: never });
  const parts = { ...given(), clock: quickClock(), records: { read: async () => undefined }, launch };
  await expect(startInBackground(parts, [])).rejects.toMatchObject({
    code: "gateway/unreachable",
    hint: expect.stringContaining("gateway-start.log"),
  });
});

it("writes its words to no file that a link in their place leads to", async () => {
  const victim = join(directory, "victim");
  writeFileSync(victim, "theirs");
  const launch: Launch = ({ output }) => {
    closeSync(output);
    return { pid: 42, ended: never };
  };
  const parts = { ...given(), records: { read: async () => undefined }, launch };
  const logs = join(directory, "logs");
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs);
  symlinkSync(victim, join(logs, "gateway-start.log"));
  await expect(startInBackground(parts, [])).rejects.toMatchObject({ code: "storage/unavailable" });
  expect(readFileSync(victim, "utf8")).toBe("theirs");
});
