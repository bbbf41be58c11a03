import { PincerError, type Destination } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";
import { noTotals } from "../storage/usage/usage.ts";
import { commandNames } from "./command-registry.ts";
import { createCommands, parseCommand } from "./commands.ts";
import { createFakeCommandServices } from "./testing/command-services.ts";
import { quietParts } from "./testing/quiet-parts.ts";

const prefixes = [",", "!", "/"];
const session = {
  sessionKey: "agent:main:main",
  workspaceId: "w_default",
  agentId: "main",
  origin: { channel: "telegram" },
  cwd: "/",
};
const destination: Destination = {
  channel: "telegram",
  accountId: "default",
  target: { peerKind: "user", peerId: "42" },
};
const person: TurnPerson = { role: "owner", id: "telegram:42", name: "Ada" };

function stage({ running = 0, language = "en" as "en" | "zh" } = {}) {
  const done: string[] = [];
  const commands = createCommands({
    ...createFakeCommandServices(),
    settings: { read: async () => ({}), set: async () => {} },
    entries: { recent: async () => [] },
    say: createSay(language),
    stop: async (_context, scope) => {
      done.push(`stop ${scope}`);
      return { count: running, turnId: running > 0 ? "turn_1" : undefined };
    },
    ...quietParts(session, done),
    describeContext: async ({ sessionKey }) => {
      throw new PincerError("session/not-found", `asked for ${sessionKey}`);
    },
    beginSession: async ({ sessionKey }) => void done.push(`begin ${sessionKey}`),
    findActive: async () => ({ sessionId: "s_1" }) as SessionRecord,
    usage: {
      async totals(scope) {
        const times = scope.type === "session" ? 1 : scope.type === "day" ? 2 : 3;
        return {
          ...noTotals(),
          calls: times,
          estimated: scope.type === "month" ? 1 : 0,
          input: 1000 * times,
          cacheRead: 3000 * times,
          output: 50,
          total: 4050,
          cost: 0.5 * times,
        };
      },
    },
    clock: createHandClock(),
    lanes: {
      running: () => (running > 0 ? [{ turnId: "turn_1", sessionKey: session.sessionKey, since: 0 }] : []),
      load: () => ({ running, waiting: 7 }),
    },
  });
  const run = async (text: string, who = person, peerKind: "user" | "group" = "user") => {
    const command = parseCommand(text, prefixes);
    if (!command) throw new Error(`${text} is no command`);
    const where = { ...destination, target: { ...destination.target, peerKind } };
    return commands.run(command, {
      person: who,
      session,
      destination: where,
      rule: "default",
      input: "in_1",
      receivedAt: "2026-01-01T12:00:00.000Z",
    });
  };
  return { run, done };
}

describe("reading a command", () => {
  it.each(prefixes)("ROUTE-12 knows every name under %s, in any case, with a bot's address", (prefix) => {
    for (const name of commandNames) {
      const expected = { type: "known", name, prefix, words: "" };
      expect(parseCommand(`${prefix}${name}`, prefixes)).toEqual(expected);
      expect(parseCommand(`  ${prefix}${name.toUpperCase()}@pincer_bot `, prefixes)).toEqual(expected);
    }
  });

  it("keeps the words behind it", () => {
    expect(parseCommand("/new plan\na trip ", prefixes)).toMatchObject({
      name: "new",
      words: "plan\na trip",
    });
  });

  it("leaves unknown names to the model under / and , and answers them under !", () => {
    expect(parseCommand("/summarise this", prefixes)).toBeUndefined();
    expect(parseCommand(",ls -l", prefixes)).toBeUndefined();
    expect(parseCommand("!frobnicate", prefixes)).toMatchObject({ type: "unknown", name: "frobnicate" });
  });

  it("takes a dotted name for a command only where it is one of ours", () => {
    expect(parseCommand("!example.com is down", prefixes)).toBeUndefined();
    expect(parseCommand("/new. Really", prefixes)).toBeUndefined();
    expect(parseCommand(",tape.serch x", prefixes)).toMatchObject({ type: "unknown", name: "tape.serch" });
  });

  it.each(["new", "/", "//new", "/ new", "/newer things", "!!!", "! wow", ",", "/new/path", "a /new", ""])(
    "takes %j for an ordinary message",
    (text) => {
      expect(parseCommand(text, prefixes)).toBeUndefined();
    },
  );

  it("follows the configured prefixes", () => {
    expect(parseCommand("/new", ["."])).toBeUndefined();
    expect(parseCommand(".new", [".", ""])).toMatchObject({ name: "new", prefix: "." });
  });
});

