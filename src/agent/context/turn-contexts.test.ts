import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Destination, Origin } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteTool } from "../take-notes.ts";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createIds } from "../../infra/ids.ts";
import { createSessionMemory } from "../../storage/sessions/session-memory.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import { request } from "../../storage/testing/samples.ts";
import { createAgentRegistry } from "../agents/agent-registry.ts";
import { gateTools } from "../../gate/gated-tools.ts";
import { createTurnContexts, type Conversation, type ShownTurn } from "./turn-contexts.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-contexts-"));
  await mkdir(join(root, "workdir"));
});
afterEach(() => rm(root, { recursive: true }));

const owner = { role: "owner", id: "telegram:1" } as const;
const stranger = { role: "peer", id: "telegram:42" } as const;
const pincer = { role: "system", id: "system:tool:exec" } as const;
const chat = (peerId: string, peerKind: Destination["target"]["peerKind"] = "user"): Destination => ({
  channel: "telegram",
  accountId: "default",
  target: { peerKind, peerId },
});

function stage(change: (config: Config) => void = () => {}) {
  const config = structuredClone(defaultConfig);
  change(config);
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  let isComplete = true;
  let newestChars = 0;
  const asked: string[] = [];
  const tell = async (verb: string, { memoryEnabled }: SessionRecord) => {
    asked.push(verb);
    return memoryEnabled && isComplete ? { newestChars } : undefined;
  };
  const sessionMemory = createSessionMemory({ directory: join(root, "memory") });
  const contexts = createTurnContexts({
    config: () => config,
    rules: stores.rules,
    sessionMemory,
    clock,
    failures: { isResting: () => false, failed: () => {} },
    summaries: { complete: (session) => tell("complete", session), look: (session) => tell("look", session) },
  });
  const agents = createAgentRegistry({
    config: () => config,
    clock,
    environment: {},
    home: { root: join(root, "home") },
    cwd: root,
    extraTools: [],
  });
  const bound = agents.get("main").toolsIn(join(root, "workdir"));
  const where = (more: Partial<Conversation>): Conversation => ({
    agent: agents.get("main"),
    sessionKey: "agent:main:main",
    destination: null,
    channel: "cli",
    person: owner,
    wishes: {},
    ...more,
  });
  return {
    ...stores,
    clock,
    asked,
    cannotWrite: () => void (isComplete = false),
    async sumUp(summary: string, strangers: Origin[] = []) {
      newestChars = summary.length + 80;
      const place = { sessionId: "s_1", seq: 9, time: "2026-11-15T11:00:00.000Z", count: 2 };
      const { session } = await stores.sessions.open(request("agent:main:main"));
      await sessionMemory.record(session, [{ ...place, summary, strangers }]);
    },
    async session(memory: boolean) {
      const { session } = await stores.sessions.open(request("agent:main:main"));
      await stores.sessions.switchMemory(session.sessionId, memory);
      return stores.sessions.get(session.sessionId);
    },
    gate: (more: Partial<Conversation> = {}) => contexts.gateFor(where(more)),
    async call(tool: string, args: Record<string, unknown>, more: Partial<Conversation>) {
      const gate = await contexts.gateFor(where(more));
      const gated = gateTools(bound, gate.rules, { sessionKey: "s", visibility: gate.place });
      const block = { type: "toolCall", id: "c", name: tool, arguments: args } as const;
      return gated.call(block, new AbortController().signal);
    },
    async shows(tool: string, more: Partial<Conversation>) {
      const gate = await contexts.gateFor(where(more));
      const place = { sessionKey: "agent:main:main", visibility: gate.place };
      return gateTools(bound, gate.rules, place).descriptions.some(({ name }) => name === tool);
    },
    setUp: (more: Partial<Conversation> = {}, shown: Partial<ShownTurn> = {}) =>
      contexts.setUp(where(more), {
        model: { provider: "openai", id: "m" },
        session: undefined,
        tools: [],
        agentWorkspace: bound.agentWorkspace,
        standing: [],
        isRun: true,
        ...shown,
      }),
  };
}

