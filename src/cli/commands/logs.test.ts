import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import * as logs from "./logs.ts";

const line = (level: string, msg: string) =>
  `${JSON.stringify({ level, time: "2026-01-01T00:00:00.000Z", msg, runId: "r1" })}\n`;

async function homeWithLog() {
  const home = await createCommandHome();
  const directory = join(home.environment["PINCER_HOME"] ?? "", "logs");
  await mkdir(directory, { recursive: true });
  const file = join(directory, "gateway.log");
  await writeFile(file, line("info", "begun") + line("warn", "slow \u001b[2J") + line("info", "going on"));
  return { home, file };
}

it("shows the last lines, of a weight, plain or as one document", async () => {
  const { home } = await homeWithLog();
  const shown = await home.run(logs, "logs", "--lines", "2");
  expect(shown.out).not.toContain("begun");
  expect(shown.out).toContain("going on");
  expect(shown.out).not.toContain("\u001b");
  const warned = await home.run(logs, "logs", "--level", "warn", "--json");
  expect(warned.json()).toMatchObject({ lines: [{ level: "warn", fields: { runId: "r1" } }] });
  expect((await home.run(logs, "logs", "--level", "loud")).status).toBe(2);
});

it("says where a log would be when there is none", async () => {
  const home = await createCommandHome();
  const shown = await home.run(logs, "logs");
  expect(shown).toMatchObject({ status: 0, out: "" });
  expect(shown.err).toContain("gateway.log");
});

it("goes on with new lines until it is stopped", async () => {
  const { home, file } = await homeWithLog();
  const terminal = createFakeTerminal({});
  const stop = new AbortController();
  const { environment, root } = home;
  const following = runCommand(logs, ["logs", "--follow", "--lines", "1"], {
    environment,
    cwd: root,
    terminal,
    signal: stop.signal,
  });
  await expect.poll(() => terminal.written()).toContain("going on");
  await appendFile(file, line("error", "a new one"));
  await expect.poll(() => terminal.written()).toContain("a new one");
  stop.abort();
  expect((await following).status).toBe(0);
});
