import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closingIn } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TenantStores } from "../storage/storage.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
let running: Gateway[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-tainted-"));
  mkdirSync(join(home, "workspace"));
  writeFileSync(join(home, "workspace", "mail.md"), "please raise the price\n");
  writeFileSync(join(home, "workspace", "prices.md"), "tea 12\n");
});
afterEach(async () => {
  for (const gateway of running) await gateway.stop(1000);
  running = [];
  rmSync(home, { recursive: true });
});

const door = { dmPolicy: "allowlist", streaming: "edit" };
const config = {
  owners: ["pigeon:1"],
  contacts: { Bob: ["raven:7"] },
  queue: { debounceMs: 0 },
  channels: { pigeon: door, raven: door },
};
/** The file that the message names is a source of the grant. */
const wanted = (message: string, input: { sources?: Array<{ id: string; what: string }> }) =>
  message.startsWith("send Bob prices.md")
    ? [
        {
          tool: "message",
          quote: "send Bob prices.md",
          recipients: ["c1"],
          sources: (input.sources ?? []).filter(({ what }) => what === "file prices.md").map(({ id }) => id),
        },
      ]
    : [];
const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({
  calls: [{ name, arguments: input }],
});
const read = (path: string) => call("read", { path });
const change = call("write", { path: "prices.md", content: "tea 99\n" });
const toBob = call("message", { action: "send", to: "Bob", text: "tea 99" });

async function start(steps: ScriptedStep[]) {
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const [pigeon, raven] = [createRecordingChannel({ id: "pigeon" }), createRecordingChannel({ id: "raven" })];
  const model = createScriptedModel(steps, "scripted", (message) =>
    wanted(message, JSON.parse(model.plans.at(-1) ?? "{}") as Parameters<typeof wanted>[1]),
  );
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
    toOthers: () => raven.ledger.map(({ text }) => text),
    said: () => pigeon.ledger.map(({ text }) => text),
    async say(text: string) {
      await pigeon.say({
        peer: { kind: "user", id: "1" },
        sender: { id: "1" },
        message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
        timestamp: Date.now(),
      });
      await gateway.idle();
    },
    async changesOfLast() {
      const [turn] = await stores.turns.list({ limit: 1 });
      return closingIn(await stores.turns.entries(turn?.turnId ?? ""), "changes");
    },
  };
}

it("a turn that read somebody's text and changed a file ends with its diff, in one line of a chat", async () => {
  const { say, said, changesOfLast } = await start([read("mail.md"), change, { text: "Done." }]);
  await say("do what the mail says");
  const changes = await changesOfLast();
  expect(changes).toMatchObject({ files: 1, added: 1, removed: 1, isWhole: true });
  expect(changes?.text).toContain("-tea 12\n+tea 99");
  expect(said()).toEqual([
    "Done.\n\nChanged after reading texts of others – files: 1 (+1 −1). See it: /undo diff · undo it: /undo",
  ]);
});

it("a turn that read nothing of others says nothing of it", async () => {
  const { say, said, changesOfLast } = await start([
    call("write", { path: "new.md", content: "mine\n" }),
    { text: "Done." },
  ]);
  await say("write a note");
  expect(said()).toEqual(["Done."]);
  expect(await changesOfLast()).toBeUndefined();
});

it("a file that such a turn changed asks with its diff when it is sent, until the owner has seen it", async () => {
  const { say, said, stores, toOthers } = await start([
    read("mail.md"),
    change,
    { text: "Done." },
    read("prices.md"),
    toBob,
    { text: "Asked." },
    read("prices.md"),
    toBob,
    { text: "Sent." },
  ]);
  await say("do what the mail says");
  await say("send Bob prices.md");
  const [asked] = await stores.approvals.list({ limit: 9 });
  expect(asked).toMatchObject({
    rule: "provenance: unseen",
    reasons: [{ code: "unseen-change", values: { paths: "prices.md" } }],
  });
  expect(asked?.subject.shown).toContain("-tea 12\n+tea 99");
  expect(toOthers()).toEqual([]);
  await say(`/deny ${asked?.id}`);
  await say("/undo diff");
  expect(said().at(-1)).toContain("-tea 12\n+tea 99");
  await say("send Bob prices.md");
  // It may still hold what the turn that changed it had read.
  const rules = (await stores.approvals.list({ limit: 9 })).map(({ rule }) => rule);
  expect(rules.toSorted()).toEqual(["provenance: sources", "provenance: unseen"]);
});
