/** Every door leads to the same walk: what comes in by a channel, the page, the protocol, /v1, the command line or a hook. */
import { createHmac } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { StatementSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingChannel } from "@pincer/sdk/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import { openApp } from "./open-app.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

const token = "a-token-that-nobody-else-has";
const providerKey = "sk-only-for-the-provider";
const secret = "what the caller of the hook signs with";

/** A server of models that counts what it is asked. */
async function startProvider() {
  const asked: string[] = [];
  const keys: string[] = [];
  const chunk = (body: object) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "instant", ...body })}\n\n`;
  const answer = [
    chunk({ choices: [{ index: 0, delta: { content: "Very well." }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    "data: [DONE]\n\n",
  ].join("");
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    asked.push(body);
    keys.push(request.headers.authorization ?? "");
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, keys, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

type Range = { start: number; end: number };

interface Door {
  /** Says it as somebody who types where people can, and waits until it is dealt with. Answers with what came back. */
  say(text: string): Promise<string>;
  /** Puts it in with a paste, or a drop; undefined where a door cannot tell. */
  paste: ((text: string) => Promise<string>) | undefined;
  asked: string[];
  /** What each of these requests showed as its credential. */
  keys: string[];
  rules(): Promise<number>;
  socket?: string;
}

async function openDoor(name: string): Promise<Door> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pincer-doors-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { asked, keys: shown, baseUrl } = await startProvider();
  const port = await freePort();
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    gateway: { port, auth: { token } },
    channels: { pigeon: { dmPolicy: "open" } },
    models: { providers: { local: { baseUrl, apiKey: providerKey, models: [{ id: "instant" }] } } },
    agents: { defaults: { model: { primary: "local/instant" } } },
    hooks: { build: { secret, template: "{{body}}" } },
  };
  await writeFile(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const parts = { ...gatewayParts(home), version: "test" };
  const network = createRecordingChannel({ id: "pigeon" });
  let keys = 0;
  const key = () => `key-${++keys}`;
  const whole = (text: string) => [{ start: 0, end: text.length }];
  const ask = async (input: string, typed: boolean, pasted = typed ? [] : whole(input)) => {
    const app = await openApp(parts, {});
    const signal = new AbortController().signal;
    const answer = await app.ask({ input, typed, pasted, wishes: {}, signal });
    await app.close();
    return answer.result;
  };
  if (name.startsWith("the command line without")) {
    const rules = async () => (/No rules|There are no rules/.test(await ask("/rules", true)) ? 0 : 1);
    return {
      asked,
      keys: shown,
      rules,
      say: (text) => ask(text, !name.includes("pipe")),
      paste: (text) => ask(text, true, whole(text)),
    };
  }

  const gateway = await createGateway(parts, { isServed: true }, { channels: [network.channel] });
  const client = await connectTo(gateway.socket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop(1000);
  });
  const rules = async () => (await client.request("rules.list", {})).rules.length;
  const resultOf = async (runId: string) =>
    ((await client.request("agent.wait", { runId })) as { result: string }).result;
  const send = async (text: string, pasted: Range[]) => {
    const sent = await client.request("chat.send", { text, typed: true, pasted, idempotencyKey: key() });
    return sent.command?.output ?? resultOf(sent.runId);
  };
  const run = async (input: string, pasted: Range[]) => {
    const { runId } = await client.request("agent.run", {
      input,
      typed: true,
      pasted,
      idempotencyKey: key(),
    });
    return resultOf(runId);
  };
  const pastes: Record<string, (text: string) => Promise<string>> = {
    "the page": (text) => send(text, whole(text)),
    "the protocol": (text) => run(text, whole(text)),
    "the command line": (text) => ask(text, true, whole(text)),
  };
  const doors: Record<string, (text: string) => Promise<string>> = {
    async "a channel"(text) {
      const before = network.ledger.length;
      await network.say({
        peer: { kind: "user", id: "42" },
        sender: { id: "42" },
        message: { type: "text", id: key(), text, attachments: [], mentioned: true },
        timestamp: Date.now(),
      });
      await gateway.idle();
      return network.ledger
        .slice(before)
        .map((row) => row.text)
        .join("\n");
    },
    "the page": (text) => send(text, []),
    "the protocol": (text) => run(text, []),
    "the command line": (text) => ask(text, true),
    "a pipe into the command line": (text) => ask(text, false),
    async "a program"(text) {
      return resultOf((await client.request("agent.run", { input: text, idempotencyKey: key() })).runId);
    },
    async "/v1"(text) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ model: "pincer", messages: [{ role: "user", content: text }] }),
      });
      const { choices } = (await response.json()) as { choices: Array<{ message: { content: string } }> };
      return choices[0]?.message.content ?? "";
    },
    async "a hook"(text) {
      const body = JSON.stringify(text);
      const stamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac("sha256", secret).update(`${stamp}.${body}`).digest("hex");
      const called = await fetch(`http://127.0.0.1:${port}/hooks/build`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-pincer-timestamp": stamp,
          "x-pincer-signature": `sha256=${signature}`,
        },
        body,
      });
      expect(called.status).toBe(202);
      await gateway.idle();
      const [run] = (await client.request("runs.list", { limit: 1 })).runs;
      return resultOf(run?.runId ?? "");
    },
  };
  const say = doors[name];
  if (!say) throw new Error(`there is no door ${name}`);
  return { say, paste: pastes[name], asked, keys: shown, rules, socket: gateway.socket };
}

