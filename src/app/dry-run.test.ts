import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closingIn, textOf, type Model } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TenantStores } from "../storage/storage.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
let running: Gateway[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-dry-"));
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
  queue: { debounceMs: 0, mode: "steer" },
  channels: { pigeon: { ...door, allowFrom: ["42"] }, raven: door },
};
const wanted = (message: string) =>
  message.startsWith("tell Bob") ? [{ tool: "message", quote: "tell Bob", recipients: ["c1"] }] : [];
const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({
  calls: [{ name, arguments: input }],
});
const toBob = call("message", { action: "send", to: "Bob", text: "She is late" });
const again = call("message", { action: "send", to: "Bob", text: "hello" });

async function start(steps: ScriptedStep[], model: Model = createScriptedModel(steps, "scripted", wanted)) {
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const [pigeon, raven] = [createRecordingChannel({ id: "pigeon" }), createRecordingChannel({ id: "raven" })];
  let stores!: TenantStores;
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    {
      channels: [pigeon.channel, raven.channel],
      models: [model],
      wrapStores: (own) => (stores = own),
    },
  );
  running.push(gateway);
  let count = 0;
  const post = (text: string, sender = "1") =>
    pigeon.say({
      peer: { kind: "user", id: sender },
      sender: { id: sender },
      message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
      timestamp: Date.now(),
    });
  return {
    gateway,
    stores,
    post,
    seen: () =>
      [pigeon, raven].flatMap(({ channel, ledger }) =>
        ledger.map(({ target, text }) => `${channel.id}:${target.peerId} ${text}`),
      ),
    async say(...given: Parameters<typeof post>) {
      await post(...given);
      await gateway.idle();
    },
  };
}

it("a dry run in a chat lists what would be done and what would be asked, and does and asks nothing", async () => {
  const { say, seen, stores } = await start([toBob, again, { text: "All done." }]);
  await say("/dry tell Bob that I am late");
  expect(seen()).toHaveLength(1);
  expect(seen()[0]).toContain("pigeon:1 All done.\n\nDry run: nothing of this was done.\n");
  expect(seen()[0]).toContain("- would do: message: `to Bob (raven/default:7): She is late`");
  expect(seen()[0]).toMatch(
    /\n- would ask: message – the owner asked for .* 1 times.*: `to Bob \(raven\/default:7\): hello`$/,
  );
  expect(await stores.approvals.list({ limit: 9 })).toEqual([]);
  const [turn] = await stores.turns.list({ limit: 1 });
  const entries = await stores.turns.entries(turn?.turnId ?? "");
  expect(closingIn(entries, "dry-run")).toMatchObject({
    effects: [
      { tool: "message", would: "run", recipient: "raven/default:7" },
      { tool: "message", would: "ask", reasons: [{ code: "more-than-asked" }] },
    ],
  });
});

it("files are changed in a copy, which later calls of the turn see, and nobody else", async () => {
  const workspace = join(home, "workspace");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "notes.md"), "one\n");
  const { gateway, say, seen, stores } = await start([
    call("write", { path: "notes.md", content: "two\n" }),
    call("read", { path: "notes.md" }),
    { text: "Changed." },
  ]);
  await say("/dry change my notes");
  expect(readFileSync(join(workspace, "notes.md"), "utf8")).toBe("one\n");
  expect(seen()[0]).toContain("would change files: 1 (+1 −1)\n```\n--- notes.md");
  const [turn] = await stores.turns.list({ limit: 1 });
  const entries = await stores.turns.entries(turn?.turnId ?? "");
  expect(entries.flatMap((entry) => (entry.type === "message" ? [textOf(entry.message)] : []))).toContain(
    "two\n",
  );
  const { changes } = closingIn(entries, "dry-run") ?? {};
  expect(changes).toMatchObject({ files: 1, added: 1, removed: 1, isWhole: true });
  await gateway.stop(1000);
  expect(existsSync(join(home, "dry-runs", turn?.turnId ?? ""))).toBe(false);
});

it("stays a dry run when the gateway stops in the middle of it", async () => {
  const asked = Promise.withResolvers<void>();
  const hanging = await start([], {
    provider: "scripted",
    id: "script",
    async *stream({ signal }) {
      asked.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      // It says no last word.
      yield { type: "text-delta", text: "" };
    },
  });
  await hanging.post("/dry tell Bob that I am late");
  await asked.promise;
  await hanging.gateway.stop(0);
  expect(hanging.seen()).toEqual([]);
  const { gateway, seen } = await start([toBob, { text: "All done." }]);
  await gateway.idle();
  expect(seen()).toHaveLength(1);
  expect(seen()[0]).toContain("would do: message");
});

it("what is said while it runs is meant, and becomes a turn of its own", async () => {
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const script = createScriptedModel([{ text: "Tried." }, toBob, { text: "Told him." }], "scripted", wanted);
  const { post, gateway, seen } = await start([], {
    ...script,
    async *stream(request) {
      asked.resolve();
      await goOn.promise;
      yield* script.stream(request);
    },
  });
  await post("/dry hello");
  await asked.promise;
  await post("tell Bob that I am late");
  goOn.resolve();
  await gateway.idle();
  expect(seen()).toEqual([
    "pigeon:1 Tried.\n\nDry run: the turn has no effect on anybody else.",
    "pigeon:1 Told him.",
    "raven:7 She is late",
  ]);
});

it("is the owner's, needs words, and runs no command", async () => {
  const { say, seen } = await start([{ text: "hello" }]);
  await say("/dry tell Bob", "42");
  await say("/dry");
  expect(seen()).toEqual([
    expect.stringContaining("Only my owner can use this"),
    expect.stringContaining("What should I try?"),
  ]);
});
