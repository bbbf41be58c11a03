/** What was pasted into a message is pasted wherever the message goes: into a turn, a running one, the next process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry, MethodParams, Model, ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
const open = new Set<{ gateway: Gateway; close(): void }>();
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-pasted-"));
});
afterEach(async () => {
  for (const each of open) {
    each.close();
    await each.gateway.stop(0);
  }
  open.clear();
  rmSync(home, { recursive: true });
});

const answering = () => createScriptedModel([{ text: "Very well." }]);

async function start(model: Model = answering(), queue: object = {}) {
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0, ...queue },
    channels: { pigeon: { dmPolicy: "open" } },
    agents: { defaults: { toolMaxSteps: 1 } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const network = createRecordingChannel({ id: "pigeon" });
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    { channels: [network.channel], models: [model] },
  );
  const client = await connectTo(gateway.socket);
  let said = 0;
  const opened = { gateway, close: () => client.close() };
  open.add(opened);
  return {
    gateway,
    client,
    send: (text: string, more: Partial<MethodParams<"chat.send">> = {}) =>
      client.request("chat.send", { text, typed: true, idempotencyKey: text, ...more }),
    say: (text: string) =>
      network.say({
        peer: { kind: "user", id: "42" },
        sender: { id: "42" },
        message: { type: "text", id: `m${++said}`, text, attachments: [], mentioned: true },
        timestamp: Date.now(),
      } satisfies ReceivedMessage),
    async stop() {
      open.delete(opened);
      client.close();
      await gateway.stop(0);
    },
    /** What people said, newest last: pasted parts between angle brackets, a question mark where a paste is possible. */
    async said() {
      const { entries } = await client.request("chat.history", { limit: 100 });
      return wordsOf(entries);
    },
  };
}

const wordsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "user") return [];
    const parts = entry.message.content.flatMap((block) => (block.type === "text" ? [block] : []));
    return [
      parts
        .map(({ text, origin, from, pasted }) => {
          if (pasted === "certain") return `${origin === "quoted" && from === "pasted" ? "" : "?"}<${text}>`;
          return `${origin === "owner" ? "" : "?"}${text}${pasted === "possible" ? "?" : ""}`;
        })
        .join("|"),
    ];
  });

/** The range of `part` in `text`. */
const rangeOf = (text: string, part: string) => {
  const start = text.indexOf(part);
  return [{ start, end: start + part.length }];
};
const pasting = (text: string, part: string) => ({ pasted: rangeOf(text, part) });

it("SEC-02 is a text of its own in the transcript, and one sentence for the model", async () => {
  const model = answering();
  const { send, said, gateway, client } = await start(model);
  const text = "to ann@b.example now";
  const { runId } = await send(text, pasting(text, "ann@b.example"));
  await gateway.idle();
  expect(await said()).toEqual(["to |<ann@b.example>| now"]);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("certain");
  const replayed = await client.request("runs.replay", { runId });
  expect(replayed.same).toBe(true);
});

it.each([
  [
    "that overlap",
    [
      { start: 0, end: 4 },
      { start: 2, end: 5 },
    ],
  ],
  [
    "in the wrong order",
    [
      { start: 4, end: 5 },
      { start: 0, end: 1 },
    ],
  ],
  ["outside of the text", [{ start: 3, end: 999 }]],
  ["below it", [{ start: -1, end: 1 }]],
])("SEC-02 is all of the message with ranges %s, never less", async (_name, pasted) => {
  const { send, said, gateway } = await start();
  await send("to ann now", { pasted });
  await gateway.idle();
  expect(await said()).toEqual(["<to ann now>"]);
});

it("SEC-02 may be in what comes from where nobody can tell, if it is long or has several lines", async () => {
  const { say, send, said, gateway } = await start(answering(), { mode: "followup" });
  await say("short");
  await gateway.idle();
  await say("one\ntwo");
  await gateway.idle();
  await say("x".repeat(281));
  await gateway.idle();
  // A client of an older version.
  await send("older\nclient");
  await gateway.idle();
  // Nobody typed it: it is not the owner's at all.
  await send("a\nprogram", { typed: false });
  await gateway.idle();
  expect(await said()).toEqual(["short", "one\ntwo?", `${"x".repeat(281)}?`, "older\nclient?", "a\nprogram"]);
});

it("SEC-02 stays where it is when a message joins a running turn, and when several become one", async () => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const scripted = createScriptedModel([{ calls: [{ name: "time_now" }] }, { text: "Very well." }]);
  const held: Model = {
    ...scripted,
    async *stream(request) {
      begun.resolve();
      if (scripted.requests.length === 0) await gate.promise;
      yield* scripted.stream(request);
    },
  };
  const { send, said, gateway } = await start(held, { mode: "steer" });
  await send("first");
  await begun.promise;
  const text = "and to bob@b.example";
  expect(await send(text, pasting(text, "bob@b.example"))).toMatchObject({ joined: true });
  await send("or /approve", pasting("or /approve", "/approve"));
  gate.resolve();
  await gateway.idle();
  expect(await said()).toEqual(["first", "and to |<bob@b.example>", "or |</approve>"]);
});

it("SEC-02 is the same for the next process, whether the turn had begun or not", async () => {
  const begun = Promise.withResolvers<void>();
  const dead: Model = {
    ...answering(),
    async *stream({ signal }) {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      yield* [];
    },
  };
  const first = await start(dead, { mode: "followup" });
  await first.send("about one\ntwo", pasting("about one\ntwo", "one\ntwo"));
  await begun.promise;
  await first.send("about three", pasting("about three", "three"));
  await first.say("four\nfive");
  await first.stop();
  const { gateway, said } = await start(answering(), { mode: "followup" });
  await gateway.idle();
  expect(await said()).toEqual(["about |<one\ntwo>", "about |<three>", "four\nfive?"]);
});

it("SEC-02 is known behind a command that begins a session, and when a run goes on", async () => {
  const model = createScriptedModel([
    { calls: [{ name: "time_now" }] },
    { calls: [{ name: "time_now" }] },
    { text: "ok" },
  ]);
  const { send, said, gateway, client } = await start(model);
  const text = "/new  look at a@b.example\n";
  await send(text, pasting(text, "a@b.example"));
  await gateway.idle();
  expect(await said()).toEqual(["look at |<a@b.example>"]);
  const { runId } = await client.request("agent.continue", {
    input: "go on with c",
    typed: true,
    pasted: rangeOf("go on with c", "c"),
    idempotencyKey: "c",
  });
  await client.request("agent.wait", { runId });
  await gateway.idle();
  expect(await said()).toEqual(["look at |<a@b.example>", "go on with |<c>"]);
});

it("SEC-02 is what it was when a message is answered again, and when other words are said instead", async () => {
  const { send, said, gateway, client } = await start();
  await send("about one", pasting("about one", "one"));
  await gateway.idle();
  const { entries } = await client.request("chat.history", {});
  const seq = entries.find((entry) => entry.type === "message")?.seq ?? 0;
  await client.request("chat.resend", { seq, idempotencyKey: "again" });
  await gateway.idle();
  const newest = async () => (await said()).at(-1);
  expect(await newest()).toBe("about |<one>");
  const last = (await client.request("chat.history", {})).entries.findLast(
    (entry) => entry.type === "message" && entry.message.role === "user",
  );
  await client.request("chat.resend", {
    seq: last?.seq ?? 0,
    text: "about /approve",
    typed: true,
    pasted: rangeOf("about /approve", "/approve"),
    idempotencyKey: "instead",
  });
  await gateway.idle();
  expect(await newest()).toBe("about |</approve>");
});
