import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as ask from "./ask.ts";
import * as audit from "./audit.ts";
import * as rules from "./rules.ts";
import * as runs from "./runs.ts";

type Home = Awaited<ReturnType<typeof createCommandHome>>;
interface Listed {
  records: Array<{ seq: number; action: string; actor: string; runId: string; sessionKey: string }>;
}
const query = async (home: Home, ...options: string[]) =>
  (await home.run(audit, "audit", "query", "--json", ...options)).json<Listed>().records;

it("TEN-05 tells of input, answer, tools and rules, by session key and by run", async () => {
  const home = await createCommandHome();
  await home.run(ask, "ask", "my secret plan");
  await home.run(rules, "rules", "add", "--yes", "never run commands");
  const records = await query(home);
  expect(records.map(({ action }) => action)).toEqual(["rule-add", "run"]);
  const [, ended] = records;
  expect(await query(home, "--run", ended?.runId ?? "")).toEqual([ended]);
  expect(await query(home, "--session", ended?.sessionKey ?? "")).toEqual([ended]);
  expect(ended).toMatchObject({ metadata: { steps: [{ step: "message-in" }, { step: "model-call" }] } });
  expect(await query(home, "--action", "rule-add")).toHaveLength(1);
  expect(await query(home, "--actor", "nobody")).toEqual([]);
  expect(await query(home, "--to", "2001-01-01")).toEqual([]);
  expect(await query(home, "--limit", "1", "--before", "2")).toMatchObject([{ seq: 1 }]);
  // Never what was said.
  expect((await home.run(audit, "audit", "export")).out).not.toContain("secret plan");
  const plain = await home.run(audit, "audit", "query", "--limit", "2");
  expect(plain.out).toContain("audit-export");
  expect(plain.err).toContain("--before");
  expect((await home.run(audit, "audit", "query", "--from", "yesterday")).status).toBe(2);
});

it("TEN-05 finds runs by what they consist of", async () => {
  const home = await createCommandHome();
  await home.run(ask, "ask", "hello");
  await home.run(ask, "ask", "tool:time_now");
  expect(await query(home, "--action", "tool-call")).toMatchObject([
    {
      action: "run",
      metadata: { steps: expect.arrayContaining([expect.objectContaining({ step: "tool-call" })]) },
    },
  ]);
  expect(await query(home, "--action", "message-in")).toHaveLength(2);
  expect(await query(home, "--action", "summary")).toEqual([]);
});

it("TEN-05 says that the log is whole, and where it is not, with another exit status", async () => {
  const home = await createCommandHome();
  expect(await home.run(audit, "audit", "verify")).toMatchObject({
    status: 0,
    out: "Nothing was recorded yet.\n",
  });
  await home.run(rules, "rules", "add", "--yes", "never run commands");
  expect((await home.run(audit, "audit", "verify")).out).toMatch(
    /intact: 1 records up to 1.*\n.*1 [0-9a-f]{64}\n/,
  );
  const database = new DatabaseSync(join(home.root, "home", "core.db"));
  database.exec("UPDATE audit_logs SET actor = 'nobody'");
  database.close();
  const broken = await home.run(audit, "audit", "verify");
  expect(broken).toMatchObject({ status: 1, out: "The audit log is NOT intact:\n- record 1 was changed\n" });
  const json = await home.run(audit, "audit", "verify", "--json");
  expect(json.status).toBe(1);
  expect(json.json()).toMatchObject({ ok: false, problems: [{ kind: "edited", seq: 1 }] });
  expect((await home.runInChinese(audit, "audit", "verify")).out).toContain("第 1 条记录被修改");
});

it("TEN-04 makes no formula of what others wrote", async () => {
  const home = await createCommandHome();
  const fact = { action: "set", resourceType: "x", resourceId: 'a,"b"', metadata: {} };
  await home.fill(({ audit: log }) => log.record({ ...fact, actor: "=HYPERLINK(1)" }));
  const { out } = await home.run(audit, "audit", "export", "--format", "csv", "--action", "set");
  expect(out).toContain(`,'=HYPERLINK(1),set,x,"a,""b""",`);
});

it("TEN-04 copies it as lines and as a table, into a new file, and records that", async () => {
  const home = await createCommandHome();
  await home.run(rules, "rules", "add", "--yes", "never run commands");
  const file = join(home.root, "log.csv");
  const written = await home.run(audit, "audit", "export", "--format", "csv", "--file", file);
  expect(written).toMatchObject({ status: 0, out: "" });
  expect(written.err).toContain("Wrote 2 records to");
  const [head, ...lines] = (await readFile(file, "utf8")).trimEnd().split("\r\n");
  expect(head).toBe("seq,time,actor,action,resource_type,resource_id,session_key,run_id,metadata");
  expect(lines).toHaveLength(2);
  expect(await home.run(audit, "audit", "export", "--file", file)).toMatchObject({ status: 2 });
  expect(await home.run(audit, "audit", "export", "--format", "xml")).toMatchObject({ status: 2 });
  expect((await query(home, "--action", "audit-export")).length).toBeGreaterThan(0);
});

it("TEN-05 works the same beside a gateway", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  await home.run(rules, "rules", "add", "--yes", "never run commands");
  expect((await query(home, "--action", "rule-add")).length).toBe(1);
  expect((await home.run(audit, "audit", "verify")).status).toBe(0);
});

it("PROTO-10 a run is played again at the terminal", async () => {
  const home = await createCommandHome();
  await home.run(ask, "ask", "hello");
  const [run] = (await home.run(runs, "runs", "list", "--json")).json<{ runs: Array<{ runId: string }> }>()
    .runs;
  const id = run?.runId ?? "";
  expect(await home.run(runs, "runs", "replay", id)).toMatchObject({
    status: 0,
    out: "The same: all 2 entries match what is stored.\n",
  });
  expect((await home.run(runs, "runs", "replay", id, "--json")).json()).toMatchObject({ same: true });
  expect((await home.run(runs, "runs", "replay", "r_none")).status).toBe(1);
});