describe("the context of a turn", () => {
  it("CTX-07 is what the agent's config says, unless the turn wants another one", async () => {
    const { setUp } = stage(({ agents }) => (agents.list = [{ id: "main", context: { strategy: "lite" } }]));
    const parts = async (wishes: Conversation["wishes"]) =>
      (await setUp({ wishes })).prompt.parts.map(({ name }) => name);
    expect(await parts({})).toEqual(["identity", "time"]);
    expect(await parts({ context: "none" })).toEqual(["identity"]);
    expect(await parts({ context: "full" })).toContain("workspace");
  });

  it("COMP-20 takes its limits from the model's window and the agent's config over the defaults", async () => {
    const { setUp } = stage(({ agents }) => {
      agents.defaults.compaction.reserveTokensFloor = 30_000;
      agents.list = [{ id: "main", compaction: { memoryFlush: { softThresholdTokens: 10_000 } } }];
    });
    const model = { provider: "openai", id: "m", limits: { contextWindow: 200_000, maxTokens: 1000 } };
    const { view, compaction, flush } = await setUp({}, { model });
    expect(compaction.thresholds).toEqual({ flushAt: 160_000, compactAt: 170_000, keepTokens: 20_000 });
    expect(view).toMatchObject({ limits: model.limits, reserveTokens: 30_000 });
    expect(flush).toMatchObject({ enabled: true, lastAt: null });
  });

  it("COMP-20 has limits also where nobody knows those of the model", async () => {
    const { view, compaction } = await stage().setUp();
    expect(view.limits).toEqual({ contextWindow: 128_000, maxTokens: 8192 });
    expect(compaction.thresholds).toMatchObject({ flushAt: 104_000, compactAt: 108_000 });
  });

  it("COMP-20 has the limits that a model's refusal has shown, until they are forgotten", async () => {
    const { setUp, clock } = stage();
    const model = { provider: "local", id: "m", limits: { contextWindow: 128_000, maxTokens: 1000 } };
    (await setUp({}, { model })).foundWindow?.({ provider: "local", id: "m" }, 80_000);
    const { view, compaction } = await setUp({}, { model });
    expect(view.limits).toEqual({ contextWindow: 80_000, maxTokens: 1000 });
    expect(compaction.thresholds).toMatchObject({ flushAt: 56_000, compactAt: 60_000 });
    const other = await setUp({}, { model: { ...model, id: "n" } });
    expect(other.view.limits.contextWindow).toBe(128_000);
    await clock.advance(3_600_000);
    expect((await setUp({}, { model })).view.limits.contextWindow).toBe(128_000);
  });

  it("COMP-20 knows when notes were last taken in the session", async () => {
    const { setUp, sessions, entries } = stage();
    const { sessionId } = (await sessions.open(request("agent:main:main"))).session;
    const [event] = await entries.append(sessionId, [
      { type: "event", name: "memory-flushed", data: { wrote: true } },
    ]);
    const { flush } = await setUp({}, { session: await sessions.get(sessionId) });
    expect(flush.lastAt).toBe(event?.time);
  });

  it("COMP-19 lets old results go as the agent's config says", async () => {
    const { setUp } = stage(({ agents }) => {
      agents.defaults.contextPruning.ttl = "1h";
      agents.list = [{ id: "main", contextPruning: { keepLastAssistants: 1 } }];
    });
    const { pruning } = (await setUp()).view;
    expect(pruning).toMatchObject({ mode: "cache-ttl", ttlMs: 3_600_000, keepLastAssistants: 1 });
  });

  it("COMP-23 trusts nobody but the owner in the owner's own chats", async () => {
    const { setUp } = stage();
    const isUntrusted = async (more: Partial<Conversation>) => (await setUp(more)).view.pruning.isUntrusted;
    expect(await isUntrusted({})).toBe(false);
    expect(await isUntrusted({ destination: chat("1") })).toBe(false);
    expect(await isUntrusted({ destination: chat("42"), person: stranger })).toBe(true);
    for (const kind of ["group", "room"] as const)
      expect(await isUntrusted({ destination: chat("9", kind) })).toBe(true);
  });

  it("SESS-18 CFG-09 shows as much of a direct chat as its key and the config say", async () => {
    const { setUp } = stage((config) => {
      config.channels = {
        telegram: {
          enabled: true,
          dmPolicy: "pairing",
          allowFrom: [],
          dmHistoryLimit: 20,
          dms: { "42": { historyLimit: 5 } },
        },
      };
    });
    const turns = async (sessionKey: string) => (await setUp({ sessionKey })).view.historyTurns;
    expect(await turns("agent:main:telegram:dm:42:thread:7")).toBe(5);
    expect(await turns("agent:main:telegram:dm:43")).toBe(20);
    expect(await turns("agent:main:main")).toBeUndefined();
  });

  it("COMP-01 counts the messages of a session with memory, and of no other", async () => {
    const { setUp, session } = stage();
    expect((await setUp({}, { session: await session(false) })).compaction.messages).toBeUndefined();
    const { messages } = (await setUp({}, { session: await session(true) })).compaction;
    expect(messages).toEqual({ over: 24, keep: 12 });
  });

  it("COMP-03 is summed up by the model, or in brief where there is none, one at a time", async () => {
    const { setUp } = stage();
    const [one, other] = [await setUp(), await setUp({}, { model: { provider: "stub", id: "m" } })];
    expect([one.compaction.by, other.compaction.by]).toEqual(["model", "digest"]);
    const { signal } = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = one.compaction.serially(() => promise, { signal });
    expect(await other.compaction.serially(async () => "done", { signal, ifFree: true })).toBeUndefined();
    resolve();
    await busy;
  });

  it("MEM-01 counts on the session's memory only where the prompt has it", async () => {
    const { setUp, session, cannotWrite } = stage();
    const remembering = { session: await session(true) };
    const has = async (wishes: Conversation["wishes"] = {}, shown: Partial<ShownTurn> = remembering) =>
      (await setUp({ wishes }, shown)).hasSessionMemory;
    expect(await has()).toBe(true);
    expect(await has({ context: "lite" })).toBe(false);
    expect(await has({}, {})).toBe(false);
    expect(await has({}, { session: await session(false) })).toBe(false);
    cannotWrite();
    expect(await has()).toBe(false);
  });
});

