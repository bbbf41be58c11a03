import { execFileSync } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EmbedderError, type Embedder } from "./embedder.ts";
import { createLocalEmbedder } from "./local-embedder.ts";
import { localPackage, localWordsFile } from "./local-package.ts";
import { fewWords, writeWordsPackage } from "./testing/words-package.ts";

const going = new AbortController().signal;
const idleMs = 60_000;
let directory: string;
let clock: ReturnType<typeof createHandClock>;
let embedder: Embedder;

beforeEach(async () => {
  directory = await fs.mkdtemp(join(os.tmpdir(), "pincer-embedder-"));
  clock = createHandClock();
  embedder = createLocalEmbedder({ type: "local", directory, idleMs }, { clock });
});

afterEach(async () => {
  await embedder.close();
  await fs.rm(directory, { recursive: true, force: true });
});

const embed = (texts: string[], signal = going) => embedder.embed(texts, "document", signal);
const likeness = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
  a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);

/** The ids of the processes that read words in this directory. */
function processes(): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).split("\n");
  const ours = lines.filter((line) => line.includes(directory) && !/^\s*\d+\s+\d+\s+Z/.test(line));
  return ours.map((line) => Number.parseInt(line, 10));
}

function theProcess(): number {
  const [id, ...others] = processes();
  if (!id || others.length > 0) throw new Error("there is not one process");
  return id;
}

async function failureOf(asked: Promise<unknown>): Promise<EmbedderError> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EmbedderError);
  return error as EmbedderError;
}

it("MEM-07 puts texts near to one another that mean the like", async () => {
  await writeWordsPackage(directory);
  const [dog, puppy, market, unknown] = await embed(["The dog!", "a PUPPY", "the market", "字"]);
  expect(likeness(dog, puppy)).toBeGreaterThan(0.9);
  expect(likeness(dog, market)).toBeLessThan(0.6);
  expect(likeness(dog, dog)).toBeCloseTo(1, 5);
  expect([...(unknown ?? [])]).toEqual([0, 0, 0]);
});

it("knows every word of the package, whatever is in it, from the package and from what was kept of it", async () => {
  await writeWordsPackage(directory);
  const texts = ["2026", "café", "dog"];
  const first = await embed(texts);
  await embedder.close();
  expect(await fs.readdir(directory)).toEqual(["node_modules", "words-100000.bin"]);

  // It is there, and nothing of it is read any more.
  await fs.truncate(localWordsFile(directory));
  embedder = createLocalEmbedder({ type: "local", directory, idleMs }, { clock });
  const again = await embed(texts);
  for (const [index, text] of texts.entries()) {
    const numbers = Float32Array.from(fewWords[text] ?? []);
    expect(likeness(first[index], numbers)).toBeCloseTo(Math.hypot(...numbers), 1);
    expect(again[index]).toEqual(first[index]);
  }
});

it("reads the package again where what was kept of it is not whole", async () => {
  await writeWordsPackage(directory);
  const [whole] = await embed(["dog"]);
  await embedder.close();
  const kept = join(directory, "words-100000.bin");
  await fs.truncate(kept, (await fs.stat(kept)).size - 5);
  embedder = createLocalEmbedder({ type: "local", directory, idleMs }, { clock });
  expect((await embed(["dog"]))[0]).toEqual(whole);
});

it("starts no process before the first text, and ends it when nobody has asked for a while", async () => {
  await writeWordsPackage(directory);
  expect(processes()).toHaveLength(0);
  await embed(["dog"]);
  const [started] = processes();
  await clock.advance(idleMs - 1);
  await embed(["dog"]);
  await clock.advance(idleMs - 1);
  expect(processes()).toEqual([started]);
  await clock.advance(1);
  await expect.poll(processes).toEqual([]);
  expect(await embed(["dog"])).toHaveLength(1);
});

it("answers those who ask at once, each with their own", async () => {
  await writeWordsPackage(directory);
  const [[dog], [market], both] = await Promise.all([
    embed(["dog"]),
    embed(["market"]),
    embed(["market", "dog"]),
  ]);
  expect(both).toEqual([market, dog]);
  expect(processes()).toHaveLength(1);
});

