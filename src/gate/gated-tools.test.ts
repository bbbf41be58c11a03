import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineTool, type Tool, type ToolVisibility } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { decide } from "../policy/decide.ts";
import { standingRules } from "../policy/rules/standing-rules.ts";
import { understandRule } from "../policy/rules/understand-rule.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import { visibilityRules } from "../policy/tool-visibility.ts";
import type { StandingRule } from "../storage/rules/rules.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { createToolSet } from "../tools/tool-set.ts";
import { createAgentWorkspace } from "../agent/agents/agent-workspace.ts";
import { createBuiltInTools } from "../agent/built-in-tools.ts";
import { gateTools, type CallPlace } from "./gated-tools.ts";

it.each(['{"to": "a', "[1]", '"text"', "null", "", "{}}"])(
  "LOOP-04 answers a call whose arguments are %j with invalid_args, and never runs it",
  async (invalidArguments) => {
    let ran = 0;
    const send = defineTool({
      name: "send",
      effect: "act",
      description: "Send.",
      input: Type.Object({ to: Type.String({ default: "everybody" }) }),
      async run() {
        ran++;
        return { text: "sent" };
      },
    });
    const tools = createToolSet([send]);
    const executor = createToolExecutor({ tools, clock: createHandClock() });
    const gated = gateTools({ tools, executor }, [], { sessionKey: "main" });
    const call = { type: "toolCall" as const, id: "c", name: "send", arguments: {}, invalidArguments };
    const result = await gated.call(call, new AbortController().signal);
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_args" } });
    expect(ran).toBe(0);
  },
);

it("a call acts where its tool does more than read; one of no tool does nothing", () => {
  const tool = (name: string, effect: "read" | "write" | "act") =>
    defineTool({ name, effect, description: "x", input: Type.Object({}), run: async () => ({ text: "" }) });
  const tools = createToolSet([tool("look", "read"), tool("keep", "write"), tool("send", "act")]);
  const executor = createToolExecutor({ tools, clock: createHandClock() });
  const gated = gateTools({ tools, executor }, [], { sessionKey: "main" });
  const acts = (name: string) => gated.acts({ type: "toolCall", id: "c", name, arguments: {} });
  expect(["look", "keep", "send", "none"].map(acts)).toEqual([false, true, true, false]);
});

const signal = new AbortController().signal;
const owner = {
  channel: "cli",
  chatType: "main" as const,
  userRoles: ["owner"],
  sessionKey: "main",
  agentId: "main",
};
const inChat = (channel: string, chatId: string, ...userRoles: string[]): ToolVisibility => ({
  ...owner,
  channel,
  chatId,
  userRoles,
});

function stage(...tools: Tool[]) {
  const set = createToolSet(tools);
  const parts = { tools: set, executor: createToolExecutor({ tools: set, clock: createHandClock() }) };
  return (rules: readonly ToolRule[], place: Omit<Parameters<typeof gateTools>[2], "sessionKey">) => {
    const gated = gateTools(parts, rules, { sessionKey: "main", ...place });
    return {
      shown: gated.descriptions.map(({ name }) => name),
      call: (name: string, args: Record<string, unknown> = {}) =>
        gated.call({ type: "toolCall", id: "c", name, arguments: args }, signal),
    };
  };
}

const fake = (name: string, isVisible?: Tool["isVisible"]): Tool =>
  defineTool({
    name,
    effect: "act",
    description: name,
    input: Type.Object({}),
    ...(isVisible && { isVisible }),
    run: async () => ({ text: "done" }),
  });

const telegramTools = [fake("send_sticker"), fake("send_poll")].map((tool) => ({
  ...tool,
  isVisible: ({ channel }: ToolVisibility) => channel === "telegram",
}));

