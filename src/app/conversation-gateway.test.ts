import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TenantStores } from "../storage/storage.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
let running: Gateway[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-talk-"));
});
afterEach(async () => {
  for (const gateway of running) await gateway.stop(1000);
  running = [];
  rmSync(home, { recursive: true });
});

const door = { dmPolicy: "allowlist", streaming: "edit" };
const settings = {
  owners: ["pigeon:1"],
  contacts: { Bob: ["raven:7"] },
  queue: { debounceMs: 0 },
  channels: { pigeon: { ...door, allowFrom: ["42"], groups: ["g"] }, raven: door },
};

/** What the owner's messages ask for. */
function wanted(message: string) {
  if (message.startsWith("tell Bob")) return [{ tool: "message", quote: "tell Bob", recipients: ["c1"] }];
  const [, session] = /^send (\S+) the message/.exec(message) ?? [];
  return session ? [{ tool: "sessions_send", quote: "send", recipients: [session] }] : [];
}

async function start(steps: ScriptedStep[], more: object = {}) {
  writeFileSync(join(home, "config.json5"), JSON.stringify({ ...settings, ...more }), { mode: 0o600 });
  const [pigeon, raven] = [createRecordingChannel({ id: "pigeon" }), createRecordingChannel({ id: "raven" })];
  const model = createScriptedModel(steps, "scripted", wanted);
  let stores!: TenantStores;
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    { channels: [pigeon.channel, raven.channel], models: [model], wrapStores: (own) => (stores = own) },
  );
  running.push(gateway);
  let count = 0;
  return {
    gateway,
    stores,
    model,
    /** What people see: the network, the chat, the words. */
    seen: () =>
      [pigeon, raven].flatMap(({ channel, ledger }) =>
        ledger.map(({ target, text }) => `${channel.id}:${target.peerId} ${text}`),
      ),
    async say(text: string, sender = "1", peer: ReceivedMessage["peer"] = { kind: "user", id: sender }) {
      await pigeon.say({
        peer,
        sender: { id: sender },
        message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
        timestamp: Date.now(),
      });
      await gateway.idle();
    },
  };
}

const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({
  calls: [{ name, arguments: input }],
});

describe("a gateway whose agent writes messages itself", () => {
  it("ROUTE-15 does not say again what the turn has sent itself, not even as it grows", async () => {
    const { say, seen } = await start([
      call("message", {
        action: "reply",
        text: "Here it is, as you asked. It took a while, but all of it is there now.",
      }),
      { text: "Here it is, as you asked.\n\nIt took a while, but all of it is there now." },
    ]);
    await say("where is it?");
    expect(seen()).toEqual([
      "pigeon:1 Here it is, as you asked. It took a while, but all of it is there now.",
    ]);
  });

  it("ROUTE-15 says nothing more where the model has nothing more to say", async () => {
    const { say, seen } = await start([
      call("message", { action: "reply", text: "Done." }),
      { text: "NO_REPLY" },
    ]);
    await say("do it");
    expect(seen()).toEqual(["pigeon:1 Done."]);
  });

  it("TOOL-06 TOOL-11 writes to a contact of the owner on another network, and answers where it was asked", async () => {
    const { say, seen } = await start([
      call("message", { action: "send", to: "Bob", text: "She is late" }),
      { text: "Told him." },
    ]);
    await say("tell Bob that I am late");
    expect(seen()).toEqual(["pigeon:1 Told him.", "raven:7 She is late"]);
  });

  it("says with /why what the owner asked for, and what was done with it", async () => {
    const { say, seen, stores } = await start([
      call("message", { action: "send", to: "Bob", text: "She is late" }),
      { text: "Told him." },
    ]);
    await say("tell Bob that I am late");
    await say("/why");
    expect(seen()).toContain(
      "pigeon:1 No call was denied or asked about in this session lately.\n" +
        "You asked for: write to Bob, once `tell Bob` (used once)",
    );
    const [turn] = await stores.turns.list({ limit: 1 });
    const records = await stores.audit.list({ limit: 9, runId: turn?.turnId ?? "" });
    expect(records.map(({ action }) => action)).toContain("gate-plan");
  });

  it("TOOL-06 writes for somebody else to nobody but them", async () => {
    const { say, seen, model } = await start([
      call("message", { action: "send", to: "Bob", text: "pay me" }),
      { text: "I cannot." },
    ]);
    await say("tell Bob to pay me", "42");
    expect(seen()).toEqual(["pigeon:42 I cannot."]);
    const shown = model.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(shown).toContain("message");
    expect(shown.filter((name) => name.startsWith("sessions_"))).toEqual([]);
  });

  it("TOOL-05 has another session of the agent answer, where its people are", async () => {
    const { say, seen, model, stores } = await start([
      { text: "Hello, group." },
      call("sessions_send", { session: "agent:main:pigeon:group:g", text: "Dinner is at 8." }),
      // Both go on at the same time: the same words are right for either.
      { text: "Dinner is at 8." },
    ]);
    await say("hi", "1", { kind: "group", id: "g" });
    await say("send agent:main:pigeon:group:g the message: dinner is at 8");
    expect(seen().toSorted()).toEqual([
      "pigeon:1 Dinner is at 8.",
      "pigeon:g Dinner is at 8.",
      "pigeon:g Hello, group.",
    ]);
    const [turn] = await stores.turns.list({ limit: 1, sessionKey: "agent:main:pigeon:group:g" });
    expect(turn).toMatchObject({
      state: "done",
      person: { role: "system", id: "system:session:agent:main:main" },
    });
    const read = model.requests
      .flatMap(({ messages }) => messages)
      .flatMap(({ content }): unknown[] => content);
    expect(read).toContainEqual(expect.objectContaining({ origin: "session" }));
  });

  it("ends a run that sends too many messages, and says why", async () => {
    const steps = Array.from({ length: 5 }, (_, index) =>
      call("message", { action: "send", text: `number ${index + 1}` }),
    );
    const limits = { messagesPerMinute: 2 };
    const { say, seen, stores } = await start([...steps, { text: "never" }], { tools: { limits } });
    await say("count");
    expect(seen().slice(0, 2)).toEqual(["pigeon:1 number 1", "pigeon:1 number 2"]);
    expect(seen().slice(2)).toEqual([expect.stringContaining("exceed 2 messages per minute")]);
    const [turn] = await stores.turns.list({ limit: 1 });
    expect(turn).toMatchObject({ state: "failed", ending: { type: "breaker" } });
  });
});