it("is started once more where it is killed in the middle of a batch, and nobody notices", async () => {
  await writeWordsPackage(directory);
  await embed(["dog"]);
  const started = theProcess();
  // Stopped, it takes the question and never answers it.
  process.kill(started, "SIGSTOP");
  const asked = embed(["puppy", "market"]);
  process.kill(started, "SIGKILL");
  expect(await asked).toHaveLength(2);
  expect(processes()).not.toContain(started);
});

it("says so where it ends a second time", async () => {
  await writeWordsPackage(directory);
  await fs.rm(localWordsFile(directory));
  // Nobody writes into it: a reader waits until it is killed.
  execFileSync("mkfifo", [localWordsFile(directory)]);
  const asked = failureOf(embed(["puppy"]));
  let killed: number | undefined;
  for (const _ of ["first", "second"]) {
    await expect.poll(() => processes().find((id) => id !== killed)).toBeGreaterThan(1);
    killed = theProcess();
    process.kill(killed, "SIGKILL");
  }
  expect(await asked).toMatchObject({ retryable: true, text: { key: "embedder.local.failed" } });
});

it("says how to install it where it is missing", async () => {
  const error = await failureOf(embed(["dog"]));
  expect(error.retryable).toBe(false);
  expect(error.message).toContain(localPackage.installCommand(directory));
  expect(localPackage.installedIn(directory)).toBe(false);
  expect(processes()).toHaveLength(0);
});

it.each([
  ["no words", "{}"],
  ["a part of them", '{"size":2,"dimensions":3,"words":["a","b"],"vectors":{"a":[1,2,3,1,0],"b":[1,'],
])("says so where the package holds %s", async (_, content) => {
  await writeWordsPackage(directory);
  await fs.writeFile(localWordsFile(directory), content);
  const error = await failureOf(embed(["dog"]));
  expect(error).toMatchObject({ retryable: false, text: { key: "embedder.local.unreadable" } });
  expect(await fs.readdir(directory)).toEqual(["node_modules"]);
});

it("tells those who stop waiting their own reason, and goes on for others", async () => {
  await writeWordsPackage(directory);
  const control = new AbortController();
  const reason = new Error("taken back");
  const asked = embed(["dog"], control.signal);
  control.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await expect(embed(["dog"], control.signal)).rejects.toBe(reason);
  expect(await embed(["dog"])).toHaveLength(1);
});

it("tells those who wait when it is closed, and starts nothing again for them", async () => {
  await writeWordsPackage(directory);
  const asked = failureOf(embed(["dog"]));
  await embedder.close();
  await asked;
  await embedder.close();
  expect(processes()).toEqual([]);
});

it("ends with the process that started it", async () => {
  await writeWordsPackage(directory);
  const door = JSON.stringify(new URL("local-embedder.ts", import.meta.url).href);
  const spec = JSON.stringify({ type: "local", directory, idleMs });
  const program = `const { createLocalEmbedder } = await import(${door});
    await createLocalEmbedder(${spec}).embed(["dog"], "query", new AbortController().signal);
    process.kill(process.pid, "SIGKILL");`;
  expect(() =>
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" }),
  ).toThrow("Command failed");
  await expect.poll(processes).toEqual([]);
});

it.skipIf(process.platform !== "linux")("hands none of our environment to the process", async () => {
  await writeWordsPackage(directory);
  await embed(["dog"]);
  const [started] = processes();
  expect(await fs.readFile(`/proc/${started}/environ`, "utf8")).toBe("");
});

it("takes English alone, which is written in Latin letters", () => {
  const accepted = ["The dog barks", "café at 9", "我用 TypeScript"].map((text) => embedder.accepts?.(text));
  const refused = ["我喜欢吃苹果", "Привет", "2026-11-15", "", "用 vim 写代码"].map((text) =>
    embedder.accepts?.(text),
  );
  expect([...accepted, ...refused]).toEqual([true, true, true, false, false, false, false, false]);
});
