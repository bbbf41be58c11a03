/** What a session keeps of turns that read texts of others: the labels of answers, summaries, notes. */
import { textOf, type Entry, type Message } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { ContextSetup } from "./context-setup.ts";
import { admitting } from "./testing/admitting.ts";
import { plainContext } from "./testing/plain-context.ts";
import { createRunnerStage } from "./testing/runner-stage.ts";
import { createTurnRunner } from "./turn-runner.ts";

const secret = "the gate code is 4711";
const look: ScriptedStep = { calls: [{ name: "look", arguments: {} }] };
const told: ScriptedStep = { text: `It says ${secret}.` };
const sources = ["file:codes.md"];
const summedUp = "They talked about gates.";

/** `view.handles` as in the owner's turns; a small window, where `narrow`. */
function stageOf(steps: ScriptedStep[], change: Partial<ContextSetup> = {}) {
  const stage = createRunnerStage(steps);
  const plain = plainContext();
  stage.setup.context = {
    ...plain,
    promptLabel: { untrusted: false, sources: ["memory"] },
    ...change,
    view: {
      ...plain.view,
      ...change.view,
      handles: { tools: new Set(["look"]), contacts: [], isOwners: true, isGroup: false, hides: "others" },
    },
  };
  stage.setup.tools = {
    ...stage.setup.tools,
    descriptions: ["look", "memory_append"].map((name) => ({ name, description: "", parameters: {} })),
    admit: admitting(async ({ name }) => ({
      ok: true,
      content: [{ type: "text", text: name === "look" ? `${secret} ${"word ".repeat(800)}` : "noted" }],
      origin: "file",
      from: "codes.md",
      usage: { durationMs: 0 },
    })),
  };
  const run = createTurnRunner(stage.parts);
  const say = async (text: string) => {
    const turn = await stage.queue(text);
    await run(turn, stage.never);
    return stage.said(turn.turnId);
  };
  const sumUp = async () => {
    stage.setup.compact = {};
    await run(await stage.queue("/compact", { options: { compact: {} } }), stage.never);
  };
  const entries = async (): Promise<Entry[]> => {
    const [session] = (await stage.stores.sessions.list({ limit: 1 })).sessions;
    return stage.stores.entries.recent(session?.sessionId ?? "", 1000);
  };
  return { ...stage, say, sumUp, entries };
}

const narrow = (thresholds: ContextSetup["compaction"]["thresholds"]): Partial<ContextSetup> => ({
  view: { ...plainContext().view, limits: { contextWindow: 8000, maxTokens: 1000 } },
  compaction: { ...plainContext().compaction, thresholds },
});
const summaryIn = (entries: readonly Entry[]) => entries.find((entry) => entry.type === "compaction");
const isSummaryRequest = ({ systemPrompt }: { systemPrompt: string }) => systemPrompt.startsWith("Sum up");
const plainly = "Please add flour, sugar, eggs and milk to my shopping list";

describe("an answer", () => {
  it("is stored with the label of all that its request showed, that of the prompt too", async () => {
    const { say } = stageOf([look, told, { text: "Added." }]);
    const labels = (said: readonly Message[]) =>
      said.flatMap((message) => (message.role === "assistant" ? [message.label] : []));
    expect(labels(await say("what is the code?"))).toEqual([
      { untrusted: false, sources: ["memory"] },
      { untrusted: true, sources: [...sources, "memory"] },
    ]);
    expect(labels(await say(plainly))).toEqual([{ untrusted: false, sources: ["memory"] }]);
  });

  it("has it also where the turn was stopped by a limit, and where the model failed", async () => {
    const again = { calls: [{ name: "look", arguments: { again: true } }] };
    const circle = stageOf([look, look, look, look, again]);
    expect((await circle.say("look")).at(-1)).toMatchObject({ label: { untrusted: true } });
    const failing = stageOf([look, { error: "down", code: "unavailable" }]);
    expect((await failing.say("look")).at(-1)).toMatchObject({ label: { untrusted: true } });
  });
});