describe("running a command", () => {
  it("ROUTE-12 answers without the model", async () => {
    const { run } = stage();
    // What `continue` says depends on what there is to go on with, and `compact` is a turn of its own.
    for (const name of commandNames.filter((each) => each !== "continue" && each !== "compact")) {
      const { enterModel, output } = await run(`/${name}`);
      expect(enterModel).toBe(false);
      expect(output).not.toBe("");
    }
  });

  it("says whether stop found something to stop, and which turn it was", async () => {
    expect(await stage({ running: 2 }).run("/stop")).toEqual({
      enterModel: false,
      output: "Stopped.",
      stoppedTurnId: "turn_1",
    });
    expect((await stage().run("!stop")).output).toBe("Nothing is running.");
    expect((await stage({ language: "zh" }).run("!stop")).output).toBe("当前没有正在进行的任务。");
  });

  it.each(["/new", "/reset"])("CLI-31 SESS-19 ends the session with %s, after its work", async (text) => {
    const { run, done } = stage();
    expect((await run(text)).output).toBe("A new session has started.");
    expect(done).toEqual(["stop conversation", "begin agent:main:main"]);
  });

  it("takes words behind /new as the first message of the new session", async () => {
    const { run, done } = stage();
    expect(await run("/new plan a trip")).toEqual({
      enterModel: true,
      output: "",
      options: { newSession: true, words: "plan a trip" },
    });
    expect(done).toEqual(["stop conversation"]);
  });

  it.each(["new", "new plan a trip", "reset", "reset now", "handoff", "tape.reset", "compact"])(
    "SESS-19 lets nobody but the owner change a group's session with /%s",
    async (text) => {
      const { run, done } = stage();
      const guest: TurnPerson = { role: "peer", id: "telegram:43" };
      const refused = await run(`/${text}`, guest, "group");
      expect(refused).toEqual({ enterModel: false, output: expect.stringContaining("only my owner") });
      expect(done).toEqual([]);
      expect((await run(`/${text}`, person, "group")).output).not.toContain("only my owner");
      expect((await run(`/${text}`, guest)).output).not.toContain("only my owner");
    },
  );

  it.each(["/continue", ",continue", "!continue and hurry"])("LOOP-05 goes on with %s", async (text) => {
    expect(await stage().run(text)).toEqual({ enterModel: false, output: "", goesOn: true });
  });

  it("MODEL-08 tells what was used and what it cost, and of all together only the owner", async () => {
    const { run } = stage();
    const guest: TurnPerson = { role: "peer", id: "telegram:43" };
    const own = "This session: 1 call, 4,000 tokens in (75% from the cache), 50 out, $0.500.";
    expect((await run("/usage", guest)).output).toBe(own);
    expect((await run("/usage")).output.split("\n")).toEqual([
      own,
      "Today (UTC), everything together: 2 calls, 8,000 tokens in (75% from the cache), 50 out, $1.00.",
      "This month (UTC), everything together: 3 calls, 12,000 tokens in (75% from the cache), 50 out, ~$1.50.",
    ]);
    expect((await run("/cost", guest)).output).toBe("This session: $0.500.");
    expect((await run("/cost")).output).toContain("This month (UTC), everything together: ~$1.50.");
    expect((await stage({ language: "zh" }).run("/cost", guest)).output).toBe("此会话：$0.500。");
  });

  it("tells the owner, and nobody else, what the assistant is told", async () => {
    const guest: TurnPerson = { role: "peer", id: "telegram:43" };
    const { run } = stage();
    expect(await run("/context")).toEqual({ enterModel: false, output: "asked for agent:main:main" });
    expect((await run("/context", guest)).output).toContain("Only my owner may see");
  });

  it("names what it does not know", async () => {
    expect((await stage().run("!dance")).output).toContain("no command !dance");
  });

  it("tells who is asking, and how busy everything is only to the owner", async () => {
    const { run } = stage({ running: 1 });
    const guest: TurnPerson = { role: "peer", id: "telegram:43" };
    expect((await run("/whoami")).output).toContain("Ada (telegram:42), my owner");
    expect((await run("/whoami", guest)).output).toContain("telegram:43, a guest");
    expect((await run("/status")).output).toMatch(/a turn is running.*\nIn total: 1 running, 7 waiting/);
    expect((await run("/status", guest)).output).not.toContain("waiting");
  });
});
