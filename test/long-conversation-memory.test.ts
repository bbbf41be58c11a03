/** What a session with memory keeps of a long conversation, and what the first question costs. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "@pincer/sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApp } from "../src/app/create-app.ts";
import { openHome } from "../src/storage/home/open-home.ts";
import type { AskAnswer } from "../src/routing/ask-turn.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";
import type { SessionRecord } from "../src/storage/stores.ts";
import { startProvider } from "./long-conversation-server.ts";
import { checkDatabase, expectQuestionsAnswered, readTranscripts } from "./many-asks.ts";
import { makeHome, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

const parts = () => ({
  environment: { PINCER_HOME: home.path },
  redactor: createRedactor(),
  say: createSay("en"),
  notify: () => {},
  cwd: home.path,
});
const question = (number: number) => `question ${number} of twenty-six`;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** By the command itself. */
async function askByCommand(number: number): Promise<AskAnswer> {
  const args = ["ask", "--json", "--memory", "--session", "long", question(number)];
  const { status, out, err } = await home.run(args);
  expect({ number, status, err }).toEqual({ number, status: 0, err: "" });
  return JSON.parse(out) as AskAnswer;
}

/** The same without a process for each. */
async function askHere(asked: number[]): Promise<AskAnswer[]> {
  const app = await createApp(parts(), {});
  const answers: AskAnswer[] = [];
  const { signal } = new AbortController();
  for (const number of asked)
    answers.push(
      await app.ask({
        input: question(number),
        sessionKey: "long",
        wishes: { memory: true },
        typed: true,
        signal,
      }),
    );
  await app.close();
  return answers;
}

async function session(): Promise<SessionRecord | undefined> {
  const openedHome = await openHome(parts(), {});
  const { sessions } = await openedHome.stores.sessions.list({ limit: 2 });
  await openedHome.close();
  expect(sessions).toHaveLength(1);
  return sessions[0];
}

const sectionsOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("## "))
    : [];

it("COMP-01 MEM-01 keeps 26 asks with memory: summed up twice, no message twice, and all of them in the transcript", async () => {
  const first = await askByCommand(1);
  expect(first).toMatchObject({ memoryEnabled: true, memoryUpdated: false });
  const file = first.memoryFile ?? "";
  expect(file.startsWith(join(home.path, "memory"))).toBe(true);
  const upTo12 = await askHere(numbers(2, 12));
  expect(upTo12.map(({ memoryUpdated }) => memoryUpdated)).toEqual(upTo12.map(() => false));
  expect([sectionsOf(file).length, (await session())?.compactedMessageCount]).toEqual([0, 0]);

  expect(await askByCommand(13)).toMatchObject({ memoryUpdated: true, memoryFile: file });
  expect([sectionsOf(file).length, (await session())?.compactedMessageCount]).toEqual([1, 14]);

  const upTo25 = await askHere(numbers(14, 25));
  expect(upTo25.flatMap(({ memoryUpdated }, index) => (memoryUpdated ? [14 + index] : []))).toEqual([20]);
  expect(await askByCommand(26)).toMatchObject({ memoryUpdated: false, memoryFile: file });
  expect(await session()).toMatchObject({ compactedMessageCount: 28, compactionCount: 2, messageCount: 52 });

  expect(sectionsOf(file).map((line) => line.replace(/^.*UTC, /, ""))).toEqual([
    "14 messages [of the owner's words]",
    "14 messages [of the owner's words]",
  ]);
  const memory = readFileSync(file, "utf8");
  expect(new Set(memory.match(/<!-- pincer:summary \S+ -->/g)).size).toBe(2);
  expect(memory).toContain(question(1));
  expect(memory).toContain(question(14));
  expect(memory).not.toContain(question(15));

  const transcripts = await readTranscripts(home);
  const entries = transcripts.get("agent:main:named:long") ?? [];
  expectQuestionsAnswered(entries, numbers(1, 26).map(question));
  const compactions = entries.filter((entry) => entry.type === "compaction");
  const said = entries.filter((entry) => entry.type === "message");
  const kept = compactions.map(({ keepFrom }) => said.find(({ seq }) => seq === keepFrom)?.message);
  expect(kept.map((message) => message && textOf(message))).toEqual([question(8), question(15)]);
  checkDatabase(home);
});

it('asks "hello" in a new workdir with no more than 2,500 tokens of request', async () => {
  const provider = await startProvider({ reply: () => ({ text: "Hello." }) });
  try {
    const fake = { baseUrl: provider.baseUrl, apiKey: "sk-fake-1234567890", models: [{ id: "m" }] };
    const config = {
      models: { providers: { fake } },
      agents: { defaults: { model: { primary: "fake/m" } } },
    };
    writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
    const { status, out, err } = await home.run(["ask", "hello"]);
    expect({ status, out: out.trim(), err }).toEqual({ status: 0, out: "Hello.", err: "" });
    expect(provider.seen).toHaveLength(1);
    const [asked] = provider.seen;
    expect(asked?.request.tools?.map((tool) => tool.function.name)).toContain("memory_append");
    expect((asked?.bytes ?? Infinity) / 4).toBeLessThanOrEqual(2500);
  } finally {
    await provider.close();
  }
});
