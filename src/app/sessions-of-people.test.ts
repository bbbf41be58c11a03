/** Which agent answers whom, in which session, and when a session ends. */
import { textOf, type Message } from "@pincer/sdk";
import { createRecordingChannel } from "@pincer/sdk/testing";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

const minute = 60_000;

/** The run that came last. */
async function lastRun({ client }: TalkStage) {
  const [run] = (await client.request("runs.list", { limit: 1 })).runs;
  return run;
}

/** What the newest request shows of the conversation. */
const shown = ({ model }: TalkStage): string =>
  (model.requests.at(-1)?.messages ?? []).map((message) => textOf(message as Message)).join("\n");

describe("the agent", () => {
  it("ROUTE-02 is that of the most specific binding, else the default one", async () => {
    const list = ["main", "of-channel", "of-account", "of-peer"].map((id) => ({
      id,
      default: id === "main",
    }));
    const bindings = [
      { match: { channel: "pigeon" }, agentId: "of-channel" },
      { match: { channel: "pigeon", accountId: "work" }, agentId: "of-account" },
      { match: { channel: "pigeon", peer: { kind: "group", id: "g1" } }, agentId: "of-peer" },
    ];
    const channels = { pigeon: { accounts: { home: {}, work: {} } } };
    const stage = await openTalkStage({ config: { agents: { list }, bindings, channels } });
    const choose = async (speaker: object) => {
      await stage.say("hello", speaker);
      const { agentId, rule } = (await lastRun(stage)) ?? {};
      return [agentId, rule];
    };
    expect(await choose({ person: "7", account: "home" })).toEqual(["of-channel", "binding.channel"]);
    expect(await choose({ person: "7", account: "work" })).toEqual(["of-account", "binding.account"]);
    const group = { person: "7", group: "g1", account: "work" };
    expect(await choose(group)).toEqual(["of-peer", "binding.peer"]);
    const unbound = await openTalkStage({ config: { agents: { list }, bindings: [] } });
    await unbound.say("hello");
    expect(await lastRun(unbound)).toMatchObject({ agentId: "main", rule: "default" });
  });

  it("LOOP-08 LOOP-12 has sessions, prompt, tools and a workdir of its own, made when it is first needed", async () => {
    const helper = {
      id: "helper",
      workspace: "~/.pincer/workspaces/helper",
      identity: { name: "Molly", user: "Ada" },
      context: { strategy: "custom", includeTools: ["shell_pwd"] },
    };
    const match = { channel: "pigeon", peer: { kind: "group", id: "g1" } };
    const stage = await openTalkStage({
      config: {
        agents: { list: [{ id: "main", default: true }, helper] },
        bindings: [{ match, agentId: "helper" }],
      },
    });
    await stage.say("for main");
    await stage.say("for Molly", { group: "g1" });
    const [main, molly] = stage.model.requests;
    expect(main?.systemPrompt).toContain("You are Pincer");
    expect(molly?.systemPrompt).toMatch(/Molly[\s\S]*Ada/);
    expect(molly?.tools.map(({ name }) => name)).toEqual(["shell_pwd"]);
    expect(main?.tools.length).toBeGreaterThan(3);
    expect(shown(stage)).not.toContain("for main");
    expect(molly?.systemPrompt).toContain(`Workdir: ${join(stage.home, "workspaces/helper")};`);
    expect(existsSync(join(stage.home, "workspaces/helper"))).toBe(true);
    for (const agent of ["main", "helper"])
      expect(existsSync(join(stage.home, "agents", agent, "sessions"))).toBe(true);
  });
});