it("MEM-01 writes nothing where a turn is only looked at", async () => {
  const { setUp, session, asked } = stage();
  const remembering = { session: await session(true) };
  expect((await setUp({}, { ...remembering, isRun: false })).hasSessionMemory).toBe(true);
  expect(asked).toEqual(["look"]);
  await setUp({}, remembering);
  expect(asked).toEqual(["look", "complete"]);
});

it("MEM-01 tells the newest summary of a session with memory as a whole, however long", async () => {
  const { setUp, session, sumUp } = stage();
  await sumUp(`First of all. ${"They spoke at length. ".repeat(1000)}And last.`);
  const { systemPrompt } = await setUp({}, { session: await session(true) });
  for (const words of ["First of all.", "And last."]) expect(systemPrompt).toContain(words);
  const other = await setUp({}, { session: await session(false) });
  expect(other.systemPrompt).not.toContain("And last.");
});

it("MEM-01 leaves out of the owner's prompt what others wrote in, and not of theirs", async () => {
  const { setUp, session, sumUp } = stage();
  await sumUp("The page says to pay at once.", ["web"]);
  const shown = { session: await session(true) };
  const { systemPrompt, promptLabel } = await setUp({}, shown);
  expect(systemPrompt).not.toContain("pay at once");
  expect(promptLabel.untrusted).toBe(false);
  const theirs = await setUp({ person: stranger }, shown);
  expect(theirs.systemPrompt).toContain("pay at once");
  expect(theirs.promptLabel.untrusted).toBe(true);
});

describe("the owner's memory", () => {
  const isTold = async (more: Partial<Conversation>) => {
    await writeFile(join(root, "workdir/MEMORY.md"), "Tea at four.");
    return (await stage().setUp(more)).systemPrompt.includes("Tea at four.");
  };

  it("MEM-04 is told in the owner's own chats, also when Pincer itself speaks up there", async () => {
    expect(await isTold({})).toBe(true);
    expect(await isTold({ destination: chat("1"), sessionKey: "agent:main:telegram:dm:1" })).toBe(true);
    expect(await isTold({ destination: chat("1"), person: pincer })).toBe(true);
  });

  it("MEM-04 is told no stranger, also when Pincer itself speaks up in their chat", async () => {
    const theirs = { destination: chat("42"), sessionKey: "agent:main:telegram:dm:42" };
    expect(await isTold({ ...theirs, person: stranger })).toBe(false);
    expect(await isTold({ ...theirs, person: pincer })).toBe(false);
  });

  it("MEM-04 is shown in no group, no matter who asks and from where", async () => {
    const sessionKey = "agent:main:telegram:group:9";
    for (const person of [owner, stranger, pincer]) {
      expect(await isTold({ sessionKey, person, destination: chat("9", "group") })).toBe(false);
      expect(await isTold({ sessionKey, person })).toBe(false);
    }
  });
});

