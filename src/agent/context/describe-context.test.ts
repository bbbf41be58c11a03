import { createHandClock, createScriptedModel } from "@pincer/sdk/testing";
import { clean, type EntryBody } from "@pincer/sdk";
import { expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import type { PromptPart } from "../prompt/prompt.ts";
import { createIds } from "../../infra/ids.ts";
import { createSay } from "../../infra/texts.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { request, say } from "../../storage/testing/samples.ts";
import { describeRequest, type DescribedTurn } from "./describe-context.ts";

const prompt = {
  text: "You are Molly.\n\n# Time",
  parts: [
    { name: "identity", text: "You are Molly.", why: { key: "prompt.identity.built-in", parameters: {} } },
    { name: "time", text: "# Time", why: { key: "prompt.time", parameters: {} } },
  ],
} satisfies DescribedTurn["context"]["prompt"];
const noting = { name: "memory_append", description: "Keeps a note.", parameters: {} };

function contextOf(more: Partial<DescribedTurn["context"]> = {}): DescribedTurn["context"] {
  return {
    prompt,
    systemPrompt: prompt.text,
    promptLabel: clean,
    hasSessionMemory: false,
    view: {
      maxMessages: 50,
      resultChars: 10_000,
      pruning: { mode: "off", ttlMs: 0, keepLastAssistants: 3, isUntrusted: false },
      timezone: "UTC",
      limits: { contextWindow: 100_000, maxTokens: 8000 },
      reserveTokens: 20_000,
    },
    compaction: {
      enabled: true,
      thresholds: { flushAt: 76_000, compactAt: 80_000, keepTokens: 20_000 },
      by: "model",
      serially: (work) => work(),
    },
    flush: { enabled: true, lastAt: null, today: () => "2026-11-15", isWritable: async () => true },
    ...more,
  };
}

async function described(
  said: EntryBody[] | undefined,
  more: Partial<DescribedTurn> = {},
  language: "en" | "zh" = "en",
) {
  const clock = createHandClock();
  const { sessions, entries } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const session = said && (await sessions.open(request("agent:main:main"))).session;
  if (session && said) await entries.append(session.sessionId, said);
  const turn: DescribedTurn = {
    sessionKey: "agent:main:main",
    agentId: "main",
    session: session && (await sessions.get(session.sessionId)),
    model: createScriptedModel([]),
    tools: { descriptions: [noting] },
    context: contextOf(),
    ...more,
  };
  return describeRequest({ entries, say: createSay(language) }, turn);
}
const names = ({ parts }: Awaited<ReturnType<typeof described>>) =>
  parts.map(({ kind, name }) => `${kind} ${name}`);

it("tells what the request holds, part by part, which together are the whole", async () => {
  const whole = await described([say("hello"), say("hi", "assistant")]);
  expect(names(whole)).toEqual(["prompt identity", "prompt time", "tools definitions", "history history"]);
  expect(whole.parts.at(-1)).toMatchObject({ from: 2, to: 3, count: 2 });
  const sum = whole.parts.reduce((tokens, part) => tokens + part.tokens, 0);
  expect(Math.abs(whole.total - sum)).toBeLessThanOrEqual(2);
  for (const { why } of whole.parts) expect(why).not.toBe("");
});

it("tells what is to come before anything was said, and shows no tools where there are none", async () => {
  const empty = await described(undefined, { tools: { descriptions: [] } });
  expect(empty).toMatchObject({ sessionId: null, total: estimateTokens(prompt.text) });
  expect(names(empty)).toEqual(["prompt identity", "prompt time"]);
});

it("tells when notes are taken and when the session is summed up, or that they never are", async () => {
  const { window } = await described(undefined);
  expect(window).toMatchObject({ contextWindow: 100_000, flushAt: 76_000, compactAt: 80_000 });
  const context = contextOf({ compaction: { ...contextOf().compaction, enabled: false } });
  expect((await described(undefined, { context })).window.compactAt).toBeNull();
  expect((await described(undefined, { tools: { descriptions: [] } })).window.flushAt).toBeNull();
});

it("MEM-01 tells of the summary where the prompt does not have it", async () => {
  const said: EntryBody[] = [
    say("hello"),
    { type: "compaction", summary: "They met.", keepFrom: 4, trigger: "messages" },
    say("again"),
  ];
  expect(names(await described(said))).toContain("history summary");
  const context = contextOf({ hasSessionMemory: true });
  expect(names(await described(said, { context }))).not.toContain("history summary");
});

it("says in the reader's language why a part is there, and what of it was left out", async () => {
  const leftOut = ["SOUL.md", "USER.md", "TOOLS.md", "AGENTS.md"].map((name) => ({ name, reason: "is odd" }));
  const files: PromptPart = {
    name: "files",
    text: "",
    why: { key: "prompt.files", parameters: { names: "IDENTITY.md" } },
    leftOut,
  };
  const context = contextOf({ prompt: { text: "", parts: [files] } });
  const whyIn = async (language: "en" | "zh") =>
    (await described(undefined, { context }, language)).parts[0]?.why;
  expect(await whyIn("en")).toBe(
    "in the workdir: IDENTITY.md; skipped: SOUL.md (is odd), USER.md (is odd), TOOLS.md (is odd), 1 more",
  );
  expect(await whyIn("zh")).toContain("工作目录中：IDENTITY.md");
});