describe("the label of the context that makes a call", () => {
  const told: unknown[] = [];
  const look = defineTool({
    name: "look",
    effect: "read",
    description: "Look.",
    input: Type.Object({}),
    async run(_input, { contextLabel, confirmed }) {
      told.push([await contextLabel?.(), confirmed === true]);
      return { text: "" };
    },
  });
  const call = async (place: Omit<CallPlace, "sessionKey">) => {
    await stage(look)([], place).call("look");
    return told.pop();
  };
  const peer = inChat("telegram", "42", "peer");
  const tainted = { untrusted: true, sources: ["memory"] };

  it("reaches the tool; unknown, it may hold anything", async () => {
    expect(await call({ visibility: owner, contextLabel: async () => tainted })).toEqual([tainted, false]);
    const unknown = { untrusted: true, sources: ["memory", "session", "user", "workdir"] };
    expect(await call({ visibility: owner })).toEqual([unknown, false]);
    const contextLabel = async () => Promise.reject(new Error("no disk"));
    expect(await call({ visibility: owner, contextLabel })).toEqual([unknown, false]);
  });

  it("is clean for what the owner writes by hand, and a stranger's for what others do", async () => {
    const byHand = () => "call" as const;
    const contextLabel = async () => tainted;
    const own = await call({ visibility: owner, byHand, contextLabel });
    expect(own).toEqual([{ untrusted: false, sources: [] }, true]);
    const others = await call({ visibility: peer, byHand, contextLabel });
    expect(others).toEqual([{ untrusted: true, sources: [] }, false]);
  });
});

describe("what is shown where", () => {
  const gate = stage(
    fake("plain"),
    fake("restart_server", ({ userRoles }) => userRoles.includes("owner") || userRoles.includes("admin")),
    fake("lounge"),
    ...telegramTools,
    fake("start_huddle", ({ channel }) => channel === "slack"),
    fake("run_workflow", ({ channel }) => channel === "slack"),
    fake("ask_approval"),
    fake("book_meeting"),
  );
  const rules = visibilityRules([
    { tools: ["lounge"], chats: ["telegram:-7", "vip-room"] },
    { tools: ["ask_approval", "book_meeting"], channels: ["wecom"] },
  ]);
  const shownIn = (visibility: ToolVisibility) => gate(rules, { visibility }).shown;

  it("CTX-16 shows what has no filter everywhere", () => {
    expect(gate([], {}).shown).toEqual(["plain", "lounge", "ask_approval", "book_meeting"]);
    expect(shownIn(inChat("discord", "1", "peer"))).toEqual(["plain"]);
  });

  it.each<[string, ToolVisibility, string[]]>([
    ["tools for administrators", inChat("discord", "1", "peer", "admin"), ["plain", "restart_server"]],
    ["tools for the owner", owner, ["plain", "restart_server"]],
    [
      "a chat of important people, by its id",
      inChat("slack", "vip-room", "peer"),
      ["plain", "lounge", "start_huddle", "run_workflow"],
    ],
    [
      "stickers and polls on Telegram",
      inChat("telegram", "1", "peer"),
      ["plain", "send_sticker", "send_poll"],
    ],
    [
      "one chat of one channel",
      inChat("telegram", "-7", "peer"),
      ["plain", "lounge", "send_sticker", "send_poll"],
    ],
    [
      "huddles and workflows on Slack",
      inChat("slack", "-7", "peer"),
      ["plain", "start_huddle", "run_workflow"],
    ],
    [
      "approvals and meetings on WeCom",
      inChat("wecom", "1", "peer"),
      ["plain", "ask_approval", "book_meeting"],
    ],
  ])("CTX-17 knows %s", (_, place, expected) => {
    expect(shownIn(place)).toEqual(expected);
  });

  it("CTX-16 does not run what is not shown", async () => {
    const elsewhere = gate(rules, { visibility: inChat("discord", "1", "peer") });
    for (const name of ["restart_server", "lounge", "send_poll", "ask_approval"])
      expect(await elsewhere.call(name)).toMatchObject({ ok: false, error: { code: "execution_error" } });
    expect(await elsewhere.call("plain")).toMatchObject({ ok: true });
    expect(await gate(rules, { visibility: owner }).call("restart_server")).toMatchObject({ ok: true });
  });

  it("CTX-16 shows a tool where every entry agrees that names it", () => {
    const two = visibilityRules([
      { tools: ["plain"], channels: ["telegram"] },
      { tools: ["plain"], roles: ["owner"] },
    ]);
    expect(gate(two, { visibility: inChat("telegram", "1", "peer") }).shown).not.toContain("plain");
    expect(gate(two, { visibility: owner }).shown).not.toContain("plain");
    expect(gate(two, { visibility: inChat("telegram", "1", "owner") }).shown).toContain("plain");
  });
});

