/** What lies in the home's database after a few commands, as somebody sees it who opens it with SQLite. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeHome } from "./run-pincer.ts";

const home = makeHome();
let database: DatabaseSync;
const rowsOf = (table: string) => database.prepare(`SELECT * FROM ${table}`).all();

beforeAll(async () => {
  for (const args of [
    ["agents", "add", "helper"],
    ["agents", "config", "helper", "model", "openai/gpt-4o-mini"],
    ["agents", "config", "helper", "tools.deny", '["exec"]'],
    ["ask", 'tool:time_now {"timeZone":"Asia/Shanghai"}'],
  ]) {
    const { status, err } = await home.run(args);
    if (status !== 0) throw new Error(err);
  }
  database = new DatabaseSync(join(home.path, "core.db"), { readOnly: true });
});
afterAll(() => {
  database.close();
  home.remove();
});

it("STORE-02 STORE-03 has the tenant and its space", () => {
  expect(rowsOf("tenants")).toMatchObject([
    { id: "t_default", name: "default", status: "active", plan: "personal" },
  ]);
  expect(rowsOf("workspaces")).toMatchObject([
    { id: "w_default", tenant_id: "t_default", name: "default", status: "active" },
  ]);
});

it("STORE-04 has the agents with what the config lets their models and tools be", () => {
  const [main, helper] = rowsOf("agents");
  expect(main).toMatchObject({ id: "main", workspace_id: "w_default", name: "main", status: "active" });
  expect(helper).toMatchObject({ id: "helper", workspace_id: "w_default", status: "active" });
  expect(JSON.parse(String(helper?.["model_policy_json"]))).toMatchObject({ primary: "openai/gpt-4o-mini" });
  expect(JSON.parse(String(helper?.["tool_policy_json"]))).toMatchObject({ deny: ["exec"] });
});

it("STORE-05 SESS-07 has the session with its origin, counts and times", () => {
  expect(rowsOf("sessions")).toMatchObject([
    {
      id: expect.stringMatching(/^s_/),
      agent_id: "main",
      session_key: "agent:main:main",
      channel: "cli",
      peer_key: null,
      thread_key: null,
      state: "active",
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      tokens_input: 0,
      tokens_output: 0,
      tokens_context: 0,
      tokens_total: 0,
      compaction_count: 0,
      memory_flush_at: null,
    },
  ]);
});

it("STORE-06 STORE-07 has messages and tool runs to be queried", () => {
  const [session] = rowsOf("sessions");
  const messages = rowsOf("messages");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
  for (const message of messages) {
    expect(message).toMatchObject({ session_id: session?.["id"], created_at: expect.stringMatching(/Z$/) });
    expect(JSON.parse(String(message["content_json"]))).toHaveLength(1);
  }
  expect(messages[1]).toMatchObject({ token_input: 0, token_output: 0, cost: 0 });
  expect(rowsOf("tool_runs")).toMatchObject([
    {
      session_id: session?.["id"],
      run_id: expect.stringMatching(/^r_/),
      tool_name: "time_now",
      args_json: '{"timeZone":"Asia/Shanghai"}',
      result_json: expect.stringContaining("Asia/Shanghai"),
      status: "ok",
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
});

it("STORE-08 has audit records of who did what", () => {
  const records = rowsOf("audit_logs");
  expect(records).toContainEqual(
    expect.objectContaining({
      id: expect.stringMatching(/^a_/),
      tenant_id: "t_default",
      actor: "cli:owner",
      action: "run",
      resource_type: "run",
      resource_id: rowsOf("tool_runs")[0]?.["run_id"],
      metadata_json: expect.stringContaining('"tool":"time_now"'),
      created_at: expect.stringMatching(/Z$/),
    }),
  );
});

it("ROUTE-13 no session key leads to a file outside the sessions directory", async () => {
  const before = readdirSync(home.path).sort();
  for (const key of ["../../outside", "a/../../b", "/etc/x", "..", "x\u0001y", "~/z", "C:\\w"])
    await home.run(["ask", "--session", key, "--memory", "hello"]);
  const sessions = join(home.path, "agents", "main", "sessions");
  for (const name of readdirSync(sessions)) expect(name).toMatch(/^s_[0-9a-z]+\.jsonl$/);
  expect(readdirSync(join(home.path, "agents")).sort()).toEqual(["main"]);
  expect(
    readdirSync(home.path)
      .sort()
      .filter((name) => !before.includes(name) && name !== "memory" && !name.startsWith("core.db")),
  ).toEqual([]);
  expect(existsSync(join(home.path, "..", "outside"))).toBe(false);
});

it("MEM-10 ids, error codes and names of symbols are found by their exact spelling, among much that is like them", async () => {
  const words = ["ERR_CONN_4711", "parseSessionKey", "0f9a-77c1"];
  const lines = Array.from(
    { length: 200 },
    (_, index) => `- ERR_CONN_${index} parseSession${index}Key 0f9a-${index}c1 and much else`,
  );
  lines.splice(120, 0, ...words.map((word) => `- it was ${word} all along`));
  writeFileSync(join(home.path, "workspace", "MEMORY.md"), `${lines.join("\n")}\n`);
  for (const [index, word] of words.entries()) {
    const { status, out } = await home.run(["memory", "search", word]);
    expect(status).toBe(0);
    expect(out.split("\n")[0]).toMatch(
      new RegExp(`^MEMORY\\.md:${121 + index}\\b.*it was ${word} all along`),
    );
  }
});

it("CLI-25 takes the prompt from the argument or from a pipe, and reads both the same", async () => {
  const said = async (args: string[], input?: string) => {
    const options = input === undefined ? {} : { input };
    expect(await home.run(["ask", "--new-session", ...args], options)).toMatchObject({ status: 0 });
    const users = rowsOf("messages").filter(({ role }) => role === "user");
    return (JSON.parse(String(users.at(-1)?.["content_json"])) as Array<{ text: string }>)[0]?.text;
  };
  const first = await said(["  two words\r\nand a line  "]);
  expect(first).toBe("two words\nand a line");
  expect(await said([], "  two words\r\nand a line  \n")).toBe(first);
});