describe("the session", () => {
  const keyOf = async (stage: TalkStage, speaker: object) => {
    await stage.say("hello", speaker);
    return (await lastRun(stage))?.sessionKey;
  };

  it.each([
    ["main", "agent:main:main"],
    ["per-peer", "agent:main:dm:ada"],
    ["per-channel-peer", "agent:main:pigeon:dm:42"],
    ["per-account-channel-peer", "agent:main:pigeon:home:dm:42"],
  ])(
    "ROUTE-07 ROUTE-09 of the owner is as %s says, and everybody else is separate",
    async (dmScope, owners) => {
      const channels = { pigeon: { accounts: { home: {} } } };
      const stage = await openTalkStage({
        config: { session: { dmScope, identityLinks: { ada: ["pigeon:42"] } }, channels },
      });
      expect(await keyOf(stage, { account: "home" })).toBe(owners);
      const others = [
        await keyOf(stage, { person: "7", account: "home" }),
        await keyOf(stage, { person: "8", account: "home" }),
        await keyOf(stage, { person: "7", group: "g1", account: "home" }),
      ];
      expect(new Set([owners, ...others]).size).toBe(4);
    },
  );

  it("ROUTE-09 of a group belongs to the group, of a thread to the thread, and may be named outright", async () => {
    const stage = await openTalkStage();
    const ofGroup = await keyOf(stage, { person: "7", group: "g1" });
    expect(ofGroup).toBe("agent:main:pigeon:group:g1");
    expect(await keyOf(stage, { person: "8", group: "g1" })).toBe(ofGroup);
    expect(await keyOf(stage, { person: "7", group: "g1", thread: "t1" })).toBe(`${ofGroup}:thread:t1`);
    const { runId } = await stage.client.request("agent.run", {
      sessionKey: "plans",
      input: "hello",
      idempotencyKey: "k1",
    });
    await stage.client.request("agent.wait", { runId });
    expect(await lastRun(stage)).toMatchObject({ runId, sessionKey: expect.stringMatching(/plans$/) });
  });

  it("ROUTE-08 is shared by the ids that a link calls one person", async () => {
    const owl = createRecordingChannel({ id: "owl" });
    const stage = await openTalkStage({
      config: {
        session: { identityLinks: { bob: ["pigeon:7", "owl:bob"] } },
        channels: { owl: { dmPolicy: "open" } },
      },
      extras: { channels: [owl.channel] },
    });
    const onOwl = async (id: string) => {
      await owl.say({
        peer: { kind: "user", id },
        sender: { id },
        message: { type: "text", id: `o-${id}`, text: "and here", attachments: [], mentioned: true },
        timestamp: Date.now(),
      });
      await stage.gateway.idle();
      return (await lastRun(stage))?.sessionKey;
    };
    const linked = await keyOf(stage, { person: "7" });
    expect(await onOwl("bob")).toBe(linked);
    expect(shown(stage)).toBe("hello\nVery well.\nand here");
    expect(await onOwl("carol")).not.toBe(linked);
  });

  it("ROUTE-10 takes messages that follow each other as one turn, and a command at once", async () => {
    const stage = await openTalkStage({ config: { queue: {} } });
    const write = (id: string, text: string) =>
      stage.network.say({
        peer: { kind: "user", id: "42" },
        sender: { id: "42" },
        message: { type: "text", id, text, attachments: [], mentioned: true },
        timestamp: Date.now(),
      });
    await write("1", "one");
    await write("2", "two");
    await write("3", "/whoami");
    await expect.poll(() => stage.network.ledger.length).toBe(1);
    expect(stage.model.requests).toEqual([]);
    await stage.gateway.idle();
    expect(stage.model.requests).toHaveLength(1);
    expect(stage.model.requests[0]?.messages.map((message) => textOf(message as Message))).toEqual([
      "one",
      "two",
    ]);
  });
});

describe("a session ends", () => {
  it.each(["/new", "/reset"])(
    "CLI-31 SESS-19 by hand with %s, and the next begins under the same key",
    async (text) => {
      const stage = await openTalkStage();
      await stage.say("remember the tea");
      const before = await lastRun(stage);
      expect(await stage.say(text)).toEqual(["A new session has started."]);
      await stage.say("and now?");
      const after = await lastRun(stage);
      expect(after?.sessionKey).toBe(before?.sessionKey);
      expect(after?.sessionId).not.toBe(before?.sessionId);
      expect(shown(stage)).toBe("and now?");
    },
  );

  it("SESS-19 SESS-21 COMP-25 after silence, and the next begins with what it came to", async () => {
    const stage = await openTalkStage({ config: { session: { reset: { mode: "idle", idleMinutes: 60 } } } });
    await stage.say("remember the tea");
    const before = await lastRun(stage);
    stage.pass(59 * minute);
    await stage.say("still here");
    expect((await lastRun(stage))?.sessionId).toBe(before?.sessionId);
    stage.pass(61 * minute);
    await stage.say("and now?");
    expect((await lastRun(stage))?.sessionId).not.toBe(before?.sessionId);
    expect(stage.model.requests.at(-1)?.messages).toHaveLength(2);
    expect(shown(stage)).toMatch(/earlier-session[\s\S]*remember the tea[\s\S]*and now\?/);
  });

  it("SESS-19 by the hour of the day, long before it was silent for long", async () => {
    const stage = await openTalkStage({
      config: { session: { reset: { atHour: new Date(Date.now() + 90 * minute).getHours() } } },
    });
    await stage.say("hello");
    const before = await lastRun(stage);
    stage.pass(95 * minute);
    await stage.say("hello again");
    expect((await lastRun(stage))?.sessionId).not.toBe(before?.sessionId);
    const never = await openTalkStage({ config: { session: { reset: { mode: "manual" } } } });
    await never.say("hello");
    never.pass(48 * 60 * minute);
    await never.say("hello again");
    expect(shown(never)).toBe("hello\nVery well.\nhello again");
  });

  it("ROUTE-17 and its thinking and verbosity stay until then, and no longer", async () => {
    const stage = await openTalkStage({ config: { session: { reset: { mode: "idle", idleMinutes: 60 } } } });
    await stage.say("hello");
    await stage.say("/think high");
    await stage.say("/verbose on");
    stage.pass(59 * minute);
    await stage.say("still here");
    const settings = async () =>
      (await stage.client.request("sessions.list", {})).sessions.find(({ state }) => state === "active")
        ?.settings;
    expect(await settings()).toEqual({ think: "high", verbose: "on" });
    stage.pass(61 * minute);
    await stage.say("and now?");
    expect(await settings()).toEqual({});
    expect(await stage.say("/think")).toEqual(["Thinking in this session: as usual (off)."]);
  });
});
