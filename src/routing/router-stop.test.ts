import { PincerError } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, ticks, type StageSettings } from "./testing/router-stage.ts";

async function started(settings: StageSettings = {}) {
  const stage = stageRouter(settings);
  await stage.start();
  return stage;
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
/** Runs until it is stopped when its first message says so. */
const slowly: NonNullable<StageSettings["work"]> = (_turn, inputs, signal) => {
  const content = inputs[0]?.message.message;
  return content?.type === "text" && content.text.startsWith("slow")
    ? untilAborted(signal)
    : Promise.resolve();
};
const lines = (rows: OutboxRow[]) =>
  rows.map(({ destination, replyTo, text }) => [destination.channel, ...(replyTo ? [replyTo] : []), text]);
const owners = ["telegram:42", "discord:42"];
const onDiscord = (id: string, text: string) => inbound({ channel: "discord", id, text });
const inGroup = (id: string, text: string, sender = "7") =>
  inbound({ channel: "discord", peer: { kind: "group", id: "g" }, sender: { id: sender }, id, text });

describe("stop, where others asked for something in the same session", () => {
  it("tells every conversation whose messages it takes away, once and in its own place", async () => {
    const { receive, pass, settle, said, stateOf, woken } = await started({
      owners,
      work: slowly,
      routing: { queueMode: "followup" },
    });
    await receive(inbound({ id: "1", text: "slow" }));
    await pass(300);
    await receive(onDiscord("2", "a question"));
    await pass(300);
    await receive(onDiscord("3", "another"));
    await pass(300);
    await receive(inbound({ id: "4", text: "stop" }));
    await settle();
    expect(lines(await said()).sort()).toEqual([
      ["discord", "Stopped."],
      ["telegram", "Stopped."],
    ]);
    expect(woken.map(({ destination }) => destination.channel)).toContain("discord");

    await receive(inbound({ id: "5", text: "slow" }));
    await pass(300);
    const gathered = await receive(onDiscord("6", "still being gathered"));
    await ticks();
    await receive(inbound({ id: "7", text: "stop" }));
    await settle();
    expect(await stateOf(gathered)).toBe("done cancelled");
    expect(lines(await said()).filter(([channel]) => channel === "discord")).toHaveLength(2);
  });

  it("tells others in a group, naming their message, and the person who said stop only once", async () => {
    const { receive, pass, settle, said } = await started({
      work: slowly,
      routing: { queueMode: "followup", debounceMs: 0 },
    });
    await receive(inGroup("1", "slow", "1"));
    await pass(10);
    await receive(inGroup("2", "mine", "1"));
    await receive(inGroup("3", "theirs", "7"));
    await pass(10);
    await receive(inGroup("4", "stop", "1"));
    await settle();
    expect(await said()).toHaveLength(2);
    expect(lines(await said())).toContainEqual(["discord", "3", "Stopped."]);
  });

  it("tells who has steered words into somebody else's turn", async () => {
    const { receive, pass, settle, said } = await started({ work: slowly, routing: { debounceMs: 0 } });
    await receive(inGroup("1", "slow", "1"));
    await pass(10);
    await receive(inGroup("2", "one more thing", "7"));
    await pass(10);
    await receive(inGroup("3", "stop", "1"));
    await settle();
    expect(lines(await said())).toContainEqual(["discord", "2", "Stopped."]);
  });
});

describe("/new, where others asked for something in the same session", () => {
  it("SESS-19 leaves what waits elsewhere to be answered in the new session", async () => {
    const { receive, pass, settle, said, turns, stateOf } = await started({
      owners,
      work: slowly,
      routing: { queueMode: "followup" },
    });
    await receive(inbound({ id: "1", text: "slow" }));
    await pass(300);
    await receive(onDiscord("2", "a question"));
    await pass(300);
    await receive(inbound({ id: "3", text: "mine" }));
    await pass(300);
    const gathered = await receive(onDiscord("4", "gathered"));
    await ticks();
    await receive(inbound({ id: "5", text: "/new" }));
    await settle();
    expect(lines(await said()).filter(([channel]) => channel === "discord")).toEqual([
      ["discord", "echo: a question"],
      ["discord", "echo: gathered"],
    ]);
    expect(lines(await said())).toContainEqual(["telegram", "A new session has started."]);
    expect(lines(await said())).not.toContainEqual(["telegram", "echo: mine"]);
    expect(await stateOf(gathered)).toBe("done");
    const [first, second] = await turns();
    expect(second?.sessionId).toBeTruthy();
    expect(second?.sessionId).not.toBe(first?.sessionId);
  });

  it("waits for a session that another process has, however long, and is not the message's fault", async () => {
    let busy = true;
    const { receive, settle, said, stateOf, stores } = await started({
      beginSession: () => {
        if (busy) throw new PincerError("session/busy", "another process is at work");
      },
    });
    const row = await receive(inbound({ id: "1", text: "/new" }));
    for (let round = 0; round < 5; round++) await settle();
    expect(await stateOf(row)).toBe("new");
    expect(await stores.notices.list({ limit: 5 })).toEqual([]);
    busy = false;
    for (let round = 0; round < 5; round++) await settle();
    expect(await stateOf(row)).toBe("command new");
    expect(lines(await said())).toEqual([["telegram", "A new session has started."]]);
  });
});

describe("a message that is quarantined", () => {
  const broken: StageSettings["through"] = (stores) => ({
    ...stores,
    turns: { ...stores.turns, enqueue: () => Promise.reject(new TypeError("a bug")) },
  });

  it("is not passed over in silence: its sender gets one line for the whole burst", async () => {
    const { receive, settle, said, stateOf } = await started({ through: broken });
    const row = await receive(inbound({ id: "1", text: "one" }));
    await receive(inbound({ id: "2", text: "two" }));
    await settle();
    expect(await stateOf(row)).toBe("dead failed");
    expect(lines(await said())).toEqual([["telegram", expect.stringContaining("quarantined")]]);
  });

  it("says nothing to a stranger", async () => {
    const { receive, settle, said, stateOf } = await started({
      door: { dmPolicy: "pairing" },
      through: (stores) => ({
        ...stores,
        pairing: { ...stores.pairing, request: () => Promise.reject(new TypeError("a bug")) },
      }),
    });
    const row = await receive(inbound({ id: "1", text: "one" }));
    await settle();
    expect(await stateOf(row)).toBe("dead failed");
    expect(await said()).toEqual([]);
  });
});

describe("what is no business of the router", () => {
  it("leaves questions alone that another process runs itself", async () => {
    const { stores, settle, said, stateOf, start, restart } = await started();
    const { row } = await stores.inbox.accept(inbound({ channel: "cli", text: "asked" }), {
      person: { role: "owner", id: "cli:owner" },
      session: {
        sessionKey: "agent:main:main",
        workspaceId: "w_default",
        agentId: "main",
        origin: { channel: "cli" },
        cwd: "/",
      },
      rule: "default",
      typed: true,
      queue: "own",
      options: {},
      direct: true,
    });
    await settle();
    await restart();
    await start();
    await settle();
    expect(await stateOf(row)).toBe("new");
    expect(await said()).toEqual([]);
  });
});

describe("a stranger whose code has run out", () => {
  it("CHAN-21 is told the new one, and so is the owner", async () => {
    const { receive, settle, said, stores, clock } = await started({
      door: { dmPolicy: "pairing", pairing: { ttlMs: 1000, max: 3 } },
    });
    await receive(inbound({ id: "1" }));
    await ticks();
    const [notice] = await stores.notices.untold(9);
    await stores.notices.tell(notice?.id ?? "", []);
    await clock.advance(1500);
    await receive(inbound({ id: "2" }));
    await ticks();
    const [request] = await stores.pairing.list({ mostOn: () => 3 });
    const code = `${request?.code.slice(0, 4)}-${request?.code.slice(4)}`;
    expect((await said()).at(-1)?.text).toContain(code);
    expect(await stores.notices.untold(9)).toMatchObject([{ text: { parameters: { code } } }]);
    await settle();
  });
});