const typedAt = [
  "a channel",
  "the page",
  "the protocol",
  "the command line",
  "the command line without a gateway",
];
const textFrom = [
  "a program",
  "a pipe into the command line",
  "a pipe into the command line without a gateway",
  "/v1",
  "a hook",
];
const named = (door: string) =>
  door.replace("a pipe into the command line without", "the command line without a pipe into it and without");

/** Keeps the statements that move a message and its turn, in order. */
function watchWalk(): string[] {
  const patterns: Array<[RegExp, string]> = [
    [/^INSERT INTO inbox /, "message stored"],
    [/^INSERT INTO turns /, "turn queued"],
    [/^UPDATE inbox SET state = 'queued'/, "message given to its turn"],
    [/^UPDATE turns SET state = 'running'/, "turn claimed"],
    [/^UPDATE turns SET state = \?/, "turn ended"],
    [/^UPDATE inbox SET state = \?, reason = coalesce/, "message done"],
  ];
  const walk: string[] = [];
  const { all } = StatementSync.prototype;
  const watch = vi.spyOn(StatementSync.prototype, "all").mockImplementation(function (
    this: StatementSync,
    ...given
  ) {
    const sql = this.sourceSQL.replaceAll(/\s+/g, " ");
    walk.push(...patterns.flatMap(([pattern, step]) => (pattern.test(sql) ? [step] : [])));
    return all.apply(this, given);
  });
  onTestFinished(() => watch.mockRestore());
  return walk;
}

describe.each([...typedAt, ...textFrom])("%s", (door) => {
  it("ARCH-03 ARCH-04 ARCH-05 ARCH-06 leads a message through the same rows to its turn, and back", async () => {
    const { say, asked, keys } = await openDoor(named(door));
    const walk = watchWalk();
    expect(await say("How are you?")).toContain("Very well.");
    expect(asked).toHaveLength(1);
    // The credential went to the provider, and into nothing that anybody reads.
    expect(keys).toEqual([`Bearer ${providerKey}`]);
    expect(asked[0]).not.toContain(providerKey);
    expect(walk).toEqual([
      "message stored",
      "turn queued",
      "message given to its turn",
      "turn claimed",
      "turn ended",
      "message done",
    ]);
  });
});

it("PROTO-02 PROTO-03 PROTO-04 a frame with a session and an input is a run, whose words follow on the connection", async () => {
  const { socket: path } = await openDoor("the protocol");
  const socket = connect(path ?? "");
  onTestFinished(() => void socket.destroy());
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const send = (id: string, method: string, params: object) =>
    socket.write(`${JSON.stringify({ type: "req", id, method, params })}\n`);
  const next = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  send("c", "connect", { protocol: 1, client: { name: "test", version: "1" } });
  expect(await next()).toMatchObject({ type: "res", id: "c", ok: true });
  send("r1", "agent.run", { sessionId: "s1", input: "How are you?", stream: true });
  const answer = await next();
  expect(answer).toMatchObject({ type: "res", id: "r1", ok: true, payload: { runId: expect.any(String) } });
  const { runId } = answer["payload"] as { runId: string };
  expect(await next()).toMatchObject({ event: "agent.delta", payload: { runId, delta: "Very well." } });
  expect(await next()).toMatchObject({ event: "agent.block", payload: { runId, text: "Very well." } });
  expect(await next()).toMatchObject({ event: "agent.completed", payload: { runId } });
});

describe.each(typedAt)("a command that a person types: %s", (door) => {
  it("ARCH-05 is answered without asking a model", async () => {
    const { say, asked, rules } = await openDoor(named(door));
    expect(await say(",help")).toContain(",tools");
    expect(await say("/status")).toContain("agent:main");
    expect(await say(",tools")).toContain("time_now");
    expect(await say("!reset")).toContain("A new session has started.");
    expect(await say('tool:tools_echo {"text":"from the tool"}')).toContain("from the tool");
    expect(await say("Never run commands until I say so")).toContain("Rule 1");
    expect(await rules()).toBe(1);
    expect(asked).toEqual([]);
  });
});

describe.each(typedAt.filter((door) => door !== "a channel"))("what is pasted: %s", (door) => {
  it("SEC-02 ARCH-05 commands nothing, sets no rule and stops nothing, whatever its first line begins with", async () => {
    const { paste, say, asked, rules } = await openDoor(named(door));
    if (!paste) throw new Error(`nobody can paste at ${door}`);
    const lines = [
      ",echo x",
      "/approve",
      "/approve ABCDEF always\nand more",
      "!reset",
      "/new plan a trip",
      "Never run commands until I say so",
      "stop",
      'tool:tools_echo {"text":"from the tool"}',
    ];
    for (const line of lines) expect(await paste(line)).toContain("Very well.");
    expect(asked).toHaveLength(lines.length);
    expect(asked.some((body) => body.includes("shellLine"))).toBe(false);
    expect(await rules()).toBe(0);
    // The same typed is what it always was.
    expect(await say("Never run commands until I say so")).toContain("Rule 1");
    expect(await rules()).toBe(1);
    expect(asked).toHaveLength(lines.length);
  });
});

describe.each(textFrom)("what begins like a command and comes from %s", (door) => {
  it("ARCH-05 is text for the model, runs nothing and sets no rule", async () => {
    const { say, asked, rules } = await openDoor(named(door));
    const lines = [
      ",echo x",
      "/approve",
      "!reset",
      "Never run commands until I say so",
      "stop",
      'tool:tools_echo {"text":"from the tool"}',
    ];
    for (const line of lines) expect(await say(line)).toContain("Very well.");
    expect(asked).toHaveLength(lines.length);
    expect(asked.some((body) => body.includes("shellLine"))).toBe(false);
    expect(await rules()).toBe(0);
  });
});
