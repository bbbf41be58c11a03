import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type Tool } from "@pincer/sdk";
import { createHandClock, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnEvent } from "../agent/turn-voice.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { createDirectAsk } from "./ask.ts";
import { questionsWithoutGateway } from "./walk-without-gateway.ts";
import { noMemory } from "../memory/following/no-memory.ts";
import { openConnectedModels } from "../agent/models/connected-models.ts";
import { openHome } from "../storage/home/open-home.ts";
import { createEngine } from "../routing/engine.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";

let home: string;
let opened: Array<() => Promise<void>> = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-ask-"));
  writeFileSync(join(home, "config.json5"), "{}", { mode: 0o600 });
});
afterEach(async () => {
  for (const close of opened) await close();
  opened = [];
  rmSync(home, { recursive: true });
});

/** A command that asks without a gateway, with a tool that needs a yes. */
async function stage(steps: ScriptedStep[], given: { deadlineMs?: number; tool?: Partial<Tool> } = {}) {
  const say = createSay("en");
  const parts = {
    environment: { PINCER_HOME: home },
    redactor: createRedactor(),
    say,
    notify: () => {},
    cwd: home,
  };
  const clock = createHandClock();
  const openedHome = await openHome(parts, {}, { clock });
  opened.push(openedHome.close);
  const config = () => openedHome.config;
  const ran: string[] = [];
  const post = defineTool({
    name: "post_letter",
    effect: "act",
    description: "Post a letter.",
    input: Type.Object({}),
    needsApproval: async () => "letters cannot be taken back",
    describe: async () => ({ shown: "Post it", exact: "it" }),
    async run() {
      ran.push("letter");
      return { text: "posted" };
    },
  });
  const engine = createEngine({
    openedHome,
    parts,
    config,
    connected: openConnectedModels({ ...parts, openedHome, config }),
    models: [createScriptedModel(steps)],
    tools: [{ ...post, ...given.tool }],
    memory: noMemory,
  });
  const ask = createDirectAsk({
    engine,
    queue: questionsWithoutGateway({
      openedHome,
      parts,
      config,
      memory: noMemory,
      effects: { snapshots: undefined },
      engine,
    }),
    turns: openedHome.stores.turns,
    deadlineMs: () => given.deadlineMs ?? 60_000,
    say,
    configured: () => undefined,
  });
  const asking = (wishes: TurnWishes, onEvent?: (event: TurnEvent) => void) =>
    ask({
      input: "post the letter",
      typed: true,
      wishes,
      signal: new AbortController().signal,
      ...(onEvent && { onEvent }),
    });
  /** Time goes by until there is an answer. */
  const waitOut = async <Answer>(answering: Promise<Answer>): Promise<Answer> => {
    const over = new AbortController();
    void answering.then(() => over.abort());
    while (!over.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1000);
    }
    return answering;
  };
  return { engine, openedHome, ran, asking, waitOut };
}

const calls: ScriptedStep = { calls: [{ name: "post_letter" }] };

describe("a question in a run without a gateway", () => {
  it("SAFE-02 is answered in place, and the call runs", async () => {
    const { engine, ran, asking } = await stage([calls, { text: "done" }]);
    const answer = await asking({ attended: "once" }, (event) => {
      if (event.type !== "approval-asked") return;
      const yes = { verdict: "approved", scope: "once", by: "cli:owner" } as const;
      void engine.approvals.answer(event.approval.id, yes);
    });
    expect(answer).toMatchObject({ result: "done", stage: "done" });
    expect(ran).toEqual(["letter"]);
  });

  it("SAFE-02 is denied after the time of the config where somebody asked once", async () => {
    const { ran, asking, waitOut } = await stage([calls, { text: "then not" }]);
    expect(await waitOut(asking({ attended: "once" }))).toMatchObject({
      result: "then not",
      toolError: { message: expect.stringContaining("Denied") },
    });
    expect(ran).toEqual([]);
  });

  it("SAFE-02 is put aside where somebody talks, and says how to go on", async () => {
    const { ran, asking, waitOut, openedHome } = await stage([calls]);
    const { result, requestId } = await waitOut(asking({ attended: "wait" }));
    const [question] = await openedHome.stores.approvals.list({ limit: 1 });
    expect(result).toContain(question?.id);
    expect(result).toContain("pincer approvals approve");
    // From now on a gateway runs it.
    expect(await openedHome.stores.turns.get(requestId)).toMatchObject({ state: "waiting", direct: false });
    expect(ran).toEqual([]);
  });
});

it("LOOP-05 a run without a gateway ends when it has worked too long, and says which limit that is", async () => {
  const hangs: Partial<Tool> = {
    run: (_input, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      ),
  };
  const tool = { ...hangs, needsApproval: async () => undefined };
  const { asking } = await stage([calls], { deadlineMs: 50, tool });
  const answer = await asking({});
  expect(answer.error).toMatchObject({ code: "tool/limit" });
  expect(answer.result).toContain("tools.limits.turnMinutes");
  expect(answer.result).toContain("/continue");
});
