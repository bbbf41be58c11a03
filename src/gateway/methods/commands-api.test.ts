import { describe, expect, it } from "vitest";
import type { Caller } from "../../policy/caller.ts";
import { commandNames } from "../../routing/command-registry.ts";
import { addUsage } from "../../storage/testing/add-usage.ts";
import { request } from "../../storage/testing/samples.ts";
import { createApiStage, ways, type Way } from "../../app/testing/api-stage.ts";

const stage = async (way: Way) => {
  const { apis, tenant } = await createApiStage(way);
  const run = (line: string, session?: string) =>
    apis.commands.run({ line, ...(session === undefined ? {} : { sessionKey: session }) });
  const say = async (...given: Parameters<typeof run>) => (await run(...given)).output;
  return { run, say, tenant, api: apis.commands };
};

describe.each(ways)("the commands desk %s", (way) => {
  it("CLI-28 lists every command, in the language that is asked for", async () => {
    const { api } = await stage(way);
    const { commands } = await api.list({ language: "zh" });
    expect(commands.map(({ name }) => name)).toEqual(commandNames);
    expect(commands.find(({ name }) => name === "deny")).toMatchObject({ help: "拒绝请求", ownerOnly: true });
  });

  it("CLI-28 answers every command that needs no turn, before anything was said", async () => {
    const { run } = await stage(way);
    for (const name of commandNames.filter((each) => each !== "continue" && each !== "compact")) {
      const { name: answered, output, turn } = await run(`,${name}`);
      expect({ answered, turn, isEmpty: output === "" }).toEqual({
        answered: name,
        turn: null,
        isEmpty: false,
      });
    }
  });

  it("leaves to a turn what is for one, and has done nothing", async () => {
    const { run, tenant } = await stage(way);
    expect(await run("/continue")).toEqual({
      name: "continue",
      output: "",
      turn: { continues: true, wishes: {} },
    });
    expect(await run("/compact keep birds")).toMatchObject({
      turn: { continues: false, wishes: { compact: { instructions: "keep birds" } } },
    });
    expect(await run("/new plan a trip")).toMatchObject({ turn: { wishes: { newSession: true } } });
    expect(await run("hello")).toEqual({ name: null, output: "", turn: { continues: false, wishes: {} } });
    expect((await tenant.sessions.list({ limit: 9 })).sessions).toEqual([]);
  });

  it("keeps what a session wishes until a new one begins", async () => {
    const { say, tenant } = await stage(way);
    expect(await say("/model acme/small")).toContain("acme/small answers");
    expect(await say("/think low")).toContain("low");
    expect(await say("/model")).toContain("In this session acme/small answers.");
    const active = await tenant.sessions.findActive("w1", "agent:main:main");
    expect(active?.settings).toEqual({ model: "acme/small", think: "low" });
    await say("/model acme/small");
    expect((await tenant.sessions.findActive("w1", "agent:main:main"))?.lastSeq).toBe(active?.lastSeq);
    await say("/think default");
    expect(await say("/think")).toContain("as usual");
    await say("/new");
    expect(await say("/model")).toContain("the usual model answers");
  });

  it("only reads a session that is over", async () => {
    const { run, say, tenant } = await stage(way);
    const { session } = await tenant.sessions.open(request("agent:main:main"));
    await say("/tape.reset");
    expect(await say("/tape", session.sessionId)).toContain(session.sessionId);
    for (const line of ["/handoff", "/tape.reset", "/model acme/small"])
      await expect(run(line, session.sessionId)).rejects.toMatchObject({ code: "usage/bad-argument" });
  });

  it("speaks the language of whoever asks", async () => {
    const { api } = await stage(way);
    expect((await api.run({ line: "!frobnicate", language: "zh" })).output).toContain("没有命令");
  });
});

it("TEN-02 hands on by a command no more than whoever says it has", async () => {
  const { api } = await stage("over the stores");
  const said = (line: string, way: Caller["way"], scope: Caller["scope"]) => {
    const caller: Caller = { id: "browser:x", name: "x", role: "owner", way, tenantId: "t_default", scope };
    return api.run({ line }, { signal: new AbortController().signal, caller });
  };
  const refused = { code: "permission/missing" };
  const tenant = { type: "tenant" } as const;
  const confined = { type: "agent", agentIds: ["main"] } as const;
  for (const line of ["/signin", ",login", "/browsers", "/browsers all"]) {
    await expect(said(line, "device", tenant)).rejects.toMatchObject(refused);
    await expect(said(line, "token", confined)).rejects.toMatchObject(refused);
    expect((await said(line, "socket", tenant)).output).not.toBe("");
  }
  for (const line of ["/approvals", "/approve 1", "/deny 1", "/config"]) {
    await expect(said(line, "token", confined)).rejects.toMatchObject(refused);
    expect((await said(line, "token", tenant)).output).not.toBe("");
  }
});

it("TEN-02 tells by a command what the agents have used that whoever says it is confined to", async () => {
  const { api, tenant } = await stage("over the stores");
  await addUsage(tenant.usage, {
    turnId: null,
    sessionId: null,
    sessionKey: null,
    agentId: "other",
    provider: "p",
    model: "m",
    credential: null,
    usage: { input: 7654, output: 0, cacheRead: 0, cacheWrite: 0, total: 7654, cost: 3.21 },
    outcome: "ok",
    startedAt: "2026-01-01T11:00:00.000Z",
    durationMs: 1,
    firstByteMs: 1,
  });
  const said = async (scope: Caller["scope"]) => {
    const caller = {
      id: "token:x",
      name: "x",
      role: "owner",
      way: "token",
      tenantId: "t_default",
      scope,
    } as const;
    return (await api.run({ line: "/cost" }, { signal: new AbortController().signal, caller })).output;
  };
  expect(await said({ type: "tenant" })).toContain("3.21");
  expect(await said({ type: "agent", agentIds: ["main"] })).not.toContain("3.21");
});
