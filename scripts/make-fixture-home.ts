/**
 * Makes the fixture home of this version, `test/fixtures/homes/<version>`, by using the product. Run once per release;
 * `test/old-homes.test.ts` opens those that are kept, the newest two, with the code of today.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAuditSeal } from "../src/storage/audit/open-audit-seal.ts";
import { locateHome } from "../src/config/home.ts";
import { openSecrets } from "../src/config/secrets.ts";
import { systemClock, type Clock } from "../src/infra/clock.ts";
import { createIds } from "../src/infra/ids.ts";
import { waitingTurn } from "../src/storage/testing/approval-samples.ts";
import { addUsage } from "../src/storage/testing/add-usage.ts";
import { openSqliteStores } from "../src/storage/open-sqlite-stores.ts";
import { buildIfNeeded } from "./build-if-needed.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const home = join(root, "test", "fixtures", "homes", version);
if (existsSync(home)) throw new Error(`${home} exists; a fixture home is never made anew`);

await buildIfNeeded();
// Where its programs run: a place that says nothing of this machine.
mkdirSync("/srv/pincer", { recursive: true });
run(["config", "set", "agents.defaults.toolMaxSteps", "7"]);
run(["config", "set", "tools.deny", '["shell_pwd"]']);
run(["secrets", "set", "sample"], "not-a-real-secret");
run(["auth", "login", "openai", "--name", "sample-key", "--key-stdin"], "sk-not-a-real-key-0123456789");
run(["secrets", "set", "telegram"], "123456:not-a-real-token");
run([
  "config",
  "set",
  "channels.telegram",
  '{ enabled: false, botToken: "secret:telegram", dmPolicy: "pairing" }',
]);
ask(["--session", "work", "--memory", "Remember that the demo is on Friday."]);
ask(["--session", "work", 'tool:tools_echo {"text":"hello"}']);
ask(["--session", "work", "--new-session", "A new beginning."]);
run(["sessions", "rename", "work", "Our demo"]);
ask(["--session", "agent:main:telegram:dm:42", "你好，世界"]);
for (let number = 1; number <= 14; number++) ask(["--session", "long", "--memory", `Question ${number}`]);
run(["tape", "handoff", "--session", "long", "moved", "We moved to the new house."]);
ask([",echo kept > made-by-a-program.txt; echo said by a program"]);
rmSync("/srv/pincer/made-by-a-program.txt");
run(["rules", "add", "never run shell commands"]);
run(["rules", "add", "always answer in rhymes"]);
run(["config", "set", "agents.defaults.memorySearch.provider", "none"]);
mkdirSync(join(home, "workspace", "memory"), { recursive: true });
writeFileSync(join(home, "workspace", "MEMORY.md"), "# About me\n\n- The boiler is called Hilda\n");
writeFileSync(
  join(home, "workspace", "memory", "2026-11-15.md"),
  "Ada: the error was E_BOILER_42\n- [unconfirmed, from web example.org] The alarm code is 1234\n",
);
run(["memory", "index"]);
await leaveThingsOnTheirWay();
await useAModel();
await leaveAQuestion();
const access = JSON.parse(run(["access", "token", "sample program", "--role", "viewer", "--json"])) as {
  token: string;
};
const exported = Object.fromEntries(
  ["work", "agent:main:telegram:dm:42"].map((key) => [key, run(["sessions", "export", key])]),
);
const waiting = {
  answered: ["ada"],
  sent: [{ to: "bob", text: "An answer that was not sent." }],
  strangers: ["eve"],
  notices: 1,
};
const models = {
  credential: { id: "sample-key", provider: "openai", value: "sk-not-a-real-key-0123456789" },
  usage: { calls: 1, cost: 0.25, total: 1200 },
};
const context = {
  rules: [
    { id: 1, text: "never run shell commands", enforced: true },
    { id: 2, text: "always answer in rhymes", enforced: false },
  ],
  session: "long",
  marks: ["anchor", "summary"],
  handoff: "We moved to the new house.",
  remembered: "Question 1",
};
const hands = { made: "made-by-a-program.txt", said: "said by a program" };
const gate = { tool: "message", grant: "message to telegram:bob", unconfirmed: "The alarm code is 1234" };
const front = { token: access.token, role: "viewer" };
const channels = [{ channel: "telegram", enabled: false }];
const memory = { query: "E_BOILER_42", path: "memory/2026-11-15.md" };
writeFileSync(
  join(home, "expected.json"),
  `${JSON.stringify({ secret: "not-a-real-secret", exported, waiting, models, context, memory, hands, gate, front, channels, names: { work: "Our demo" } }, null, 2)}\n`,
);
rmSync(join(home, "cache"), { recursive: true, force: true });

/** A message that nobody has looked at, an answer that was not sent, a stranger at the door and one who was let in. */
async function leaveThingsOnTheirWay(): Promise<void> {
  const clock = systemClock;
  const stores = await openStores(clock);
  const { inbox, outbox, pairing, notices } = stores.tenant("t_default");
  const place = { channel: "local", accountId: "default" };
  await inbox.accept({
    ...place,
    tenantId: "t_default",
    workspaceId: "w_default",
    peer: { kind: "user", id: "ada" },
    sender: { id: "ada", name: "Ada" },
    message: { type: "text", id: "m1", text: "Are you there?", attachments: [], mentioned: true },
    timestamp: clock.now(),
  });
  await outbox.enqueue([
    {
      destination: { ...place, target: { peerKind: "user", peerId: "bob" } },
      kind: "reply",
      turnId: null,
      text: "An answer that was not sent.",
      attachments: [],
      replyTo: null,
      notAfter: "2100-01-01T00:00:00.000Z",
      dedupeKey: null,
    },
  ]);
  const limits = { ttlMs: 100 * 365 * 86_400_000, max: 3 };
  await pairing.request({ ...place, senderId: "eve", meta: { name: "Eve" } }, limits, () => "ABCDEFGH");
  await pairing.allow([{ ...place, senderId: "ada", by: "pairing" }]);
  await notices.add({
    kind: "turn-failed",
    subject: "turn:r_gone",
    text: { key: "notice.turn-failed", parameters: { turnId: "r_gone", how: "failed" } },
  });
  await stores.close();
}