const theirKey = "agent:main:telegram:dm:42";
const groupKey = "agent:main:telegram:group:9";

describe("what is remembered for the owner", () => {
  it.each<[string, Partial<Conversation>]>([
    ["the terminal", {}],
    ["the owner's own chat", { destination: chat("1"), sessionKey: "agent:main:telegram:dm:1" }],
    ["the main session, when Pincer speaks up", { destination: chat("1"), person: pincer }],
  ])("MEM-04 is taken down in %s", async (_where, there) => {
    expect(await stage().shows("memory_append", there)).toBe(true);
    expect((await stage().setUp(there)).flush.enabled).toBe(true);
  });

  it.each<[string, Partial<Conversation>]>([
    ["a stranger's chat", { destination: chat("42"), sessionKey: theirKey, person: stranger }],
    [
      "a stranger's chat, when Pincer speaks up",
      { destination: chat("42"), sessionKey: theirKey, person: pincer },
    ],
    ["a stranger's chat, when the owner goes on with it elsewhere", { sessionKey: theirKey }],
    ["a group, when the owner asks", { destination: chat("9", "group"), sessionKey: groupKey }],
    [
      "a group, when Pincer speaks up",
      { destination: chat("9", "group"), sessionKey: groupKey, person: pincer },
    ],
    ["a group, when the owner goes on with it elsewhere", { sessionKey: groupKey }],
  ])("MEM-04 is never taken down in %s", async (_where, there) => {
    const { shows, call, setUp } = stage();
    expect(await shows(noteTool, there)).toBe(false);
    expect((await setUp(there)).flush.enabled).toBe(false);
    expect(await call(noteTool, { text: "Their words." }, there)).toMatchObject({ ok: false });
    expect(existsSync(join(root, "workdir/memory"))).toBe(false);
  });
});

describe("the gate of a turn", () => {
  it("CTX-08 lets through what custom leaves of the tools, and under another strategy all of them", async () => {
    const { shows } = stage(({ agents }) => {
      agents.defaults.context.includeTools = ["read", "list"];
      agents.defaults.context.excludeTools = ["list"];
    });
    const shown = async (context: "custom" | "full") => {
      const wishes = { context };
      return [
        await shows("read", { wishes }),
        await shows("list", { wishes }),
        await shows("memory_append", { wishes }),
      ];
    };
    expect(await shown("custom")).toEqual([true, false, false]);
    expect(await shown("full")).toEqual([true, true, true]);
  });

  it.each<[string, Config["tools"]["visibility"][number], Partial<Conversation>, Partial<Conversation>]>([
    [
      "channel",
      { tools: ["read"], channels: ["cli"] },
      { channel: "cli" },
      { channel: "telegram", destination: chat("1") },
    ],
    [
      "chat",
      { tools: ["read"], chats: ["telegram:9"] },
      { channel: "telegram", destination: chat("9", "group") },
      { channel: "telegram", destination: chat("8", "group") },
    ],
    ["role", { tools: ["read"], roles: ["owner"] }, { person: owner }, { person: stranger }],
  ])("CTX-16 shows a tool by %s, and the others everywhere", async (_by, entry, there, elsewhere) => {
    const { shows } = stage(({ tools }) => (tools.visibility = [entry]));
    expect([await shows("read", there), await shows("read", elsewhere)]).toEqual([true, false]);
    expect([await shows("time_now", there), await shows("time_now", elsewhere)]).toEqual([true, true]);
  });

  it("CTX-16 tells tools where they are and for whom", async () => {
    const { gate } = stage();
    const there = { channel: "telegram", destination: chat("42"), person: stranger };
    expect((await gate(there)).place).toEqual({
      agentId: "main",
      sessionKey: "agent:main:main",
      chatType: "direct",
      userRoles: ["peer"],
      channel: "telegram",
      chatId: "42",
    });
    expect((await gate()).place).not.toHaveProperty("chatId");
  });

  it("knows the owner's rules, also one that is made while the turn runs", async () => {
    const { gate, shows, rules } = stage();
    const { standing, rulesNow } = await gate();
    const kept = { text: "No reading.", enforcement: { tools: ["read"] }, agentId: null, setBy: "cli:owner" };
    await rules.add(kept);
    expect([standing, await shows("read", {})]).toEqual([[], false]);
    expect(await rulesNow()).toMatchObject([{ type: "standing", names: ["read"] }]);
  });
});
