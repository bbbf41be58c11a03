import { PincerError } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import type { TurnEndingRecord } from "../storage/turns/turns.ts";
import { createQuestions, type AskInput } from "./questions.ts";
import { routeMessage, type RouteRequest } from "./route-message.ts";
import { stageRouter, ticks, type StageSettings } from "./testing/router-stage.ts";

async function stage(
  settings: StageSettings = {},
  { slow = async () => {} }: { slow?: () => Promise<void> } = {},
) {
  const room = stageRouter(settings);
  const { stores, clock } = room;
  const inbox: typeof stores.inbox = {
    ...stores.inbox,
    // What is committed can be read before it is on the disk.
    async accept(...given) {
      const accepted = await stores.inbox.accept(...given);
      await slow();
      return accepted;
    },
  };
  const redactor = createRedactor();
  const place = { tenantId: "t_default", workspaceId: "w_default" };
  const checked: string[] = [];
  const queue = createQuestions({
    ...place,
    ...stores,
    inbox,
    walk: (row) => room.router().ask(row),
    clock,
    ids: createIds(clock.now),
    redactor,
    route: (request: RouteRequest) =>
      routeMessage(request, { ...place, defaultAgentId: "main", agentIds: ["main"] }),
    setups: {
      async check(agentId) {
        checked.push(agentId);
        return { workdir: "/" };
      },
      workdirPathOf: () => "/",
    },
    wishes: { workdir: "/work" },
  });
  const ask = (input: string, more: Partial<AskInput> = {}) =>
    queue({ input, idempotencyKey: "k", wishes: {}, channel: "cli", direct: false, typed: false, ...more });
  await room.start();
  return { ...room, ask, redactor, checked };
}

const wished = { model: "small", tools: { enabled: true, allow: [] } };