describe("standing rules at the gate", () => {
  const rule = (id: number, text: string): StandingRule => ({
    id,
    text,
    enforcement: understandRule(text),
    agentId: null,
    setBy: "cli:owner",
    createdAt: "2026-01-01T12:00:00.000Z",
  });
  const touching = (name: string, effect: Tool["effect"]) =>
    defineTool({
      name,
      effect,
      description: name,
      input: Type.Object({ path: Type.String() }),
      run: async () => ({ text: "done" }),
    });
  const gate = stage(touching("write", "write"), touching("read", "read"), touching("exec", "act"));

  it("neither shows nor runs what a rule forbids, and names the rule", async () => {
    const gated = gate(standingRules([rule(3, "never write files")]), { visibility: owner });
    expect(gated.shown).toEqual(["read"]);
    expect(await gated.call("write", { path: "x" })).toMatchObject({
      error: { message: "write may not run: standing rule 3: never write files" },
    });
    expect(await gated.call("read", { path: "x" })).toMatchObject({ ok: true });
  });

  it("denies what deletes, and nothing else, where a rule forbids deleting", async () => {
    const commanding = defineTool({
      name: "exec",
      effect: "act",
      description: "exec",
      input: Type.Object({ command: Type.String() }),
      run: async () => ({ text: "done" }),
    });
    const gated = stage(touching("write", "write"), commanding)(
      standingRules([rule(5, "never delete files")]),
      { visibility: owner, workdir: "/work" },
    );
    expect(gated.shown).toEqual(["write", "exec"]);
    expect(await gated.call("write", { path: "x" })).toMatchObject({ ok: true });
    expect(await gated.call("exec", { command: "ls -l && git status" })).toMatchObject({ ok: true });
    expect(await gated.call("exec", { command: "ls && rm -r build" })).toMatchObject({
      error: { message: "exec may not run: standing rule 5: never delete files" },
    });
  });

  it("shows what is forbidden with some arguments only, and refuses those", async () => {
    const gated = gate(standingRules([rule(4, "never touch /etc")]), { visibility: owner, workdir: "/work" });
    expect(gated.shown).toEqual(["write", "read", "exec"]);
    for (const path of ["/etc/passwd", "/etc/../etc/passwd", "../etc/passwd"])
      expect(await gated.call("read", { path })).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining("standing rule 4") },
      });
    expect(await gated.call("read", { path: "notes.txt" })).toMatchObject({ ok: true });
  });

  it.each([
    "never write files",
    "never change anything",
    "never change MEMORY.md",
    "do not touch MEMORY.md",
    "不要写文件",
    "不要修改 MEMORY.md",
  ])("%s: nothing that writes runs, whatever its name", async (text) => {
    const workdir = await mkdtemp(path.join(tmpdir(), "pincer-gate-"));
    const clock = createHandClock();
    const home = { workdir, homeRoot: path.join(workdir, ".pincer"), clock };
    const agentWorkspace = createAgentWorkspace({ ...home, timezone: "UTC", layout: "flat" });
    const tools = createBuiltInTools({ clock, agentWorkspace }, [touching("plugin_store", "write")]);
    const executor = createToolExecutor({ tools, clock });
    const place = { sessionKey: "main", visibility: inChat("cli", "main", "owner"), workdir };
    const gated = gateTools({ tools, executor }, standingRules([rule(1, text)]), place);
    const writing = tools.all().filter(({ effect }) => effect === "write");
    expect(writing.map(({ name }) => name)).toContain("memory_append");
    for (const { name } of writing) {
      const given = { text: "tea", file: "MEMORY.md", path: "MEMORY.md" };
      const call = { type: "toolCall" as const, id: "c", name, arguments: given };
      expect(await gated.call(call, signal)).toMatchObject({
        error: { message: `${name} may not run: standing rule 1: ${text}` },
      });
    }
    await rm(workdir, { recursive: true });
  });

  it("knows where notes are kept", () => {
    const [append] = createToolSet([touching("memory_append", "write")]).all();
    const rules = standingRules([rule(1, "never write to memory/")]);
    const isAllowed = (given: object) =>
      append &&
      decide({ place: undefined, rules }, "run", { tool: append, arguments: given, workdir: "/work" })
        .verdict === "allow";
    expect([{}, { file: "today" }, { file: "MEMORY.md" }].map(isAllowed)).toEqual([false, false, true]);
  });

  it("takes the whole family of a tool", async () => {
    const browser = stage(fake("browser_click"));
    const gated = browser(standingRules([rule(1, "do not use the browser tool")]), {});
    expect(gated.shown).toEqual([]);
    expect(await gated.call("browser_click")).toMatchObject({ ok: false });
  });

  it("counts a removed rule no more, also in the turn that runs", async () => {
    const rules = [rule(1, "never write files")];
    const gated = gate(standingRules(rules), {
      visibility: owner,
      rulesNow: async () => standingRules(rules),
    });
    expect(await gated.call("write", { path: "x" })).toMatchObject({ ok: false });
    rules.pop();
    expect(await gated.call("write", { path: "x" })).toMatchObject({ ok: true });
  });

  it("leaves reminders to the model", () => {
    expect(standingRules([rule(1, "be brief")])).toEqual([]);
  });

  it("holds for the very next call what is ruled while a turn runs, and runs nothing when rules cannot be read", async () => {
    const rules: StandingRule[] = [];
    let isBroken = false;
    const rulesNow = async () => {
      if (isBroken) throw new Error("no disk");
      return standingRules(rules);
    };
    const gated = gate([], { visibility: owner, rulesNow });
    expect(await gated.call("write", { path: "x" })).toMatchObject({ ok: true });
    rules.push(rule(1, "never write files"));
    expect(await gated.call("write", { path: "x" })).toMatchObject({ ok: false });
    rules.pop();
    isBroken = true;
    expect(await gated.call("write", { path: "x" })).toMatchObject({
      error: { message: "write may not run: the rules could not be read: no disk" },
    });
  });
});

