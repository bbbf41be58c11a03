/**
 * What the README and the quick start tell a newcomer to type, typed literally at a terminal, in the order of the
 * page. A command without an entry here has to end with the status 0.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNewcomer, type Newcomer, type Terminal } from "./testing/newcomer.ts";
import { commandsOf } from "./testing/page-commands.ts";

/** What cannot run in a test, why, and the nearest that is typed instead. */
const instead: Record<string, { why: string; type: string; shows: string }> = {
  "git clone <the address of this repository> pincer": {
    why: "no address: this checkout is a clone",
    type: "npm pkg get name",
    shows: '"pincer"',
  },
  "cd pincer": { why: "everything is typed in this checkout", type: "pwd", shows: process.cwd() },
  "npm ci && npm start": {
    why: "npm ci would remove the modules under the tests that run beside this one",
    type: "npm start",
    shows: "/#code=",
  },
  "npm ci && npm test": {
    why: "npm test is what runs this test",
    type: "npm pkg get scripts.test",
    shows: "node scripts/run-tests.ts",
  },
  "pincer prove": {
    why: "300 runs take a minute, and prove.test.ts runs a few",
    type: "pincer prove --help",
    shows: "--sample <n>",
  },
  "pincer <command> --help": {
    why: "not a command",
    type: "pincer undo --help",
    shows: "Usage: pincer undo",
  },
  "npx pincer gateway run --port 18651": {
    why: "the port may be in use: a free one, and a home in which no gateway runs",
    type: 'PINCER_HOME="$HOME/second" npx pincer gateway run --port "$OTHER_PORT"',
    shows: "/#code=",
  },
};

let newcomer: Newcomer;
const key = "sk-ant-api03-a-key-for-this-test";
const enter = "\r";

/** What a newcomer does at each, and what the page promises of it. */
const promises: Record<string, (terminal: Terminal) => Promise<unknown>> = {
  "npm start": async (terminal) => {
    await terminal.until("Address:");
    await terminal.until(`http://localhost:${newcomer.port}/#code=`);
    expect((await fetch(`http://localhost:${newcomer.port}/`)).status).toBe(200);
  },
  "npx pincer chat": async (terminal) => {
    await terminal.until("Pincer is ready");
    terminal.keys(`hello${enter}`);
    if (newcomer.model.getRequests().length > 0) await terminal.until("Here I am.");
    else {
      await terminal.until("no model is connected");
      terminal.keys(`tool:time_now${enter}`);
      await terminal.until("UTC)");
    }
    terminal.keys("\u0004");
  },
  "pincer onboard": (terminal) => onboard(terminal, enter),
  "npx pincer onboard": async (terminal) => {
    // One up from "as it does now": as a system service, which takes over from the first terminal.
    await onboard(terminal, `\u001B[A${enter}`, "The gateway is installed and running");
  },
  "pincer onboard --yes --provider anthropic --key-env ANTHROPIC_API_KEY --name Ada --no-service": async (
    terminal,
  ) => {
    await terminal.until("the assistant is called Ada");
    await terminal.until("Here I am.");
  },
  "pincer configure model": connectModel,
  "pincer auth login anthropic": async (terminal) => {
    await terminal.until("Key for anthropic (not shown)");
    terminal.keys(`${key}${enter}`);
    await terminal.until("Stored as anthropic:default");
  },
  "pincer models test": (terminal) => terminal.until("anthropic/claude-opus-5 answered"),
  "pincer channels add telegram": async (terminal) => {
    const { telegram } = newcomer;
    await terminal.until("@BotFather");
    await terminal.until("(botToken;");
    terminal.keys(`${telegram.token}${enter}`);
    await terminal.until("https://t.me/pincer_test_bot?start=");
    await terminal.ended;
    const owner = telegram.people.person(42, "Grace");
    const [, code] = /\?start=(\S+)/.exec(terminal.screen()) ?? [];
    telegram.people.dm(owner, { text: `/start ${code}` });
    await telegram.until(() => telegram.people.seen(42).length === 1);
    telegram.people.dm(owner, { text: "are you there?" });
    await telegram.until(() => telegram.people.seen(42).some((text) => text.includes("Here I am.")));
    expect(readFileSync(join(newcomer.home, ".pincer/config.json5"), "utf8")).not.toContain(telegram.token);
  },
  "pincer gateway install": async (terminal) => {
    // In the README the first run has installed it already.
    if (!existsSync(join(newcomer.home, "unit.pid"))) {
      await terminal.until("let the service take over? [y/N]");
      terminal.keys(`y${enter}`);
    }
    await terminal.until("The gateway is installed and running");
  },
  "pincer gateway status": (terminal) => terminal.until("The gateway has been running since"),
  "pincer doctor": (terminal) => foundNothing(terminal),
  "npx pincer doctor": (terminal) => foundNothing(terminal),
  'pincer ask "The tests in ~/project fail, please fix them" --workdir ~/project': async (terminal) => {
    await terminal.until("They pass again.");
    expect(projectFile()).toBe(right);
  },
  "pincer undo": async (terminal) => {
    await terminal.until("[y/N]");
    terminal.keys(`y${enter}`);
    await terminal.ended;
    expect(projectFile()).toBe(wrong);
  },
  "pincer rules add never delete files": async (terminal) => {
    await terminal.ended;
    const listed = newcomer.type("pincer rules list");
    await listed.until("never delete files");
  },
  "pincer access code": (terminal) => terminal.until(`http://localhost:${newcomer.port}/#code=`),
  "npx pincer access code": (terminal) => terminal.until(`http://localhost:${newcomer.port}/#code=`),
  "pincer --help": (terminal) => terminal.until("doctor"),
};