describe("a question that somebody waits for", () => {
  it("PROTO-11 is one question under one key, however often it is asked", async () => {
    const { ask, stores } = await stage();
    const first = await ask("what?");
    expect(first).toMatchObject({ duplicate: false, joined: false, runId: first.turn?.turnId });
    await ticks();
    expect(await ask("what?")).toMatchObject({ runId: first.runId, duplicate: true, joined: false });
    await expect(ask("something else")).rejects.toMatchObject({ code: "usage/key-used" });
    expect(await stores.turns.list({ limit: 9 })).toHaveLength(1);
    expect(await stores.inbox.listNew(9)).toEqual([]);
  });

  it("PROTO-11 is one run for twenty that ask at once", async () => {
    const { ask, stores } = await stage();
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask("what?")));
    expect(new Set(asked.map(({ runId }) => runId)).size).toBe(1);
    expect(asked.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await stores.turns.list({ limit: 9 })).toHaveLength(1);
  });

  it("is stored without the secrets in it", async () => {
    const { ask, stores, redactor } = await stage();
    redactor.add("key", "sk-12345678");
    const given = { pasted: [{ start: 17, end: 32 }], typed: true };
    const { runId } = await ask("keep sk-12345678 and sk-12345678", given);
    const [row] = await stores.turns.inputs(runId);
    // What is pasted is the same as before, although it has become longer.
    expect(row?.message.message).toMatchObject({
      text: "keep [secret:key] and [secret:key]",
      pasted: [{ start: 18, end: 34 }],
    });
    expect((await ask("keep sk-12345678 and sk-12345678", given)).duplicate).toBe(true);
  });

  it("gets a turn of its own, or joins what the same person says, as its door wants", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { ask, stores } = await stage({ work: () => promise });
    const first = await ask("one", { idempotencyKey: "1", queue: "configured" });
    await ticks();
    const joined = await ask("two", { idempotencyKey: "2", queue: "configured" });
    expect(joined).toMatchObject({ joined: true, runId: first.runId });
    const own = await ask("three", { idempotencyKey: "3" });
    expect(own.joined).toBe(false);
    expect(own.runId).not.toBe(first.runId);
    resolve();
    await ticks();
    expect(await stores.turns.get(own.runId)).toMatchObject({ state: "done" });
  });

  it("is refused where too much waits, leaves no trace and may come again", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { ask, stores } = await stage({
      work: () => promise,
      routing: { queueMode: "followup", queueCap: 1 },
    });
    const later = (key: string) => ask(key, { idempotencyKey: key, queue: "configured" });
    await later("1");
    await ticks();
    await later("2");
    await expect(later("3")).rejects.toMatchObject({ code: "session/busy" });
    expect(await stores.inbox.find("cli", "local", "3")).toBeUndefined();
    resolve();
    await ticks();
    expect((await later("3")).duplicate).toBe(false);
  });

  it("loses no wish where the process dies between message and turn", async () => {
    const room = await stage();
    await room.restart();
    const asking = room.ask("what?", { wishes: { model: "p/m", newSession: true } });
    await ticks();
    expect(await room.stores.inbox.listNew(9)).toHaveLength(1);
    await room.start();
    const { turn } = await asking;
    expect(turn?.options).toEqual({ workdir: "/work", model: "p/m", newSession: true });
  });

  it("is told that the gateway stops, and goes on after the next start under the same key", async () => {
    const room = await stage();
    await room.restart();
    const asking = room.ask("what?");
    await ticks();
    await room.router().drain(0);
    await expect(asking).rejects.toMatchObject({ code: "gateway/stopped" });
    await expect(room.ask("what?")).rejects.toMatchObject({ code: "gateway/stopped" });
    await room.restart();
    await room.start();
    expect(await room.ask("what?")).toMatchObject({ duplicate: true, turn: { state: "done" } });
  });

  it("is answered where the inbox was read before its caller asked what became of it", async () => {
    const gate = Promise.withResolvers<void>();
    const room = await stage({}, { slow: () => gate.promise });
    await room.restart();
    const asking = room.ask("what?");
    const command = room.ask("/status", { typed: true, idempotencyKey: "l" });
    await ticks();
    await room.start();
    gate.resolve();
    expect(await asking).toMatchObject({ turn: { state: "done" } });
    expect(await command).toMatchObject({ command: { name: "status" } });
  });

  it("is told that it was given up after it took the gateway down three times", async () => {
    const room = await stage();
    await room.restart();
    const first = room.ask("what?");
    first.catch(() => {});
    await ticks();
    const [row] = await room.stores.inbox.listNew(1);
    for (let count = 0; count < 3; count++) await room.stores.inbox.countAttempt(row?.id ?? "");
    await room.clock.advance(1000);
    await room.restart();
    const again = room.ask("what?");
    await ticks();
    await room.start();
    await expect(again).rejects.toMatchObject({ code: "turn/aborted" });
  });

  it("does not wait for a command of another session that is busy when the gateway starts", async () => {
    let isBusy = true;
    const room = await stage({
      beginSession() {
        if (isBusy) throw new PincerError("session/busy", "somebody works there");
      },
    });
    await room.restart();
    const stuck = room.ask("/new", { typed: true, sessionKey: "a", idempotencyKey: "a" });
    stuck.catch(() => {});
    await ticks();
    const free = room.ask("what?", { sessionKey: "b", idempotencyKey: "b" });
    await ticks();
    await room.start();
    expect(await free).toMatchObject({ turn: { sessionKey: expect.stringContaining("b") } });
    await expect(stuck).rejects.toMatchObject({ code: "session/busy" });
    isBusy = false;
    await room.settle();
    expect(room.begunSessions).toHaveLength(1);
  });

  it("behind another of its session is told that the gateway stops, and not of a bug", async () => {
    const gate = Promise.withResolvers<never>();
    const room = await stage({
      through: (stores) => ({ ...stores, turns: { ...stores.turns, enqueue: () => gate.promise } }),
    });
    const first = room.ask("one", { idempotencyKey: "1" });
    const second = room.ask("two", { idempotencyKey: "2" });
    first.catch(() => {});
    await ticks();
    second.catch(() => {});
    const draining = room.router().drain(0);
    await room.pass(1);
    gate.reject(new PincerError("storage/failed", "gone"));
    await draining;
    await expect(second).rejects.toMatchObject({ code: "gateway/stopped" });
  });

  it("PROTO-11 is another question in another session, and with another part of it pasted", async () => {
    const { ask } = await stage();
    const pasted = [{ start: 0, end: 2 }];
    await ask("what?", { sessionKey: "a", pasted });
    await ticks();
    expect((await ask("what?", { sessionKey: "a", pasted })).duplicate).toBe(true);
    for (const more of [
      { sessionKey: "b", pasted },
      { sessionKey: "a", pasted: [{ start: 0, end: 3 }] },
      { sessionKey: "a", pasted: [] },
      { sessionKey: "a" },
    ])
      await expect(ask("what?", more)).rejects.toMatchObject({ code: "usage/key-used" });
  });

  it.each<[string, Partial<AskInput>]>([
    ["another model", { wishes: { model: "other" } }],
    ["other tools", { wishes: { ...wished, tools: { enabled: true, allow: ["exec"] } } }],
    ["another workdir", { wishes: { ...wished, workdir: "/elsewhere" } }],
    ["another effort", { wishes: { ...wished, thinking: "high" } }],
    ["a new session", { wishes: { ...wished, newSession: true } }],
    ["no wish", { wishes: {} }],
    ["somebody who typed it", { typed: true }],
    ["a turn to go on with", { continues: {} }],
  ])("PROTO-11 is another question with %s", async (_, more) => {
    const { ask, stores } = await stage();
    const { runId } = await ask("what?", { wishes: wished });
    await ticks();
    await expect(ask("what?", { wishes: wished, ...more })).rejects.toMatchObject({ code: "usage/key-used" });
    expect(await ask("what?", { wishes: wished })).toMatchObject({ runId, duplicate: true });
    expect(await stores.turns.list({ limit: 9 })).toHaveLength(1);
  });

  it("PROTO-11 is the same question after a restart, in another order, in another trace and in another language", async () => {
    const room = await stage();
    const { runId } = await room.ask("what?", { wishes: { ...wished, traceparent: "00-1-1-01" } });
    await ticks();
    await room.restart();
    await room.start();
    const { model, tools } = wished;
    const again = { wishes: { tools, model, traceparent: "00-2-2-01" }, language: "zh" as const };
    expect(await room.ask("what?", again)).toMatchObject({ runId, duplicate: true });
  });

  it("PROTO-11 with a digest of its own is the same question by that alone", async () => {
    const { ask } = await stage();
    const { runId } = await ask("what?", { wishes: { digest: "d", model: "one" } });
    await ticks();
    expect(await ask("what?", { wishes: { digest: "d", model: "two" } })).toMatchObject({ runId });
    await expect(ask("what?", { wishes: { digest: "e", model: "one" } })).rejects.toMatchObject({
      code: "usage/key-used",
    });
  });

  it("PROTO-11 that an older version stored is known by its words", async () => {
    const room = await stage();
    await room.restart();
    room.ask("what?", { wishes: wished }).catch(() => {});
    await ticks();
    const [row] = await room.stores.inbox.listNew(1);
    if (!row?.asked) throw new Error("nothing is stored");
    const { digest: _, ...asked } = row.asked;
    await room.stores.inbox.withdraw(row.id);
    await room.stores.inbox.accept(row.message, asked);
    await room.start();
    await ticks();
    expect(await room.ask("what?")).toMatchObject({ duplicate: true, turn: { options: { model: "small" } } });
  });

  it("fails for its caller when the storage does, and is answered all the same when that works again", async () => {
    let isBroken = true;
    const room = await stage({
      through: (stores) => ({
        ...stores,
        turns: {
          ...stores.turns,
          async enqueue(request) {
            if (isBroken)
              throw Object.assign(new Error("full"), { code: "storage/failed", domain: "storage" });
            return stores.turns.enqueue(request);
          },
        },
      }),
    });
    await expect(room.ask("what?")).rejects.toThrow("full");
    isBroken = false;
    await room.settle();
    expect(await room.ask("what?")).toMatchObject({ duplicate: true, turn: { state: "done" } });
  });
});

