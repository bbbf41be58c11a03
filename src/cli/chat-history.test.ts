import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../infra/redactor.ts";
import { mostLines, openChatHistory } from "./chat-history.ts";

async function stage() {
  const root = await mkdtemp(join(tmpdir(), "pincer-history-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const redactor = createRedactor();
  const open = () => openChatHistory({ environment: { PINCER_HOME: root }, redactor });
  return { file: join(root, "chat-history.json"), redactor, open };
}

it("CLI-26 keeps the lines over runs, for their owner alone, without secrets", async () => {
  const { file, redactor, open } = await stage();
  redactor.add("key", "sk-very-secret-word");
  const history = await open();
  expect(history.lines).toEqual([]);
  history.keep(["older"]);
  history.keep(["use sk-very-secret-word", " not to be kept", "", "older", "x".repeat(3000)]);
  await history.settled();
  const { lines } = await open();
  expect(lines).toHaveLength(2);
  expect(lines[0]).not.toContain("sk-very-secret-word");
  expect(lines[1]).toBe("older");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("keeps no more than it has room for", async () => {
  const { open } = await stage();
  const history = await open();
  history.keep(Array.from({ length: mostLines + 7 }, (_, index) => `line ${index}`));
  await history.settled();
  expect((await open()).lines).toHaveLength(mostLines);
});

it.each(["{ cut", "7", '[1, "ok", null]'])("makes of a broken file what it can: %s", async (text) => {
  const { file, open } = await stage();
  await writeFile(file, text);
  expect((await open()).lines).toEqual(text.includes("ok") ? ["ok"] : []);
  expect(await readFile(file, "utf8")).toBe(text);
});
