/**
 * The tour: one message walks the staircase, from a network into the gateway and back out to the network. Read it top to bottom; each
 * step names the folder it happens in.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { afterAll, expect, it } from "vitest";
import { createGateway } from "../src/app/create-gateway.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";
import type { TenantStores } from "../src/storage/storage.ts";

const home = mkdtempSync(join(tmpdir(), "pincer-tour-"));
afterAll(() => rmSync(home, { recursive: true }));

it("ARCH-03 ARCH-04 walks one message down the staircase and its answer back up", async () => {
  // config: one channel, and the owner who writes on it.
  writeFileSync(
    join(home, "config.json5"),
    `{ owners: ["pigeon:42"], channels: { pigeon: {} }, queue: { debounceMs: 0 } }`,
    { mode: 0o600 },
  );
  mkdirSync(join(home, "workspace"));
  writeFileSync(join(home, "workspace", "list.txt"), "milk");

  // channels/…: a network with a connector of its own; models: one that looks at the shopping list before it answers.
  const network = createRecordingChannel({ id: "pigeon" });
  const model = createScriptedModel([
    { calls: [{ name: "read", arguments: { path: "list.txt" } }] },
    { text: "You need milk." },
  ]);

  // app: everything is built and handed to each other in one place.
  let stores!: TenantStores;
  const gateway = await createGateway(
    {
      environment: { PINCER_HOME: home },
      redactor: createRedactor(),
      say: createSay("en"),
      notify: () => {},
      tell: () => {},
      cwd: home,
      version: "tour",
    },
    {},
    { channels: [network.channel], models: [model], wrapStores: (own) => (stores = own) },
  );

  // channels/pigeon → src/channels: somebody writes. It is on the disk before the network hears that it was taken.
  const [taken] = await network.say({
    peer: { kind: "user", id: "42" },
    sender: { id: "42", name: "Ada" },
    message: { type: "text", id: "m1", text: "What do I need?", attachments: [], mentioned: true },
    timestamp: Date.now(),
  });
  expect(taken?.type).toBe("stored");
  const stored = await stores.inbox.find("pigeon", "default", "m1");
  expect(stored?.message).toMatchObject({ channel: "pigeon", sender: { id: "42" } });

  await gateway.idle();

  // routing: the door let her in, and found the agent, the session, and the one place that the answer goes to.
  const turn = await stores.turns.get((await stores.inbox.find("pigeon", "default", "m1"))?.turnId ?? "");
  expect(turn).toMatchObject({
    state: "done",
    agentId: "main",
    sessionKey: "agent:main:main",
    rule: "default",
    person: { role: "owner", id: "pigeon:42" },
    destination: { channel: "pigeon", accountId: "default", target: { peerKind: "user", peerId: "42" } },
  });

  // agent → models, policy, tools: the model asked for a tool, the gate let it run in the workdir, the model answered.
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  const said = (await stores.turns.entries(turn?.turnId ?? "")).flatMap((entry) =>
    entry.type === "message" ? [entry.message] : [],
  );
  expect(said.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
  expect(said[2]).toMatchObject({ isError: false, content: [{ type: "text", text: "milk" }] });

  // storage: each step is in the journal; what she sees is a row of the outbox, written with the end of the turn.
  const steps = (await stores.turns.journal(turn?.turnId ?? "")).map(({ type }) => type);
  expect(steps).toEqual(["claimed", "tool-begin", "ended"]);
  expect(await stores.outbox.list({ limit: 5 })).toMatchObject([
    { text: "You need milk.", state: "sent", turnId: turn?.turnId, messageId: network.ledger[0]?.messageId },
  ]);

  // src/channels → channels/pigeon: and there it is, once.
  expect(network.ledger.map(({ text, target }) => ({ text, to: target.peerId }))).toEqual([
    { text: "You need milk.", to: "42" },
  ]);

  // The transcript lies in the home for people to read.
  const sessions = join(home, "agents", "main", "sessions");
  const [file = ""] = readdirSync(sessions);
  const lines = readFileSync(join(sessions, file), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    "session",
    "message",
    "message",
    "message",
    "message",
  ]);
  await gateway.stop();
});
