/**
 * The tour: one message walks the staircase, from the words someone typed to the words they get back.
 * Read it top to bottom; each step names the folder it happens in.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "@pincer/sdk";
import { createHandClock, createScriptedModel } from "@pincer/sdk/testing";
import { afterAll, expect, it } from "vitest";
import { answerInSession } from "../src/agent/answer-in-session.ts";
import { createBuiltInTools } from "../src/app/built-in-tools.ts";
import { gateTools } from "../src/app/gated-tools.ts";
import { createIds } from "../src/infra/ids.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { routeMessage } from "../src/routing/route-message.ts";
import { createMemoryStores } from "../src/storage/memory-stores.ts";
import { createProcessLiveness } from "../src/storage/process-liveness.ts";
import { createSessionLeases } from "../src/storage/session-lease.ts";
import { createTranscriptMirror } from "../src/storage/transcript/transcript-mirror.ts";
import { createToolExecutor } from "../src/tools/tool-executor.ts";

const place = mkdtempSync(join(tmpdir(), "pincer-tour-"));
afterAll(() => rmSync(place, { recursive: true }));

it("ARCH-03 ARCH-04 walks one message down the staircase and its answer back up", async () => {
  // infra: time and ids are handed in, so that the walk is the same every time.
  const clock = createHandClock();
  const ids = createIds(clock.now);

  // storage: one truth, reached through the tenant it belongs to.
  const stores = createMemoryStores({ clock, ids }).tenant("t_default");
  const liveness = createProcessLiveness();
  const leases = createSessionLeases({
    leases: stores.leases,
    clock,
    holder: liveness.self("tour"),
    ...liveness,
  });
  const transcripts = createTranscriptMirror({
    sessionFile: (agentId, sessionId) => join(place, `${agentId}-${sessionId}.jsonl`),
    entries: stores.entries,
    markMirrored: stores.sessions.markMirrored,
  });

  // routing: who is asking, and which session answers.
  const facts = { tenantId: "t_default", workspaceId: "w_default", defaultAgentId: "main", agentIds: [] };
  const route = routeMessage({ sessionKey: "groceries" }, facts);
  expect(route).toMatchObject({
    agentId: "main",
    sessionKey: "agent:main:named:groceries",
    rule: "explicit-key",
  });

  // models: this one looks at the shopping list before it answers.
  const model = createScriptedModel([
    { calls: [{ name: "read", arguments: { path: "list.txt" } }] },
    { text: "You need milk." },
  ]);

  // tools, behind policy: the workdir and nothing else, and only what this run allows.
  writeFileSync(join(place, "list.txt"), "milk");
  const tools = createBuiltInTools({ clock, workdir: place, homeRoot: join(place, "home") });
  const rules = [{ type: "only" as const, source: "this run", names: ["read"] }];
  const gate = gateTools({ tools, executor: createToolExecutor({ tools, clock }) }, rules, route.sessionKey);
  expect(gate.descriptions.map((tool) => tool.name)).toEqual(["read"]);

  // agent: one turn, in the session's lease.
  const { session, outcome } = await answerInSession(
    { stores, leases, mirror: transcripts.complete, redactor: createRedactor() },
    {
      open: { ...route, workspaceId: "w_default", origin: { channel: "cli" }, cwd: place },
      fresh: false,
      memory: undefined,
      runId: "r_tour",
      turn: {
        input: "What do I need?",
        systemPrompt: "Be brief.",
        maxSteps: 3,
        maxContextMessages: 50,
        signal: new AbortController().signal,
      },
      parts: {
        model,
        tools: gate,
        texts: { stepLimit: String, modelFailed: (reason) => reason, aborted: () => "stopped" },
      },
    },
  );

  // The answer comes back up…
  expect(outcome).toMatchObject({ ending: { type: "answered" }, text: "You need milk." });

  // …and everything that was said and done stays: in the store,
  const entries = await stores.entries.recent(session.sessionId, 10);
  const said = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  expect(said.map((message) => message.role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
  expect(said.map(textOf)).toEqual(["What do I need?", "", "milk", "You need milk."]);

  // and in a file that people can read.
  const lines = readFileSync(join(place, `main-${session.sessionId}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    "session",
    "message",
    "message",
    "message",
    "message",
  ]);
});