describe("a summary", () => {
  it("of earlier turns is made of handles and the owner's words, and is clean", async () => {
    const { say, sumUp, entries, model } = stageOf([look, told, { text: "Hello." }, { text: summedUp }]);
    await say("what is the code?");
    await say(`hello ${"there ".repeat(20)}`);
    await sumUp();
    const summary = summaryIn(await entries());
    expect(summary).toMatchObject({ label: { untrusted: false, sources: [] } });
    expect(summary).not.toHaveProperty("later");
    const asked = JSON.stringify(model.requests.filter(isSummaryRequest));
    expect(asked).toContain("what is the code?");
    expect(asked).toMatch(/#5 answer, \d+ characters/);
    expect(asked).not.toContain("4711");
  });

  it("of the present turn has its label, and later turns see a handle and the owner's words instead", async () => {
    const { say, entries, model } = stageOf(
      [
        { text: "Hello." },
        look,
        look,
        { text: summedUp },
        { text: `${secret}, they said.` },
        told,
        { text: "Added." },
      ],
      narrow({ flushAt: 90_000, compactAt: 1600, keepTokens: 400 }),
    );
    await say(`hello ${"there ".repeat(50)}`);
    await say("what is the code?");
    const summary = summaryIn(await entries());
    expect(summary).toMatchObject({ label: { untrusted: true, sources: [...sources, "memory"] } });
    expect(summary?.later).toContain("what is the code?");
    expect(summary?.later).not.toContain("4711");
    const whole = model.requests.at(-1)?.messages ?? [];
    expect(textOf(whole[0] as Message)).toContain("they said");
    await say(plainly);
    const [first] = (model.requests.at(-1)?.messages ?? []) as Message[];
    expect(textOf(first as Message)).toMatch(/> #\d+: what is the code\?[^]*\[#\d+ summary, \d+ characters/);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toMatch(/4711|they said/);
  });

  it("takes nothing over from one that texts of others are in", async () => {
    const { say, sumUp, entries, model, stores } = stageOf([
      { text: "Hello." },
      { text: "Hi." },
      { text: summedUp },
    ]);
    await say("hello");
    await say(`hello ${"there ".repeat(20)}`);
    const [session] = (await stores.sessions.list({ limit: 1 })).sessions;
    await stores.entries.append(session?.sessionId ?? "", [
      {
        type: "compaction",
        summary: secret,
        keepFrom: 2,
        label: { untrusted: true, sources },
        later: "You asked about gates.",
        readFiles: ["codes.md"],
      },
    ]);
    await sumUp();
    const asked = JSON.stringify(model.requests.filter(isSummaryRequest));
    expect(asked).toContain("You asked about gates.");
    expect(asked).not.toContain("4711");
    const last = (await entries()).findLast((entry) => entry.type === "compaction");
    expect(last).toMatchObject({ label: { untrusted: false }, readFiles: [] });
  });

  it("that ends a turn of a session with memory is made as later turns see it", async () => {
    const messages = { over: 3, keep: 2 };
    const { say, entries, model } = stageOf([{ text: "Hello." }, look, told, { text: summedUp }], {
      compaction: { ...plainContext().compaction, messages },
    });
    await say("hello");
    await say("what is the code?");
    expect(summaryIn(await entries())).toMatchObject({ trigger: "messages", label: { untrusted: false } });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain("4711");
  });
});

describe("notes before a summary", () => {
  const noting = {
    ...narrow({ flushAt: 300, compactAt: 7000, keepTokens: 100 }),
    flush: { ...plainContext().flush, enabled: true },
  };

  it("are made of the owner's words and of answers that nobody else wrote in", async () => {
    const { say, model } = stageOf([look, { text: "NO_REPLY" }, told], noting);
    await say("what is the code?");
    const asked = model.requests.find(({ messages }) =>
      JSON.stringify(messages).includes("Write durable notes"),
    );
    expect(JSON.stringify(asked?.messages)).toContain("what is the code?");
    expect(JSON.stringify(asked?.messages)).not.toContain("4711");
  });

  it("begin with the request of the turn where nothing else is in it", async () => {
    const { say, model } = stageOf([{ text: "NO_REPLY" }, { text: "Hello." }], {
      ...noting,
      ...narrow({ flushAt: 30, compactAt: 7000, keepTokens: 100 }),
    });
    await say(`hello ${"there ".repeat(40)}`);
    const [notes, turn] = model.requests;
    expect(notes?.messages.slice(0, -1)).toEqual(turn?.messages);
  });
});