describe("before a call runs", () => {
  it("a tool that cannot say whether it needs an approval does not run, and its own words say why", async () => {
    const ran: string[] = [];
    const lost = defineTool({
      name: "write",
      description: "",
      effect: "write",
      input: Type.Object({}),
      needsApproval: () => Promise.reject(new Error("the workdir /w is gone")),
      async run() {
        ran.push("write");
        return { text: "" };
      },
    });
    const tools = createToolSet([lost]);
    const gated = gateTools(
      { tools, executor: createToolExecutor({ tools, clock: createHandClock() }) },
      [],
      { sessionKey: "s" },
    );
    const result = await gated.call({ type: "toolCall", id: "1", name: "write", arguments: {} }, signal);
    expect(result).toMatchObject({ ok: false, error: { message: "the workdir /w is gone" } });
    expect(ran).toEqual([]);
  });

  const risky = (log: string[]) =>
    defineTool({
      name: "risky",
      effect: "act",
      description: "Run.",
      input: Type.Object({ what: Type.String({ default: "rm" }) }),
      changes: ({ what }) => (what === "rm" ? "anything" : [what]),
      needsApproval: async ({ what }) => (what === "rm" ? "no sandbox" : undefined),
      async run({ what }, { byHand = "model", turnId = "none" }) {
        log.push(`ran ${what} ${byHand} ${turnId}`);
        return { text: "" };
      },
    });
  function staged(place: Partial<CallPlace>) {
    const log: string[] = [];
    const tools = createToolSet([risky(log)]);
    const executor = createToolExecutor({ tools, clock: createHandClock() });
    const keep = async (changes: readonly string[] | "anything") => void log.push(`kept ${changes}`);
    const gated = gateTools({ tools, executor }, [], {
      sessionKey: "main",
      visibility: owner,
      snapshot: keep,
      ...place,
    });
    const call = (given: object) =>
      gated.call({ type: "toolCall", id: "c", name: "risky", arguments: { ...given } }, signal);
    return { call, log };
  }

  it("X29 refuses what needs the owner's approval, and says why", async () => {
    const { call, log } = staged({});
    expect(await call({})).toMatchObject({
      error: { message: "risky may not run without the owner's approval: no sandbox" },
    });
    expect(log).toEqual([]);
  });

  it("keeps what it may change first, and names the turn to the tool", async () => {
    const { call, log } = staged({ turnId: "t_1" });
    await call({ what: "a.txt" });
    expect(log).toEqual(["kept a.txt", "ran a.txt model t_1"]);
  });

  it("runs nothing whose past could not be kept", async () => {
    const keep = () => Promise.reject(new Error("no room on the disk"));
    const { call, log } = staged({ snapshot: keep });
    expect(await call({ what: "a.txt" })).toMatchObject({ error: { message: "no room on the disk" } });
    expect(log).toEqual([]);
  });

  it("asks nobody for what an owner wrote, but does for the same words of anybody else", async () => {
    const byHand = () => "line" as const;
    const own = staged({ byHand });
    await own.call({});
    expect(own.log).toEqual(["kept anything", "ran rm line none"]);
    const others = staged({ byHand, visibility: { ...owner, userRoles: ["peer"] } });
    expect(await others.call({})).toMatchObject({ ok: false });
  });
});
