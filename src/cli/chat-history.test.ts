import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../infra/redactor.ts";
import { mostLines, openChatHistory } from "./chat-history.ts";

const typed = (text: string) => ({ text, pasted: [] });

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
  history.keep(["older"], typed("older"));
  const newest = "use sk-very-secret-word";
  history.keep([newest, " not to be kept", "", "older", "x".repeat(3000)], typed(newest));
  await history.settled();
  const { lines } = await open();
  expect(lines).toHaveLength(2);
  expect(lines[0]?.text).not.toContain("sk-very-secret-word");
  expect(lines[1]).toEqual(typed("older"));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("keeps no more than it has room for", async () => {
  const { open } = await stage();
  const history = await open();
  history.keep(
    Array.from({ length: mostLines + 7 }, (_, index) => `line ${index}`),
    typed("line 0"),
  );
  await history.settled();
  expect((await open()).lines).toHaveLength(mostLines);
});

it.each(["{ cut", "7", '[1, "ok", null]'])("makes of a broken file what it can: %s", async (text) => {
  const { file, open } = await stage();
  await writeFile(file, text);
  expect((await open()).lines).toEqual(text.includes("ok") ? [typed("ok")] : []);
  expect(await readFile(file, "utf8")).toBe(text);
});

it("SEC-02 knows over runs what of a line was pasted, also where a secret was taken out before it", async () => {
  const { file, redactor, open } = await stage();
  redactor.add("key", "sk-very-secret-word");
  const history = await open();
  const long = "typed ".repeat(60);
  const line = "use sk-very-secret-word for /approve";
  history.keep([long], typed(long));
  history.keep([line, long], { text: line, pasted: [{ start: 28, end: 36 }] });
  await history.settled();
  const shown = "use [secret:key] for /approve";
  const { lines } = await open();
  expect(lines).toEqual([{ text: shown, pasted: [{ start: 21, end: 29 }] }, typed(long)]);
  // Of what an older version kept, or something else broke, nobody knows more.
  await writeFile(
    file,
    JSON.stringify([long, "one⏎two", "short", { line: "x", pasted: [[0]] }, { line: "y" }]),
  );
  expect((await open()).lines.map(({ pasted }) => pasted.length)).toEqual([1, 1, 0, 1, 1]);
});
