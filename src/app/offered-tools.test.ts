/** Which tools a model is offered and may run, by who writes, where, and what the config says. */
import { defineTool, textOf, type Message } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { expect, it, onTestFinished } from "vitest";
import { openTalkStage, type Speaker, type TalkStage } from "./testing/talk-stage.ts";

const call = (name: string, given: Record<string, unknown> = {}): ScriptedStep => ({
  calls: [{ name, arguments: given }],
});
const done: ScriptedStep = { text: "Done." };

async function offered(stage: TalkStage, speaker?: Speaker): Promise<string[]> {
  const before = stage.model.requests.length;
  await stage.say("hello", speaker);
  return stage.model.requests[before]?.tools.map(({ name }) => name) ?? [];
}

/** What the tools answered in the newest request. */
const results = ({ model }: TalkStage): string[] =>
  (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "toolResult")
    .map((message) => textOf(message as Message));

const restart = defineTool({
  name: "restart_server",
  effect: "act",
  description: "Restart the server.",
  input: Type.Object({}),
  isVisible: ({ userRoles }) => userRoles.includes("owner"),
  run: async () => ({ text: "restarted" }),
});

it("CTX-16 CTX-17 a tool is seen where its own filter and the config's let it be, and runs nowhere else", async () => {
  const visibility = [
    { tools: ["web_fetch"], chats: ["pigeon:vip"] },
    { tools: ["web_search"], channels: ["slack"] },
    { tools: ["message"], roles: ["owner"] },
  ];
  const stage = await openTalkStage({
    tools: [restart],
    config: { tools: { visibility } },
    steps: [done, done, call("web_fetch", { url: "https://example.org" }), done],
  });
  const some = ["restart_server", "web_fetch", "web_search", "message", "time_now"];
  const shown = async (speaker?: Speaker) => {
    const names = await offered(stage, speaker);
    return some.filter((name) => names.includes(name));
  };
  expect(await shown()).toEqual(["restart_server", "message", "time_now"]);
  expect(await shown({ person: "7", group: "vip" })).toEqual(["web_fetch", "time_now"]);
  expect(await shown({ person: "7" })).toEqual(["time_now"]);
  // It was called all the same.
  expect(results(stage)).toHaveLength(1);
  expect(results(stage)[0]).toMatch(/may not run/);
});

it.each<[string, string[], string[]]>([
  ["minimal", ["session_status"], ["read", "exec", "message", "sessions_list", "time_now"]],
  ["coding", ["read", "write", "edit", "apply_patch", "exec", "process"], ["message", "web_fetch"]],
  ["messaging", ["message", "sessions_list", "sessions_send", "session_status"], ["read", "exec"]],
  ["full", ["read", "exec", "message", "web_fetch", "sessions_list"], []],
])("TOOL-12 the profile %s offers its tools and no others", async (profile, has, lacks) => {
  const names = await offered(await openTalkStage({ config: { tools: { profile } } }));
  expect(names).toEqual(expect.arrayContaining(has));
  expect(lacks.filter((name) => names.includes(name))).toEqual([]);
});

it.each([
  ["fs", ["apply_patch", "edit", "list", "read", "search", "write"]],
  ["runtime", ["exec", "process", "shell_pwd"]],
  ["memory", ["memory_append", "memory_get", "memory_search"]],
  ["sessions", ["session_status", "sessions_history", "sessions_list", "sessions_send"]],
  ["messaging", ["message"]],
  ["web", ["http_request", "research", "web_fetch", "web_search"]],
])("TOOL-02…TOOL-07 the group %s offers its tools", async (group, names) => {
  const stage = await openTalkStage({ config: { tools: { allow: [`group:${group}`] } } });
  expect((await offered(stage)).toSorted()).toEqual(names);
});

