import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createHandClock } from "@pincer/sdk/testing";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { openLog, type GatewayLog } from "./gateway-log.ts";

let directory: string;
let told: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-log-"));
  told = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const file = () => join(directory, "gateway.log");
const lines = () =>
  readFileSync(file(), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, string>);

async function open(settings: Config["logging"] = defaultConfig.logging, secrets: string[] = []) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add("canary", secret);
  const log = openLog({
    redactor,
    tell: (message) => void told.push(message),
    file: file(),
    settings: () => settings,
    say: createSay("en"),
    clock: createHandClock(Date.parse("2026-01-01T12:00:00Z")),
  });
  return { log, redactor };
}

it("writes one JSON line with time, level, text and ids, and shows the text in the terminal", async () => {
  const { log } = await open();
  log.info("a turn has begun", { runId: "run_1", sessionKey: "agent:main:main", channel: "local" });
  log.error("it failed\nbadly");
  expect(lines()).toEqual([
    {
      level: "info",
      time: "2026-01-01T12:00:00.000Z",
      runId: "run_1",
      sessionKey: "agent:main:main",
      channel: "local",
      msg: "a turn has begun",
    },
    { level: "error", time: "2026-01-01T12:00:00.000Z", msg: "it failed\nbadly" },
  ]);
  expect(told).toEqual(["a turn has begun", "it failed\nbadly"]);
});

it("obeys the level of the config from the next line on, and says nothing when it is silent", async () => {
  const settings: Config["logging"] = { ...defaultConfig.logging };
  const { log } = await open(settings);
  log.debug("too little");
  settings.level = "debug";
  log.debug("now wanted");
  settings.level = "error";
  log.warn("no longer");
  settings.level = "silent";
  log.error("nothing at all");
  expect(lines().map(({ msg }) => msg)).toEqual(["now wanted"]);
  expect(told).toEqual([]);
});

const canary = 'can"ary\\of-the\nmine€#1';

const paths: Array<[string, (log: GatewayLog, secret: string) => void]> = [
  ["words", (log, secret) => log.info(`key ${secret} refused`)],
  ["a debug line", (log, secret) => log.debug(secret)],
  ["JSON inside words", (log, secret) => log.warn(`body: ${JSON.stringify({ token: secret })}`)],
  ["an address", (log, secret) => log.warn(`https://host/?t=${encodeURIComponent(secret)}`)],
  ["the value of an id", (log, secret) => log.error("x", { caller: `as ${secret}` })],
  ["the name of an id", (log, secret) => log.error("x", { [secret]: "y" })],
  ["words that are cut", (log, secret) => log.error(`${"x".repeat(7990)}${secret}`)],
  ["an id that is cut", (log, secret) => log.error("x", { id: `${"x".repeat(390)}${secret}` })],
  ["a trace of calls", (log, secret) => log.error(new Error(secret).stack ?? "")],
];

it.each(paths)("a secret in %s reaches neither the file nor the terminal", async (_where, write) => {
  const { log } = await open({ ...defaultConfig.logging, level: "trace" }, [canary]);
  write(log, canary);
  log.close();
  const written = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
  const all = [...written, ...told].join("");
  const forms = [canary, JSON.stringify(canary).slice(1, -1), encodeURIComponent(canary)];
  // Not the whole, and no half of it either.
  const halves = [...forms, 'can"ary', 'can\\"ary', "can%22ary", "of-the"];
  expect(halves.filter((form) => all.includes(form))).toEqual([]);
  expect(lines()).toHaveLength(1);
});

it("hides a secret that it hears of later, from the next line on", async () => {
  const { log, redactor } = await open();
  redactor.add("later", "swordfish-9");
  log.info("swordfish-9");
  expect(lines()[0]).toMatchObject({ msg: "[secret:later]" });
});

it("lets no caller write a line of another time, level or meaning, and none that fills the disk", async () => {
  const { log } = await open();
  log.warn('real"}\n{"level":"info","msg":"forged"}', { level: "info", time: "1970", msg: "forged" });
  log.info("x".repeat(1_000_000), { id: "y".repeat(1_000_000) });
  const [first, second] = lines();
  expect(lines()).toHaveLength(2);
  expect(first).toMatchObject({ level: "warn", time: "2026-01-01T12:00:00.000Z" });
  expect(first?.["msg"]).toMatch(/^real/);
  expect(JSON.stringify(second).length).toBeLessThan(10_000);
});
