import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ToolResult } from "@pincer/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "../../agent/context/estimate-tokens.ts";
import { groupsOf } from "../../policy/tool-groups.ts";
import { createCommandHome } from "../testing/command-home.ts";
import * as tools from "./tools.ts";
import * as undoing from "./undo.ts";

let address = "";
const server = createServer((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(request.url?.includes("search") ? '{"results":[]}' : "<h1>Hello</h1><p>from a page.</p>");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function furnishedHome() {
  const home = await createCommandHome();
  const workdir = join(home.root, "home", "workspace");
  await mkdir(workdir, { recursive: true });
  await writeFile(join(workdir, "a.txt"), "one\ntwo\n");
  await mkdir(join(workdir, "folder"));
  const config = {
    channels: { telegram: { botToken: "1:x" } },
    contacts: { bob: ["telegram:7"] },
    tools: {
      network: { allowPrivate: [address] },
      web: { search: { order: ["searxng"], providers: { searxng: { baseUrl: `http://${address}/` } } } },
    },
  };
  await writeFile(join(home.root, "home", "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const run = (...words: string[]) => home.run(tools, "tools", ...words, "--json");
  return {
    run,
    undo: async (...words: string[]) => (await home.run(undoing, "undo", ...words, "--json")).json<object>(),
    async invoke(name: string, args: object) {
      const { json, status } = await run("invoke", name, "--args", JSON.stringify(args));
      return { result: json<ToolResult>(), status };
    },
  };
}

/** What works, what does not fit, and what fits and fails; undefined where there is no such thing, or not here. */
const cases: Array<{ tool: string; works: object | undefined; unfit: object; fails: object | undefined }> = [
  { tool: "time_now", works: {}, unfit: { timeZone: 1 }, fails: { timeZone: "Nowhere/Atall" } },
  // Gives back what it gets: nothing that fits can fail.
  { tool: "tools_echo", works: { text: "hi" }, unfit: {}, fails: undefined },
  { tool: "shell_pwd", works: {}, unfit: { path: "." }, fails: undefined },
  { tool: "list", works: {}, unfit: { path: 1 }, fails: { path: "nowhere" } },
  { tool: "read", works: { path: "a.txt" }, unfit: {}, fails: { path: "nowhere.txt" } },
  {
    tool: "write",
    works: { path: "b.txt", content: "b" },
    unfit: { path: "b.txt" },
    fails: { path: "folder", content: "" },
  },
  {
    tool: "edit",
    works: { path: "a.txt", oldText: "two", newText: "three" },
    unfit: { path: "a.txt" },
    fails: { path: "a.txt", oldText: "not there", newText: "" },
  },
  {
    tool: "apply_patch",
    works: { patch: "*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch" },
    unfit: { patch: 1 },
    fails: { patch: "*** Begin Patch\n*** Delete File: nowhere.txt\n*** End Patch" },
  },
  { tool: "search", works: { query: "one" }, unfit: {}, fails: { query: "one", path: "nowhere" } },
  { tool: "result_read", works: undefined, unfit: { handle: 1 }, fails: { handle: "r9" } },
  { tool: "recall", works: undefined, unfit: { handle: "#9" }, fails: { handle: 9 } },
  { tool: "memory_append", works: { text: "tea" }, unfit: {}, fails: undefined },
  { tool: "memory_search", works: { query: "tea" }, unfit: {}, fails: undefined },
  { tool: "memory_get", works: undefined, unfit: { path: 1 }, fails: { path: "memory/nowhere.md" } },
  { tool: "exec", works: { command: "echo hi" }, unfit: { command: "echo 'unfinished" }, fails: undefined },
  {
    tool: "process",
    works: { action: "list" },
    unfit: { action: "dance" },
    fails: { action: "poll", id: "p_none" },
  },
  { tool: "http_request", works: undefined, unfit: {}, fails: { url: "http://127.0.0.1:1/" } },
  { tool: "web_fetch", works: undefined, unfit: {}, fails: { url: "http://169.254.169.254/" } },
  // A scout belongs to a turn, and nobody has one here.
  { tool: "research", works: undefined, unfit: {}, fails: { question: "anything" } },
  { tool: "web_search", works: undefined, unfit: { query: "" }, fails: undefined },
  { tool: "sessions_list", works: { limit: 3 }, unfit: { limit: "all" }, fails: undefined },
  { tool: "sessions_history", works: undefined, unfit: {}, fails: { session: "agent:main:nobody" } },
  {
    tool: "sessions_send",
    works: undefined,
    unfit: { session: "x" },
    fails: { session: "agent:main:nobody", text: "hi" },
  },
  {
    tool: "session_status",
    works: undefined,
    unfit: { session: 1 },
    fails: { session: "agent:main:nobody" },
  },
  {
    tool: "message",
    works: { action: "send", to: "bob", text: "hi" },
    unfit: { action: "shout", text: "hi" },
    fails: { action: "send", to: "nobody", text: "hi" },
  },
];

describe("every tool, run by hand", { timeout: 60_000 }, () => {
  it.each(cases)(
    "TOOL-14 $tool answers with one of three codes when it cannot run",
    async ({ tool, unfit, fails }) => {
      const { invoke } = await furnishedHome();
      const wrong = await invoke(tool, unfit);
      expect(wrong).toMatchObject({ status: 1, result: { ok: false, error: { code: "invalid_args" } } });
      const missing = await invoke(`${tool}x`, {});
      expect(missing).toMatchObject({ status: 1, result: { error: { code: "tool_not_found" } } });
      const failed = fails && (await invoke(tool, fails));
      expect(failed?.result.error?.code).toBe(fails && "execution_error");
    },
  );

  it.each(cases.flatMap(({ tool, works }) => (works ? [{ tool, works }] : [])))(
    "TOOL-01 TOOL-09 TOOL-10 TOOL-13 $tool works",
    async ({ tool, works }) => {
      const { invoke } = await furnishedHome();
      const { result, status } = await invoke(tool, works);
      expect([status, result.error]).toEqual([0, undefined]);
      const usage = { durationMs: expect.any(Number) };
      expect(result).toMatchObject({ ok: true, content: expect.any(Array), usage });
    },
  );

  it("TOOL-10 http_request sends a request where the owner opened the way", async () => {
    const { invoke } = await furnishedHome();
    const { result } = await invoke("http_request", { url: `http://${address}/x` });
    expect(JSON.stringify(result.content)).toContain("from a page.");
  });

  it("TOOL-19 web_fetch reads a page", async () => {
    const { invoke } = await furnishedHome();
    const { result } = await invoke("web_fetch", { url: `http://${address}/page` });
    expect(JSON.stringify(result.content)).toContain("from a page.");
  });

  it("TOOL-18 web_search asks whom the config names", async () => {
    const { invoke } = await furnishedHome();
    const { result } = await invoke("web_search", { query: "hello" });
    expect(JSON.stringify(result)).toMatch(/Nothing was found|no search service/);
  });

  it("can be undone, no matter who ran it", async () => {
    const { invoke, undo } = await furnishedHome();
    await invoke("write", { path: "a.txt", content: "other words" });
    expect(await undo("--yes")).toMatchObject({ restored: [{ path: "a.txt", change: "changed" }] });
    expect(JSON.stringify(await invoke("read", { path: "a.txt" }))).toContain("one\\ntwo");
  });

  it("covers every tool there is", async () => {
    const { run } = await furnishedHome();
    const all = (await run("list")).json<Array<{ name: string }>>();
    expect(all.map(({ name }) => name).sort()).toEqual(cases.map(({ tool }) => tool).sort());
  });

  it("is in a group of policy/tool-groups.ts, so that profiles and the owner's rules reach it", async () => {
    const { run } = await furnishedHome();
    const all = (await run("list")).json<Array<{ name: string }>>();
    expect(all.filter(({ name }) => groupsOf(name).length === 0)).toEqual([]);
  });

  it.each([
    ["fs.read_file", "read"],
    ["file.read", "read"],
    ["read_file", "read"],
    ["fs.list_dir", "list"],
    ["file.list", "list"],
    ["file.write", "write"],
    ["file.edit", "edit"],
    ["file.search", "search"],
    ["shell.exec", "exec"],
    ["bash.exec", "exec"],
    ["shell.pwd", "shell_pwd"],
    ["time.now", "time_now"],
    ["tools.echo", "tools_echo"],
    ["http.request", "http_request"],
  ])("X9 is also called %s, which means %s", async (alias, name) => {
    const { run } = await furnishedHome();
    const { json } = await run("info", alias);
    expect(json<{ name: string }>().name).toBe(name);
  });

  it("costs at most 80 tokens in a request, one with the other", async () => {
    const { run } = await furnishedHome();
    const all = (await run("list")).json<Array<{ name: string; description: string; input: object }>>();
    const shown = all.map(({ name, description, input }) => ({ name, description, parameters: input }));
    expect(estimateTokens(JSON.stringify(shown)) / all.length).toBeLessThanOrEqual(80);
  });
});