it("TOOL-15 TOOL-16 a tool is denied, allowed, or asks the owner first, as its mode says", async () => {
  const modes = { write: "deny", "group:web": "approval-required", read: "allow" };
  const stage = await openTalkStage({
    config: { tools: { modes } },
    files: { "workspace/list.txt": "milk" },
    steps: [
      call("read", { path: "list.txt" }),
      call("write", { path: "list.txt", content: "gone" }),
      call("web_fetch", { url: "https://example.org" }),
      done,
    ],
  });
  const sent = await stage.say("hello, look at https://example.org");
  const names = stage.model.requests[0]?.tools.map(({ name }) => name);
  expect(names).toContain("read");
  expect(names).toContain("web_fetch");
  expect(names).not.toContain("write");
  expect(results(stage)[0]).toContain("milk");
  const { approvals } = await stage.client.request("approvals.list", {});
  expect(approvals).toMatchObject([{ tool: "web_fetch", state: "pending" }]);
  expect(sent.join("\n")).toContain("web_fetch");
});

it("TOOL-15 a tool reaches only the hosts of the list", async () => {
  const stage = await openTalkStage({
    config: { tools: { network: { allow: ["example.com"] } } },
    steps: [call("web_fetch", { url: "https://example.org/" }), done],
  });
  await stage.say("Read https://example.org/ to me");
  expect(results(stage)[0]).toContain("example.org");
  expect(results(stage)[0]).toMatch(/tools\.network\.allow|not in|not allowed/);
});

it("TOOL-16 TEN-03 the enterprise edition offers nothing that nobody granted", async () => {
  const nothing = await openTalkStage({ config: { edition: "enterprise" }, steps: [call("time_now"), done] });
  expect(await offered(nothing)).toEqual([]);
  expect(results(nothing)[0]).toMatch(/may not run/);
  const granted = await openTalkStage({ config: { edition: "enterprise", tools: { allow: ["read"] } } });
  expect(await offered(granted)).toEqual(["read"]);
});

it("TOOL-22 a sensitive session has no web and no browser, and others keep theirs", async () => {
  const stage = await openTalkStage({ config: { tools: { sensitive: { sessions: ["pigeon:7"] } } } });
  const web = ["web_search", "web_fetch", "http_request"];
  const sensitive = await offered(stage, { person: "7" });
  expect(sensitive.filter((name) => web.includes(name) || name.startsWith("browser"))).toEqual([]);
  expect(sensitive).toContain("time_now");
  expect(await offered(stage, { person: "8" })).toContain("web_fetch");
});

it.each([
  [{}, false],
  [{ restrictToWorkspace: true }, false],
  [{ restrictToWorkspace: false }, true],
  [{ restrict_to_workspace: false }, true],
])(
  "CFG-10 SAFE-05 SAFE-07 file tools stay in the workdir unless the config says otherwise: %j",
  async (defaults, reaches) => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), "pincer-outside-")));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    await writeFile(join(outside, "diary.txt"), "dear diary");
    await mkdir(join(outside, "work"));
    const stage = await openTalkStage({
      config: { agents: { defaults: { workspace: join(outside, "work"), ...defaults } } },
      steps: [call("read", { path: "../diary.txt" }), call("list", { path: ".." }), done],
    });
    await stage.say("hello");
    const [read = "", list = ""] = results(stage);
    expect(read.includes("dear diary")).toBe(reaches);
    expect(list.includes("diary.txt")).toBe(reaches);
  },
);

it("SAFE-06 without a sandbox a command runs only where all of it was called safe and it stays in the workdir", async () => {
  const stage = await openTalkStage({
    config: { tools: { exec: { sandbox: "none", safeBins: ["cat"] } } },
    files: { "workspace/list.txt": "milk" },
    steps: [
      call("exec", { command: "cat list.txt" }),
      call("exec", { command: "cat list.txt; touch new.txt" }),
      done,
    ],
  });
  await stage.say("hello");
  expect(results(stage)[0]).toContain("milk");
  const { approvals } = await stage.client.request("approvals.list", {});
  expect(approvals).toMatchObject([{ tool: "exec", state: "pending", shown: "cat list.txt; touch new.txt" }]);
  const farther = await openTalkStage({
    config: { tools: { exec: { sandbox: "none", safeBins: ["cat"] } } },
    steps: [call("exec", { command: "cat /etc/hostname" }), done],
  });
  await farther.say("hello");
  expect((await farther.client.request("approvals.list", {})).approvals).toMatchObject([
    { state: "pending" },
  ]);
});
