/** What becomes of a conversation that grows too long, as the chat, the model and the transcript see it. */
import { noUsage, textOf, type Entry, type Message, type Model } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTalkStage, type Speaker, type TalkStage } from "./testing/talk-stage.ts";

const long = (word: string) => `${word} `.repeat(300).trim();

async function transcript({ home }: TalkStage): Promise<Entry[]> {
  const folder = join(home, "agents/main/sessions");
  const [file = ""] = await readdir(folder);
  const lines = (await readFile(join(folder, file), "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

const call = (name: string, given: Record<string, unknown>): ScriptedStep => ({
  calls: [{ name, arguments: given }],
});
/** A turn that fails nine times, reads a file and writes another, and two turns after it; then come the summaries. */
const work: ScriptedStep[] = [
  ...Array.from({ length: 9 }, (_, index) => call("read", { path: `nowhere-${index}.txt` })),
  call("read", { path: "list.txt" }),
  call("read", { path: "both.txt" }),
  call("write", { path: "both.txt", content: "x" }),
  { text: long("done") },
  { text: long("fine") },
  { text: long("good") },
];

async function workAndCompact(speaker: Speaker, ...summaries: ScriptedStep[]) {
  const files = { "workspace/list.txt": "milk", "workspace/both.txt": "b" };
  const stage = await openTalkStage({ steps: [...work, ...summaries], files });
  for (const word of ["first", "second", "third"]) await stage.say(long(word), speaker);
  const said = await stage.say("/compact");
  const entry = (await transcript(stage)).find(({ type }) => type === "compaction");
  if (entry?.type !== "compaction") throw new Error("no summary was made");
  return { stage, said, entry };
}

/** The owner types nothing: then earlier turns are shown as they are. */
const passing: Speaker = { forwarded: true };

it("SESS-05 COMP-10 COMP-11 COMP-14 COMP-16 a summary is its text, at most eight failures, and the files, in an entry of the transcript", async () => {
  const { stage, said, entry } = await workAndCompact(passing, { text: "They looked for files." });
  expect(said[0]).toContain("Summarised");
  const [text = "", rest = ""] = entry.summary.split("\n\n## Tool Failures\n");
  expect(text).toMatch(/^They looked for files\./);
  const failures = rest.split("\n").filter((line) => line.startsWith("- "));
  expect(failures).toHaveLength(8);
  expect(failures[0]).toMatch(/^- read \(status=error\): .*nowhere-1\.txt/);
  expect(rest).toContain(
    "<read-files>\nlist.txt\n</read-files>\n\n<modified-files>\nboth.txt\n</modified-files>",
  );
  expect(entry).toMatchObject({ readFiles: ["list.txt"], modifiedFiles: ["both.txt"], trigger: "manual" });
  expect(entry.keepFrom).toBeGreaterThan(2);
  expect((await transcript(stage))[0]).toMatchObject({
    type: "session",
    id: expect.stringMatching(/^s_/),
    cwd: expect.any(String),
  });
  // What it stands for is not shown any more, and is still there.
  await stage.say("and now?", passing);
  const shown = (stage.model.requests.at(-1)?.messages ?? []).map((message) => textOf(message as Message));
  expect(shown[0]).toContain("They looked for files.");
  expect(shown.some((each) => each === long("first"))).toBe(false);
  expect(JSON.stringify(await transcript(stage))).toContain(long("first"));
});

it("COMP-10 COMP-16 a summary of the owner's turns is made of their words and of handles, and is nobody else's", async () => {
  const { stage, entry } = await workAndCompact({}, { text: "They wanted files, see #24." });
  expect(entry).toMatchObject({ label: { untrusted: false }, readFiles: [], modifiedFiles: [] });
  expect(entry.summary).not.toMatch(/nowhere|both\.txt|Tool Failures/);
  // In several requests where it is long.
  const asked = JSON.stringify(stage.model.requests.filter(({ tools }) => tools.length === 0));
  expect(asked).toMatch(/#2 user: first[^]*assistant: \[#\d+ answer, \d+ characters[^]*result of read/);
  expect(asked).not.toMatch(/nowhere|both\.txt|milk/);
});

it("COMP-15 where none can be made, it says so, and failures and files follow all the same", async () => {
  const { entry } = await workAndCompact(passing, {
    error: "the context is too long",
    code: "context_overflow",
  });
  expect(entry.summary).toMatch(
    /^Summary unavailable due to context limits\. Older messages were truncated\.[\s\S]*## Tool Failures[\s\S]*<read-files>/,
  );
});

/** A model with a small window: it tells what it read, writes notes when it is asked to, and sums up. */
function createSmallModel(notes: string) {
  const asked: Array<{ kind: "turn" | "notes" | "summary"; tokens: number; shown: string }> = [];
  const model: Model = {
    provider: "small",
    id: "small",
    limits: { contextWindow: 60_000, maxTokens: 1000 },
    async *stream({ systemPrompt, messages, tools }) {
      const shown = messages.map(textOf).join("\n");
      const last = messages.at(-1);
      const kind = systemPrompt.startsWith("Sum up")
        ? "summary"
        : last && textOf(last).includes("Write durable notes")
          ? "notes"
          : "turn";
      const tokens = Math.ceil(JSON.stringify([systemPrompt, messages, tools]).length / 4);
      asked.push({ kind, tokens, shown });
      const text = { turn: "Very well.", notes, summary: "They talked about much." }[kind];
      yield { type: "text-delta", text };
      const usage = { ...noUsage(), input: tokens, output: 10, total: tokens + 10 };
      const content = [{ type: "text" as const, text }];
      const message = { role: "assistant" as const, provider: "small", model: "small", usage, content };
      yield { type: "end", message: { ...message, stopReason: "stop" } };
    },
  };
  return { model, asked };
}

it("SESS-14 COMP-02 COMP-20 COMP-22 before the window overflows notes are taken, of which the chat sees nothing, and then it is summed up", async () => {
  const { model, asked } = createSmallModel("I noted that you like tea.");
  const stage = await openTalkStage({ extras: { models: [model] } });
  const sent: string[] = [];
  for (let turn = 0; turn < 14; turn++) sent.push(...(await stage.say(`${turn} ${"word ".repeat(4000)}`)));
  expect(sent).toEqual(Array.from({ length: 14 }, () => "Very well."));
  const kinds = asked.map(({ kind }) => kind);
  const [notes, summary] = [kinds.indexOf("notes"), kinds.indexOf("summary")];
  expect(notes).toBeGreaterThan(0);
  expect(summary).toBeGreaterThan(notes);
  // 60000 - 20000 - 4000, and not a turn earlier; once until it is summed up.
  expect(asked[notes]?.tokens).toBeGreaterThan(36_000);
  expect(asked[notes - 2]?.tokens).toBeLessThan(36_000);
  expect(kinds.slice(0, summary).filter((kind) => kind === "notes")).toHaveLength(1);
  expect(Math.max(...asked.map(({ tokens }) => tokens))).toBeLessThan(60_000);
  const next = asked.slice(summary).find(({ kind }) => kind === "turn");
  expect(next?.shown).toContain("They talked about much.");
  const compaction = (await transcript(stage)).find(({ type }) => type === "compaction");
  expect(compaction).toMatchObject({ trigger: "tokens" });
});

it("COMP-20 no notes are taken where the config says so", async () => {
  const { model, asked } = createSmallModel("I noted that you like tea.");
  const stage = await openTalkStage({
    extras: { models: [model] },
    config: { agents: { defaults: { compaction: { memoryFlush: { enabled: false } } } } },
  });
  for (let turn = 0; turn < 9; turn++) await stage.say(`${turn} ${"word ".repeat(4000)}`);
  expect(asked.map(({ kind }) => kind)).toContain("summary");
  expect(asked.map(({ kind }) => kind)).not.toContain("notes");
});
