/** The flags of `gateway run`, as people on a channel feel them: the built product against a stand-in for the Bot API. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startGateway } from "./run-pincer.ts";
import { createTelegramLife, type TelegramLife } from "./telegram-life.ts";

let life: TelegramLife;
beforeEach(async () => (life = await createTelegramLife()));
afterEach(() => life.close());

async function run(...flags: string[]) {
  const { api, home } = life;
  const gateway = await startGateway(home, flags);
  await api.until(() => api.polling() > 0);
  /** Somebody writes; resolves to what they see when there is more of it than before. */
  const write = async (id: number, text: string): Promise<string> => {
    const before = api.people.seen(id).length;
    api.people.dm(api.people.person(id, `Person ${id}`), { text });
    await api.until(() => api.people.seen(id).length > before);
    return api.people.seen(id).at(-1) ?? "";
  };
  return { gateway, write };
}

it("GW-01 lay provider, credential, tools, steps and memory over the config for every turn of that run", async () => {
  life.configure({}, { agents: { defaults: {} } });
  const { home, model } = life;
  await home.run(["auth", "login", "fake", "--name", "second", "--key-stdin"], {
    input: "sk-second-987654\n",
  });
  life.answerWith(({ text, results }) =>
    text.includes("echo") && results.length < 9
      ? { call: { name: "tools_echo", arguments: { text: `${results.length}` } } }
      : { text: "Very well." },
  );
  const flags = [
    "--provider",
    "fake",
    "--profile",
    "second",
    "--tool-allow",
    "tools_echo",
    "--tool-max-steps",
    "2",
  ];
  const { gateway, write } = await run(...flags, "--memory");
  await write(42, "hello");
  const tools = (JSON.parse(model.asked[0]?.body ?? "{}") as { tools: Array<{ function: { name: string } }> })
    .tools;
  expect(tools.map((tool) => tool.function.name)).toEqual(["tools_echo"]);
  const before = model.asked.length;
  expect(await write(42, "echo without end")).toMatch(/2 (tool )?steps/);
  expect(model.asked.length - before).toBeLessThanOrEqual(3);
  expect(await gateway.stop()).toBe(0);
  const sessions = JSON.parse((await home.run(["sessions", "list", "--json"])).out) as {
    sessions: Array<{ memoryEnabled: boolean }>;
  };
  expect(sessions.sessions[0]).toMatchObject({ memoryEnabled: true });
  const status = JSON.parse((await home.run(["auth", "status", "--json"])).out) as {
    credentials: Array<{ id: string; lastUsedAt: string | null }>;
  };
  const used = status.credentials.filter(({ lastUsedAt }) => lastUsedAt !== null).map(({ id }) => id);
  expect(used).toEqual(["second"]);
});

it("GW-01 --no-with-tools offers none, and --channel starts only that channel", async () => {
  const inbox = join(life.home.path, "in.jsonl");
  const outbox = join(life.home.path, "out.jsonl");
  writeFileSync(inbox, "");
  life.configure();
  const file = join(life.home.path, "config.json5");
  const config = JSON.parse(readFileSync(file, "utf8")) as { channels: object };
  const channels = { ...config.channels, local: { inbox, outbox } };
  writeFileSync(file, JSON.stringify({ ...config, channels }), { mode: 0o600 });
  const { gateway, write } = await run("--channel", "telegram", "--no-with-tools");
  await write(42, "hello");
  expect(JSON.parse(life.model.asked[0]?.body ?? "{}")).not.toHaveProperty("tools.0");
  const status = JSON.parse((await life.home.run(["channels", "status", "--json"])).out) as {
    channels: Array<{ channel: string; state: string }>;
  };
  const connected = status.channels
    .filter(({ state }) => state === "connected")
    .map(({ channel }) => channel);
  expect(connected).toEqual(["telegram"]);
  expect(await gateway.stop()).toBe(0);
});

it("GW-02 GW-03 CHAN-21 --pairing-policy allowlist hears those of --pairing-allow-from and nobody else", async () => {
  life.configure();
  const { gateway, write } = await run("--pairing-policy", "allowlist", "--pairing-allow-from", "7,8");
  for (const id of [7, 8]) expect(await write(id, "hello")).toBe("You said: hello");
  life.api.people.dm(life.api.people.person(9, "Eve"), { text: "let me in" });
  // What came after it was answered: it was dealt with, too.
  expect(await write(7, "are you there?")).toBe("You said: are you there?");
  expect(life.api.people.seen(9)).toEqual([]);
  expect(life.model.asked.some(({ text }) => text.includes("let me in"))).toBe(false);
  expect(await gateway.stop()).toBe(0);
});

it("GW-02 CHAN-21 --pairing-policy open hears everybody", async () => {
  life.configure();
  const { gateway, write } = await run("--pairing-policy", "open");
  expect(await write(9, "hello")).toBe("You said: hello");
  expect(await gateway.stop()).toBe(0);
});

async function waiting(): Promise<string[]> {
  const { pending } = JSON.parse((await life.home.run(["pairing", "list", "--json"])).out) as {
    pending: Array<{ senderId: string }>;
  };
  return pending.map(({ senderId }) => senderId).sort();
}

it.each([
  [[], ["7", "8", "9"]],
  [
    ["--pairing-pending-max", "2"],
    ["7", "8"],
  ],
  [["--pairing-pending-ttl-ms", "1"], []],
])("GW-04 three wait for an hour, or as many and as long as the flags say: %j", async (flags, expected) => {
  life.configure();
  const { gateway, write } = await run(...flags);
  for (const id of [7, 8]) expect(await write(id, "hello")).toMatch(/[A-Z0-9]{4}-[A-Z0-9]{4}/);
  for (const id of [9, 10]) life.api.people.dm(life.api.people.person(id, "Eve"), { text: "let me in" });
  // What came after it was answered: it was dealt with, too.
  await write(42, "hello");
  expect(await waiting()).toEqual(expected);
  expect(await gateway.stop()).toBe(0);
});

it("CLI-21 message send delivers what it is given", async () => {
  life.configure();
  const { gateway } = await run();
  life.api.people.person(42, "Ada");
  const sent = await life.home.run(["message", "send", "--to", "telegram:42", "--text", "Dinner is ready."]);
  expect(sent).toMatchObject({ status: 0 });
  await life.api.until(() => life.api.people.seen(42).includes("Dinner is ready."));
  expect(await gateway.stop()).toBe(0);
});
