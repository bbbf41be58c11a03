import { PincerError, type InboundMessage } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { TenantStores } from "../storage/storage.ts";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, ticks, type StageSettings } from "./testing/router-stage.ts";
import { systemMessage } from "./system-message.ts";

async function started(settings: StageSettings = {}) {
  const stage = stageRouter(settings);
  await stage.start();
  return stage;
}

const group = (given: Parameters<typeof inbound>[0] = {}) =>
  inbound({ channel: "discord", peer: { kind: "group", id: "g1" }, ...given });
const texts = (rows: Array<{ text: string }>) => rows.map(({ text }) => text);
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

describe("the router", () => {
  it("ROUTE-11 LOOP-14 takes a message from the inbox through a turn to the outbox, back to where it came from", async () => {
    const { receive, settle, turns, said, stateOf } = await started();
    const row = await receive(inbound({ accountId: "work", threadId: "t9", text: "hi" }));
    await settle();
    expect(await stateOf(row)).toBe("done");
    expect(texts(await said())).toEqual(["echo: hi"]);
    const [turn] = await turns();
    const destination = {
      channel: "telegram",
      accountId: "work",
      target: { peerKind: "user", peerId: "42", threadId: "t9" },
    };
    expect(turn).toMatchObject({
      state: "done",
      destination,
      rule: "default",
      person: { id: "telegram:42" },
    });
    expect((await said())[0]?.destination).toEqual(destination);
  });

  it("GW-08 hands the turn its id, its time, its input and its session", async () => {
    const { receive, settle, turns, stores } = await started();
    await receive(inbound({ text: "hi" }));
    await settle();
    const [turn] = await turns();
    expect(turn).toMatchObject({ sessionKey: "agent:main:telegram:dm:42", agentId: "main", cwd: "/" });
    expect(turn?.turnId).toBeTruthy();
    expect(turn?.sessionId).toBeTruthy();
    expect(Date.parse(turn?.queuedAt ?? "")).not.toBeNaN();
    expect((await stores.turns.inputs(turn?.turnId ?? ""))[0]?.message.message).toMatchObject({ text: "hi" });
  });

  it("ROUTE-01 is silent to whom the door refuses", async () => {
    const { receive, settle, turns, said, stateOf } = await started({ door: { dmPolicy: "allowlist" } });
    const row = await receive(inbound());
    await settle();
    expect(await stateOf(row)).toBe("refused not-allowed");
    expect([await turns(), await said()]).toEqual([[], []]);
  });

  it("CHAN-21 tells a stranger the code and the owner how to approve it", async () => {
    const { receive, settle, said, stateOf, stores, turns } = await started({
      door: { dmPolicy: "pairing" },
    });
    const row = await receive(inbound());
    await receive(inbound({ id: "m2" }));
    await settle();
    expect(await stateOf(row)).toBe("refused pairing");
    const [request] = await stores.pairing.list({ mostOn: () => 3 });
    const code = `${request?.code.slice(0, 4)}-${request?.code.slice(4)}`;
    const answers = await said();
    expect(answers).toHaveLength(1);
    expect(answers[0]?.text).toContain(`pincer pairing approve ${code}`);
    const [notice] = await stores.notices.list({ limit: 10 });
    expect(notice?.text.parameters).toMatchObject({ sender: "telegram:42", code });
    expect(await turns()).toEqual([]);
  });

  it("welcomes an owner who has claimed this account", async () => {
    const { receive, settle, said, stores } = await started({ door: { dmPolicy: "pairing" } });
    await stores.pairing.openClaim({ code: "ABCDEFGH", ttlMs: 600_000 });
    await receive(inbound({ text: "ABCD-EFGH" }));
    await settle();
    expect(texts(await said())).toEqual(["Welcome. You are my owner here from now on."]);
    await receive(inbound({ id: "m2", text: "hi" }));
    await settle();
    expect(texts(await said()).at(-1)).toBe("echo: hi");
  });

  it("ROUTE-10 makes one turn of a burst on a chat, and a turn of each message on a terminal", async () => {
    const { receive, settle, said, pass } = await started({ routing: { queueMode: "followup" } });
    for (const id of ["1", "2", "3"]) {
      await receive(inbound({ id, text: id }));
      await pass(200);
    }
    await settle();
    expect(texts(await said())).toEqual(["echo: 1 + 2 + 3"]);
    for (const id of ["4", "5"]) await receive(inbound({ channel: "local", id, text: id }));
    await ticks();
    expect(texts(await said()).slice(1)).toEqual(["echo: 4", "echo: 5"]);
  });

  it("ROUTE-12 ROUTE-10 answers a command at once, past the burst that is being gathered", async () => {
    const { receive, settle, said, stateOf } = await started();
    await receive(inbound({ id: "1", text: "one" }));
    const command = await receive(inbound({ id: "2", text: "/help" }));
    await ticks();
    expect(texts(await said())[0]).toContain("answered without the model");
    expect(await stateOf(command)).toBe("command help");
    await settle();
    expect(texts(await said())[1]).toBe("echo: one");
  });

  it("CHAN-24 keeps what a group says as context, at most 50, and gives it to the next turn", async () => {
    const { receive, settle, said, stores } = await started();
    let conversation = "";
    for (let index = 0; index < 60; index++) {
      const row = await receive(group({ id: `c${index}`, text: `c${index}`, mentioned: false }));
      ({ conversation } = row);
    }
    await receive(group({ id: "other", text: "elsewhere", mentioned: false, threadId: "7" }));
    await settle();
    expect(await stores.inbox.context(conversation, 100)).toHaveLength(50);
    expect(await said()).toEqual([]);
    await receive(group({ id: "m", text: "well?" }));
    await settle();
    const heard = Array.from({ length: 50 }, (_, index) => `c${index + 10}`);
    expect(texts(await said())).toEqual([`echo: ${[...heard, "well?"].join(" + ")}`]);
    expect((await said())[0]?.replyTo).toBe("m");
  });

  it("stops a session's work at once on a bare stop, and says so once", async () => {
    const { receive, settle, said, turns, pass, stateOf } = await started({
      routing: { queueMode: "followup" },
      work: (_turn, _inputs, signal) => untilAborted(signal),
    });
    await receive(inbound({ id: "1", text: "long work" }));
    await pass(300);
    await receive(inbound({ id: "2", text: "more" }));
    await pass(300);
    const gathered = await receive(inbound({ id: "3", text: "and more" }));
    await ticks();
    await receive(inbound({ id: "4", text: "Stop!" }));
    await ticks();
    expect((await turns()).map(({ ending }) => ending)).toEqual([
      { type: "aborted", by: "stop" },
      { type: "aborted", by: "stop" },
    ]);
    expect(texts(await said())).toEqual(["Stopped."]);
    expect(await stateOf(gathered)).toBe("done cancelled");
    await settle();
    await receive(inbound({ id: "5", text: "/stop" }));
    await settle();
    expect(texts(await said())).toEqual(["Stopped.", "Nothing is running."]);
  });

  it("stops another person's work no more than another session's", async () => {
    const { receive, pass, lanes } = await started({
      work: (_turn, _inputs, signal) => untilAborted(signal),
    });
    await receive(inbound({ text: "long work" }));
    await pass(300);
    await receive(inbound({ sender: { id: "43" }, peer: { kind: "user", id: "43" }, id: "2", text: "stop" }));
    await ticks();
    expect(lanes().load().running).toBe(1);
  });

  it("CLI-31 SESS-19 begins a new session on /new, or with the words behind it", async () => {
    const { receive, settle, said, begunSessions, turns } = await started();
    await receive(inbound({ id: "1", text: "one" }));
    await settle();
    await receive(inbound({ id: "2", text: "/new" }));
    await receive(inbound({ id: "3", text: "two" }));
    await settle();
    await receive(inbound({ id: "4", text: "/new three" }));
    await settle();
    expect(texts(await said())).toEqual([
      "echo: one",
      "A new session has started.",
      "echo: two",
      "echo: /new three",
    ]);
    expect(begunSessions).toEqual(["agent:main:telegram:dm:42"]);
    expect(new Set((await turns()).map(({ sessionId }) => sessionId)).size).toBe(3);
  });

  it("steers what comes during a turn into it, and makes a turn of what it did not take up", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { receive, settle, said, pass, turns } = await started({ work: () => gate });
    await receive(inbound({ id: "1", text: "one" }));
    await pass(300);
    await ticks();
    await receive(inbound({ id: "2", text: "two" }));
    await pass(300);
    await ticks();
    expect(await turns()).toHaveLength(1);
    open();
    await settle();
    expect(texts(await said())).toEqual(["echo: one", "echo: two"]);
  });

  it("interrupts the running turn where that is the mode", async () => {
    const { receive, settle, pass, turns } = await started({
      routing: { queueMode: "interrupt" },
      work: (_turn, inputs, signal) =>
        inputs.length > 0 && isText(inputs, "one") ? untilAborted(signal) : done,
    });
    await receive(inbound({ id: "1", text: "one" }));
    await pass(300);
    await ticks();
    await receive(inbound({ id: "2", text: "two" }));
    await settle();
    expect((await turns()).map(({ ending }) => ending)).toEqual([
      { type: "aborted", by: "interrupt" },
      { type: "answered" },
    ]);
  });

  it("tells the sender when too much is waiting", async () => {
    const { receive, settle, said, pass, stateOf } = await started({
      routing: { queueMode: "followup", queueCap: 2 },
      work: (_turn, _inputs, signal) => untilAborted(signal),
    });
    let row;
    for (const id of ["1", "2", "3", "4"]) {
      row = await receive(inbound({ id, text: id }));
      await pass(300);
      await ticks();
    }
    expect(row && (await stateOf(row))).toBe("refused full");
    expect(texts(await said())).toEqual([expect.stringContaining("2 messages are already waiting")]);
    await settle();
  });

  it("changes a message that still waits, forgets one that was deleted, and answers the rest of its burst", async () => {
    const { receive, settle, said, stateOf } = await started();
    for (const id of ["1", "2", "3"]) await receive(inbound({ id, text: id }));
    await receive(inbound({ message: edit("e1", "1", "uno") }));
    const deletion = await receive(inbound({ message: { type: "delete", id: "d1", of: "2" } }));
    await settle();
    expect(texts(await said())).toEqual(["echo: uno + 3"]);
    expect(await stateOf(deletion)).toBe("done amended");
  });

  it("records a change of what was answered already, once", async () => {
    const { receive, settle, stores, turns, restart, start } = await started();
    await receive(inbound({ id: "1", text: "one" }));
    await settle();
    await receive(inbound({ message: edit("e1", "1", "uno") }));
    await settle();
    const sessionId = (await turns())[0]?.sessionId ?? "";
    const events = async () =>
      (await stores.entries.recent(sessionId, 50)).filter((entry) => entry.type === "event");
    expect(await events()).toMatchObject([{ name: "message-edited", data: { messageId: "1", text: "uno" } }]);
    await restart();
    await start();
    await settle();
    expect(await events()).toHaveLength(1);
  });

  it("does not let one person rewrite what another said", async () => {
    const { receive, settle, said, stateOf } = await started();
    await receive(group({ id: "1", text: "one", sender: { id: "42" } }));
    const forged = await receive(group({ message: edit("e1", "1", "evil"), sender: { id: "43" } }));
    const elsewhere = await receive(
      group({ message: edit("e2", "1", "evil"), peer: { kind: "group", id: "g2" } }),
    );
    await settle();
    expect(texts(await said())).toEqual(["echo: one"]);
    expect(await stateOf(forged)).toBe("refused not-the-author");
    expect(await stateOf(elsewhere)).toBe("refused no-original");
  });

  it("ROUTE-14 brings a system message to its session past the door, and its answer to its destination", async () => {
    const { clock, receive, settle, said, turns } = await started({
      door: { dmPolicy: "disabled", groupPolicy: "disabled" },
    });
    const destination = {
      channel: "telegram",
      accountId: "default",
      target: { peerKind: "user" as const, peerId: "42" },
    };
    const message = {
      tenantId: "t_default",
      workspaceId: "w_default",
      from: "subagent:7",
      sessionKey: "agent:helper:telegram:dm:42",
      now: clock.now(),
    };
    await receive(systemMessage({ ...message, id: "1", text: "found it", destination }));
    await receive(systemMessage({ ...message, id: "2", text: "quietly", destination: null }));
    await settle();
    expect(await said()).toMatchObject([{ text: "echo: found it", destination }]);
    expect(await turns()).toMatchObject([
      {
        agentId: "helper",
        sessionKey: message.sessionKey,
        person: { role: "system", id: "system:subagent:7" },
      },
      { destination: null, state: "done" },
    ]);
  });

  it("refuses ids that cannot make a session key, instead of trying for ever", async () => {
    const { receive, settle, stateOf, errors } = await started();
    const id = "x".repeat(600);
    const row = await receive(inbound({ sender: { id }, peer: { kind: "user", id } }));
    await settle();
    expect(await stateOf(row)).toBe("refused no-session-key");
    expect(errors).toEqual([]);
  });
});