/** A question that nobody has answered, and what the owner granted with an earlier one. */
async function leaveAQuestion(): Promise<void> {
  const clock = systemClock;
  const stores = await openStores(clock);
  const tenant = stores.tenant("t_default");
  const keys = { task: "message", recipient: "message to telegram:bob" };
  const expiresAt = "2100-01-01T00:00:00.000Z";
  const { approval } = await waitingTurn(tenant, "asked-1", { question: { keys, expiresAt } });
  await tenant.approvals.answer(approval.id, { verdict: "approved", scope: "recipient", by: "cli:owner" });
  const ending = { type: "aborted", by: "stop" } as const;
  await tenant.turns.cancelQueued({ workspaceId: "w1", sessionKey: "main", ending });
  await waitingTurn(tenant, "asked-2", { question: { keys, expiresAt } });
  await stores.close();
}

/** As the product opens it: what is recorded is sealed with the home's key. */
async function openStores(clock: Clock) {
  const secrets = openSecrets({ home: locateHome({ PINCER_HOME: home }), environment: {} });
  return openSqliteStores({
    file: join(home, "core.db"),
    clock,
    ids: createIds(clock.now),
    seal: () => openAuditSeal(secrets, "refuse"),
  });
}

/** What one request to a model has used. */
async function useAModel(): Promise<void> {
  const clock = systemClock;
  const stores = await openStores(clock);
  const { usage } = stores.tenant("t_default");
  await addUsage(usage, {
    turnId: null,
    sessionId: null,
    sessionKey: null,
    agentId: "main",
    provider: "openai",
    model: "gpt-5.5",
    credential: "sample-key",
    usage: { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, total: 1200, cost: 0.25 },
    outcome: "ok",
    startedAt: new Date(clock.now()).toISOString(),
    durationMs: 900,
    firstByteMs: 300,
  });
  await stores.close();
}

/** The workdir is written into the transcripts; this one is nobody's. */
function ask(args: string[]): void {
  run(["ask", "--workdir", "/srv/pincer", ...args]);
}

function run(args: string[], input = ""): string {
  const ended = spawnSync(process.execPath, [join(root, "bin", "pincer.mjs"), ...args], {
    env: { PATH: process.env["PATH"], PINCER_HOME: home },
    cwd: "/",
    encoding: "utf8",
    input,
  });
  if (ended.status !== 0) throw new Error(`${args.join(" ")}: ${ended.stderr}`);
  return ended.stdout;
}