/** Warnings depend on the machine. */
async function foundNothing(terminal: Terminal): Promise<void> {
  await terminal.ended;
  expect(terminal.screen()).toMatch(/All is well|No problems/);
}

async function connectModel(terminal: Terminal): Promise<void> {
  await terminal.until("Which model should answer?");
  terminal.keys(enter);
  await terminal.until("Whose key is it?");
  terminal.keys(enter);
  await terminal.until("API key of anthropic");
  terminal.keys(`${key}${enter}`);
  await terminal.until("answers");
  await terminal.until("Which model of anthropic?");
  terminal.keys(enter);
}

async function onboard(terminal: Terminal, service: string, outcome = "as it does now"): Promise<void> {
  await connectModel(terminal);
  await terminal.until("What should the assistant be called?");
  terminal.keys(`Ada${enter}`);
  await terminal.until("What should it call you?");
  terminal.keys(enter);
  await terminal.until("Connect Telegram now?");
  // It has a step of its own.
  terminal.keys("n");
  await terminal.until("How should the gateway run?");
  terminal.keys(service);
  await terminal.until(outcome);
  await terminal.until("Say something to it");
  terminal.keys(`hello${enter}`);
  await terminal.until("Here I am.");
  await terminal.until("/#code=");
  await terminal.until("All set.");
}

const wrong = "exports.add = (a, b) => a - b;\n";
const right = "exports.add = (a, b) => a + b;\n";
const projectFile = () => readFileSync(join(newcomer.home, "project/add.js"), "utf8");

async function arrive(): Promise<void> {
  newcomer = await createNewcomer();
  const { model, home } = newcomer;
  mkdirSync(join(home, "project"));
  writeFileSync(join(home, "project/add.js"), wrong);
  const fix = { path: "add.js", oldText: "a - b", newText: "a + b" };
  model.on(
    { userMessage: "The tests in ~/project fail", hasToolResult: false },
    { toolCalls: [{ name: "edit", arguments: JSON.stringify(fix) }] },
  );
  model.on({ userMessage: "The tests in ~/project fail" }, { content: "They pass again." });
  model.onMessage(/[^]*/, { content: "Here I am." });
}

const pages = ["README.md", "docs/quick-start.md"].map((page) => ({ page, commands: commandsOf(page) }));

// Elsewhere `gateway install` would reach the real service manager.
describe.skipIf(process.platform !== "linux").each(pages)("the commands of $page", ({ commands }) => {
  beforeAll(arrive);
  afterAll(() => newcomer.close());

  it.each(commands)("DOC-01 %s", async (command) => {
    const { type = command, shows } = instead[command] ?? {};
    const terminal = newcomer.type(type, { ANTHROPIC_API_KEY: type.includes("--key-env") ? key : "" });
    if (shows !== undefined && !promises[type]) await terminal.until(shows);
    await promises[type]?.(terminal);
    // It serves in its terminal until the system's service takes over.
    if (type === "npm start") return;
    if (type.includes("gateway run")) terminal.keys("\u0003");
    expect({ status: await terminal.ended, screen: terminal.screen() }).toMatchObject({ status: 0 });
  });
});

it("holds no command that is on neither page", () => {
  const typed = pages.flatMap(({ commands }) => commands).map((command) => instead[command]?.type ?? command);
  expect(Object.keys(promises).filter((command) => !typed.includes(command))).toEqual([]);
  const written = pages.flatMap(({ commands }) => commands);
  expect(Object.keys(instead).filter((command) => !written.includes(command))).toEqual([]);
});