describe("the router, when things break", () => {
  it("keeps a message through storage trouble, in order, while other conversations go on", async () => {
    let broken = true;
    const { receive, settle, said, pass } = await started({
      routing: { queueMode: "followup", debounceMs: 0 },
      through: failing(
        "turns",
        "enqueue",
        (request) => broken && (request as { inputs: string[] }).inputs[0] === bad,
      ),
    });
    let bad = "";
    bad = (await receive(inbound({ id: "1", text: "one" }))).id;
    await receive(inbound({ id: "2", text: "two" }));
    await receive(
      inbound({ id: "3", text: "other", sender: { id: "43" }, peer: { kind: "user", id: "43" } }),
    );
    await pass(1500);
    await ticks();
    expect(texts(await said())).toEqual(["echo: other"]);
    broken = false;
    await settle();
    expect(texts(await said())).toEqual(["echo: other", "echo: one", "echo: two"]);
  });

  it("sets a message aside that fails for its own reasons three times, with a notice, and goes on", async () => {
    const { receive, settle, said, stateOf, stores } = await started({
      routing: { debounceMs: 0 },
      through: failing("turns", "enqueue", (request) => isAbout(request, bad), new TypeError("a bug")),
    });
    let bad = "";
    const row = await receive(inbound({ id: "1", text: "one" }));
    bad = row.id;
    await receive(inbound({ id: "2", text: "two" }));
    await settle();
    expect(await stateOf(row)).toBe("dead failed");
    expect((await stores.notices.list({ limit: 5 })).map(({ subject }) => subject)).toEqual([
      `message:${row.id}`,
    ]);
    expect(texts(await said())).toEqual([expect.stringContaining("quarantined"), "echo: two"]);
  });

  it("aborts what runs on a stop even while the storage refuses every write", async () => {
    let broken = false;
    const aborted: string[] = [];
    const { receive, settle, pass, said } = await started({
      routing: { debounceMs: 0, queueMode: "followup" },
      through: (stores) =>
        failing("turns", "cancelQueued", () => broken)(failing("turns", "enqueue", () => broken)(stores)),
      work: async (turn, _inputs, signal) => {
        await untilAborted(signal);
        aborted.push(turn.turnId);
      },
    });
    await receive(inbound({ id: "1", text: "long work" }));
    await ticks();
    broken = true;
    await receive(inbound({ id: "2", text: "stuck" }));
    await ticks();
    await receive(inbound({ id: "3", text: "stop" }));
    await ticks();
    expect(aborted).toHaveLength(1);
    broken = false;
    await pass(2000);
    await settle();
    expect(texts(await said())).toContain("Stopped.");
    expect(texts(await said())).not.toContain("Nothing is running.");
  });

  it("takes up at the next start what was left, past the bound of the queue", async () => {
    const { stores, restart, start, settle, said, router } = stageRouter({
      routing: { queueMode: "followup", queueCap: 3 },
    });
    for (let index = 0; index < 10; index++) {
      const { row } = await stores.inbox.accept(inbound({ id: `${index}`, text: `${index}` }));
      router().accept(row);
    }
    await settle();
    expect(await said()).toEqual([]);
    await restart();
    await start();
    await settle();
    expect(texts(await said())).toEqual(Array.from({ length: 10 }, (_, index) => `echo: ${index}`));
  });

  it("reads from the inbox what it could not keep in memory, each message once and in order", async () => {
    const { receive, settle, said } = await started({
      mostInHand: 3,
      routing: { queueMode: "followup", debounceMs: 0, queueCap: 100 },
    });
    const sent: string[] = [];
    for (let index = 0; index < 40; index++) {
      const peer = { kind: "user" as const, id: `${index % 4}` };
      sent.push(`echo: ${index}`);
      void receive(inbound({ id: `${index}`, text: `${index}`, peer, sender: { id: peer.id } }));
    }
    await settle();
    const heard = texts(await said());
    expect([...heard].sort()).toEqual([...sent].sort());
    for (let person = 0; person < 4; person++) {
      const mine = (text: string) => Number(text.replace("echo: ", "")) % 4 === person;
      expect(heard.filter(mine)).toEqual(sent.filter(mine));
    }
  });

  it("makes a dead letter of a message that took the process down three times, and takes it up when it is handed in again", async () => {
    const poison = (stores: TenantStores): TenantStores => ({
      ...stores,
      turns: {
        ...stores.turns,
        enqueue: (request) =>
          request.inputs.includes(bad) ? new Promise<never>(() => {}) : stores.turns.enqueue(request),
      },
    });
    let bad = "";
    const stage = stageRouter({ routing: { debounceMs: 0 }, through: (stores) => poison(stores) });
    await stage.start();
    const row = await stage.receive(inbound({ id: "1", text: "poison" }));
    bad = row.id;
    await ticks();
    for (let crash = 1; crash <= 3; crash++) {
      expect(await stage.stateOf(row)).toBe("new");
      await stage.pass(10);
      await stage.restart();
      void stage.start();
      await ticks();
    }
    expect(await stage.stateOf(row)).toBe("dead crashed");
    expect(await stage.stores.notices.list({ limit: 5 })).toHaveLength(1);
    await stage.receive(inbound({ id: "2", text: "fine" }));
    await stage.settle();
    expect(texts(await stage.said())).toEqual([expect.stringContaining("quarantined"), "echo: fine"]);

    bad = "";
    const revived = await stage.stores.inbox.revive(row.id);
    if (revived) stage.router().accept(revived);
    await stage.settle();
    expect(texts(await stage.said()).slice(1)).toEqual(["echo: fine", "echo: poison"]);
  });

  it("queues what was gathered when it drains, and takes up nothing more", async () => {
    const { clock, receive, router, turns, stateOf } = await started();
    await receive(inbound({ id: "1", text: "one" }));
    await ticks();
    const draining = router().drain(1000);
    const late = await receive(inbound({ id: "2", text: "two" }));
    await draining;
    await ticks();
    expect(await turns()).toHaveLength(1);
    expect(await stateOf(late)).toBe("new");
    expect(clock.sleeping()).toBeLessThanOrEqual(1);
  });

  it("is idle when every accepted message is through", async () => {
    const { receive, router, pass, turns } = await started();
    await receive(inbound());
    let isIdle = false;
    const idle = router()
      .idle()
      .then(() => (isIdle = true));
    await ticks();
    expect(isIdle).toBe(false);
    await pass(300);
    await idle;
    expect(await turns()).toHaveLength(1);
  });
});

const done = Promise.resolve();
const edit = (id: string, of: string, text: string): InboundMessage["message"] => ({
  type: "edit",
  id,
  of,
  text,
  attachments: [],
  mentioned: true,
});

function isText(inputs: Array<{ message: InboundMessage }>, text: string): boolean {
  const content = inputs[0]?.message.message;
  return content?.type === "text" && content.text === text;
}

const isAbout = (request: unknown, id: string): boolean =>
  (request as { inputs: string[] }).inputs.includes(id);

/** A verb that throws whenever `isBroken` says so. */
function failing<Name extends keyof TenantStores>(
  name: Name,
  verb: keyof TenantStores[Name],
  isBroken: (request: unknown) => boolean,
  error: Error = new PincerError("storage/full", "the disk is full"),
): (stores: TenantStores) => TenantStores {
  return (stores) => {
    const store = stores[name];
    const real = store[verb] as (...parameters: unknown[]) => Promise<unknown>;
    const broken = (...parameters: unknown[]) =>
      isBroken(parameters[0]) ? Promise.reject(error) : real(...parameters);
    const copy = new Proxy(store, {
      get: (target, key) => (key === verb ? broken : Reflect.get(target, key)),
    });
    return { ...stores, [name]: copy };
  };
}