describe("a command that somebody asks", () => {
  it.each([",help", "/help", "!help"])(
    "ARCH-05 %s is answered without a turn where a person typed it",
    async (line) => {
      const { ask, stores, checked } = await stage();
      const asked = await ask(line, { typed: true });
      expect(asked).toMatchObject({ turn: undefined, command: { name: "help" } });
      expect(await stores.inbox.get(asked.runId)).toMatchObject({
        state: "command",
        answer: asked.command?.output,
      });
      expect(await ask(line, { typed: true })).toEqual({ ...asked, duplicate: true, command: asked.command });
      expect(await stores.turns.list({ limit: 9 })).toEqual([]);
      // Also where no turn could run.
      expect(checked).toEqual([]);
    },
  );

  it.each([",help", "/approve", "!reset", "/new", ",echo x", "stop", "Never run commands until I say so"])(
    "ARCH-05 %s is text where a program sent it",
    async (text) => {
      const { ask, stores, begunSessions } = await stage();
      const { turn } = await ask(text);
      expect(turn).toMatchObject({ options: { workdir: "/work" } });
      expect(begunSessions).toEqual([]);
      expect(await stores.rules.list({})).toEqual([]);
    },
  );

  it.each<[string, string, boolean]>([
    ["/help ", "compact", true],
    ["/", "help", false],
    ["/he", "lp", false],
    ["", "/help", false],
    ["/help", "er", false],
    ["Never run ", "npm install", true],
    ["", "Never run", false],
  ])("SEC-02 what is typed as %j and pasted as %j is heard: %s", async (typed, pasted, isHeard) => {
    const { ask } = await stage();
    const input =
      typed + pasted + (pasted.startsWith("Never") || typed.startsWith("Never") ? " until I say so" : "");
    const range = { start: typed.length, end: typed.length + pasted.length };
    const { command, turn } = await ask(input, { typed: true, pasted: [range] });
    expect([command !== undefined, turn === undefined]).toEqual([isHeard, isHeard]);
  });

  it("ARCH-05 sets a rule of the owner's, and of nobody else's", async () => {
    const { ask } = await stage();
    const sentence = "Never run commands until I say so";
    expect(await ask(sentence, { typed: true })).toMatchObject({ command: { name: "rule" } });
    const person = { role: "peer" as const, id: "cli:token:a", name: "a" };
    expect((await ask(sentence, { typed: true, person })).turn).toBeDefined();
  });

  it("SAFE-09 answers no request and sets no setting for somebody who is not the owner", async () => {
    const { ask, stores } = await stage();
    const person = { role: "peer" as const, id: "chat:token:a", name: "a" };
    for (const line of ["/approve", "/deny", "/rule be loud", "/config get owners", "/model acme/small"]) {
      const { command } = await ask(line, { typed: true, channel: "chat", person, idempotencyKey: line });
      expect(command?.output).toMatch(/^\/\w+: /);
    }
    expect(await stores.rules.list({})).toEqual([]);
  });

  it("leaves a word behind a slash to the model where it is the name of a skill", async () => {
    const skills = [{ name: "birdsong", description: "Knows birds by their song." }];
    const { ask } = await stage({ skills });
    expect((await ask("/birdsong", { typed: true })).turn).toBeDefined();
    expect((await ask("/birdsung", { typed: true, idempotencyKey: "l" })).turn).toBeUndefined();
  });

  it("PROTO-11 gets the same answer after a restart, and is another one for a program", async () => {
    const room = await stage();
    const first = await room.ask("/help", { typed: true });
    await room.restart();
    await room.start();
    expect(await room.ask("/help", { typed: true })).toEqual({ ...first, duplicate: true });
    await expect(room.ask("/help")).rejects.toMatchObject({ code: "usage/key-used" });
  });

  it("runs once, however often it is asked at the same time", async () => {
    let wait = Promise.resolve();
    const room = await stage({}, { slow: () => wait });
    const first = room.ask("/new", { typed: true });
    const gate = Promise.withResolvers<void>();
    wait = gate.promise;
    const second = room.ask("/new", { typed: true });
    await ticks();
    gate.resolve();
    expect(await Promise.all([first, second])).toMatchObject([{ command: {} }, { command: {} }]);
    expect(room.begunSessions).toHaveLength(1);
  });

  it("begins a session with the words behind it as its first message", async () => {
    const { ask } = await stage();
    const { turn } = await ask("/new plan a trip", { typed: true });
    expect(turn?.options).toMatchObject({ newSession: true, words: "plan a trip" });
  });

  it("hands a line behind a comma to the shell at the terminal, and elsewhere only where the config says so", async () => {
    const { ask } = await stage();
    const typed = { typed: true, idempotencyKey: "1" };
    expect((await ask(",echo x", typed)).turn?.options).toMatchObject({ shellLine: ",echo x" });
    expect((await ask(",echo x", { ...typed, channel: "chat" })).turn?.options).not.toHaveProperty(
      "shellLine",
    );
    const open = await stage({ routing: { shellPassthrough: true } });
    expect((await open.ask(",echo x", { ...typed, channel: "chat" })).turn?.options).toHaveProperty(
      "shellLine",
    );
    const line = async (text: string, start: number, key: string) =>
      (await open.ask(text, { typed: true, idempotencyKey: key, pasted: [{ start, end: text.length }] })).turn
        ?.options;
    // The comma is typed: what is pasted behind it may be the line, and never a second one.
    expect(await line(",echo x", 1, "2")).toMatchObject({ shellLine: ",echo x" });
    expect(await line(",echo x", 0, "3")).not.toHaveProperty("shellLine");
    expect(await line(",echo x\nrm -r y", 6, "4")).not.toHaveProperty("shellLine");
  });

  it.each(["/stauts", "/xyz"])("does not pay a model for %s, which is no command", async (line) => {
    const { ask } = await stage();
    const { command } = await ask(line, { typed: true });
    expect(command?.output).toContain(`There is no command ${line}.`);
    expect(command?.output.includes("/status")).toBe(line === "/stauts");
  });

  it("TEN-02 hands on no more than the caller has", async () => {
    const { ask } = await stage();
    const said = async (line: string, reach: AskInput["reach"]) =>
      (
        await ask(line, {
          typed: true,
          idempotencyKey: JSON.stringify([line, reach]),
          ...(reach && { reach }),
        })
      ).command?.output ?? "";
    const away = { isAtHome: false };
    const confined = { isAtHome: false, agentIds: ["main"] };
    for (const line of ["/signin", "/browsers"]) {
      const elsewhere = `${line} works in the owner's direct chat on a channel`;
      for (const reach of [away, confined]) expect(await said(line, reach)).toContain(elsewhere);
      expect(await said(line, { isAtHome: true })).not.toContain(elsewhere);
    }
    for (const line of ["/approvals", "/approve 1", "/deny 1", "/config", "/rules", "/rule remove 1"]) {
      expect(await said(line, confined)).toContain("more agents than you were given access to");
      expect(await said(line, away)).not.toContain("more agents than");
    }
    expect(await said("/help", away)).not.toContain("/signin");
    expect(await said("/help", confined)).not.toContain("/approve");
    expect(await said("/help signin", away)).toMatch(/^\/signin works in the owner's direct chat/);
  });
});

describe("going on with a turn that somebody waits for", () => {
  const limit = { type: "step-limit", steps: 3 } as const;
  const stopped = async (ending: TurnEndingRecord) => {
    const room = await stage({ ending: () => ending });
    const wishes = { model: "stub", tools: { enabled: true, allow: [], maxSteps: 3 } };
    const { runId } = await room.ask("count", { idempotencyKey: "first", sessionKey: "one", wishes });
    await ticks();
    const goOn = (more: Partial<AskInput> = {}) =>
      room.ask("go on", { continues: {}, sessionKey: "one", ...more });
    return { ...room, runId, goOn };
  };

  it("LOOP-05 queues it again, once for one key, with the wishes that it had", async () => {
    const { runId, goOn } = await stopped(limit);
    const { turn, duplicate } = await goOn({ wishes: { model: "other" } });
    expect({ duplicate, runId: turn?.turnId }).toEqual({ duplicate: false, runId });
    expect(turn?.options).toMatchObject({ model: "other", tools: { maxSteps: 3 } });
    expect(await goOn({ wishes: { model: "other" } })).toMatchObject({ runId, duplicate: true });
    await expect(goOn()).rejects.toMatchObject({ code: "usage/key-used" });
    await expect(goOn({ input: "something else", wishes: { model: "other" } })).rejects.toMatchObject({
      code: "usage/key-used",
    });
  });

  it("LOOP-05 finds the session by the run", async () => {
    const { runId, ask } = await stopped(limit);
    expect(await ask("go on", { continues: { runId } })).toMatchObject({ runId });
    await expect(ask("go on", { continues: { runId: "r_none" }, idempotencyKey: "l" })).rejects.toMatchObject(
      {
        code: "usage/not-found",
      },
    );
  });

  it.each([
    ["answered", { type: "answered" } as const],
    ["stopped", { type: "aborted", by: "stop" } as const],
  ])("says that there is nothing to go on with where the last turn was %s", async (_, how) => {
    const { goOn, stores } = await stopped(how);
    await expect(goOn()).rejects.toMatchObject({
      code: "usage/not-found",
      text: { key: "continue.nothing" },
    });
    expect(await stores.inbox.find("cli", "local", "k")).toBeUndefined();
  });
});
