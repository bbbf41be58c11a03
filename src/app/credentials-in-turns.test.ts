/** Which credential a turn uses, and what becomes of those that a provider refuses. */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

const minute = 60_000;

/** A provider that answers each key as the test says now; who asked is noted by the key. */
async function startProvider(verdicts: Record<string, number | "slow">) {
  const asked: string[] = [];
  const chunk = (choices: object[]) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "small", choices })}\n\n`;
  const answer = [
    chunk([{ index: 0, delta: { content: "Very well." }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
    "data: [DONE]\n\n",
  ].join("");
  const server = createServer((request, response) => {
    request.resume();
    const key = request.headers.authorization?.replace("Bearer sk-", "") ?? "";
    asked.push(key);
    const verdict = verdicts[key] ?? 200;
    if (verdict === "slow") return;
    if (verdict === 200)
      return void response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
    const error = { message: verdict === 402 ? "insufficient_quota" : "no", type: "error" };
    response.writeHead(verdict, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, verdicts, baseUrl: `http://127.0.0.1:${port}/v1` };
}

async function open(
  keys: string[],
  verdicts: Record<string, number | "slow"> = {},
  more: Record<string, unknown> = {},
) {
  const provider = await startProvider(verdicts);
  const { models, ...rest } = more;
  const stage = await openTalkStage({
    extras: { models: [] },
    config: {
      models: {
        attempts: 1,
        providers: { fake: { baseUrl: provider.baseUrl, models: [{ id: "small" }] } },
        ...(models as object),
      },
      agents: { defaults: { model: { primary: "fake/small" } } },
      ...rest,
    },
  });
  for (const key of keys) await put(stage, key);
  if (keys.length > 0)
    await stage.client.request("auth.order", { provider: "fake", ids: keys.map((key) => `fake:${key}`) });
  return { ...provider, stage };
}

const put = ({ client }: TalkStage, key: string, more: object = {}) =>
  client.request("auth.put", {
    id: `fake:${key}`,
    provider: "fake",
    type: "api_key",
    secret: { key: `sk-${key}` },
    source: "test",
    ...more,
  });

/** The credentials of the order: for how many minutes each is set aside, and the last thing held against it. */
async function states({ client }: TalkStage, now: number) {
  const { credentials } = await client.request("auth.status", { provider: "fake" });
  return Object.fromEntries(
    credentials.map(({ id, until, lastError }) => [
      id.replace("fake:", ""),
      { aside: until === null ? 0 : Math.round((Date.parse(until) - now) / minute), lastError },
    ]),
  );
}

describe("a failure of a credential", () => {
  it.each([
    [401, 5, "401: no"],
    [429, 5, "429: no"],
    [402, 30, "402: insufficient_quota"],
    ["slow", 5, "nothing was heard for 1 s"],
    [500, 0, "unknown: 500: no"],
  ] as const)(
    "AUTH-08 AUTH-11 is noted for what it was, and the next one answers: %s",
    async (verdict, aside, lastError) => {
      const { stage, asked } = await open(["A", "B"], { A: verdict }, { models: { idleTimeoutMs: 1000 } });
      expect(await stage.say("hello")).toEqual(["Very well."]);
      expect(asked).toEqual(["A", "B"]);
      expect(await states(stage, Date.now())).toEqual({
        A: { aside, lastError },
        B: { aside: 0, lastError: null },
      });
    },
  );

  it.each([
    [429, [5, 25, 60, 60]],
    [402, [30, 60, 120, 240]],
  ] as const)("AUTH-09 AUTH-10 sets it aside for longer each time: %s", async (verdict, pauses) => {
    const { stage } = await open(["A", "B"], { A: verdict });
    let later = 0;
    for (const pause of pauses) {
      await stage.say("hello");
      expect((await states(stage, Date.now() + later))["A"]?.aside).toBe(pause);
      later += pause * minute + 1000;
      stage.pass(pause * minute + 1000);
    }
  });

  it("AUTH-09 AUTH-10 is set aside as long as the config says", async () => {
    const auth = { cooldowns: { baseMs: 2 * minute, billingBaseMs: 7 * minute } };
    for (const [verdict, aside] of [
      [429, 2],
      [402, 7],
    ] as const) {
      const { stage } = await open(["A", "B"], { A: verdict }, { auth });
      await stage.say("hello");
      expect((await states(stage, Date.now()))["A"]?.aside).toBe(aside);
    }
  });

  it("AUTH-10 is set aside for a day at the most", async () => {
    const { stage } = await open(["A", "B"], { A: 402 });
    let later = 0;
    for (let time = 0; time < 9; time++) {
      await stage.say("/new");
      await stage.say("hello");
      const { aside = 0 } = (await states(stage, Date.now() + later))["A"] ?? {};
      expect(aside).toBe(Math.min(30 * 2 ** time, 24 * 60));
      later += aside * minute + 1000;
      stage.pass(aside * minute + 1000);
    }
  });

  it("AUTH-07 is forgotten with its first success", async () => {
    const { stage, verdicts, asked } = await open(["A", "B"], { A: 429 });
    await stage.say("hello");
    stage.pass(6 * minute);
    delete verdicts["A"];
    await stage.say("hello again");
    expect(asked).toEqual(["A", "B", "A"]);
    expect((await states(stage, Date.now()))["A"]?.aside).toBe(0);
    // It begins with five minutes again.
    verdicts["A"] = 429;
    await stage.say("and again");
    expect((await states(stage, Date.now() + 6 * minute))["A"]?.aside).toBe(5);
    const { credentials } = await stage.client.request("auth.status", { provider: "fake" });
    expect(Date.parse(credentials.find(({ id }) => id === "fake:B")?.lastUsedAt ?? "")).toBeGreaterThan(0);
  });
});

it("AUTH-06 those that may be asked come first, then those in cooldown by its end", async () => {
  const { stage, asked, verdicts } = await open(["A", "B", "C", "D"], { A: 402, B: 429 });
  await stage.say("hello");
  expect(asked.splice(0)).toEqual(["A", "B", "C"]);
  // B's cooldown ends in four minutes, A's in twenty-nine.
  stage.pass(minute);
  Object.assign(verdicts, { C: 429, D: 429, A: 200, B: 429 });
  expect(await stage.say("hello again")).toEqual(["Very well."]);
  expect(asked).toEqual(["C", "D", "B", "A"]);
});

it("AUTH-04 the order is the stored one, else the config's, else the config's credentials, else all that are stored", async () => {
  const firstOf = async (auth: object, order?: string[]) => {
    const { stage, asked } = await open([], {}, { auth });
    for (const key of ["A", "B"]) await put(stage, key);
    if (order) await stage.client.request("auth.order", { provider: "fake", ids: order });
    await stage.say("hello");
    return asked[0];
  };
  const profiles = { "fake:C": { provider: "fake", mode: "api_key", apiKey: "sk-C" } };
  const order = { fake: ["fake:B", "fake:A"] };
  expect(await firstOf({})).toBe("A");
  expect(await firstOf({ profiles })).toBe("C");
  expect(await firstOf({ profiles, order })).toBe("B");
  expect(await firstOf({ profiles, order }, ["fake:A", "fake:B"])).toBe("A");
});

it("AUTH-11 when none is left it says so, for each", async () => {
  const { stage } = await open(["A", "B"], { A: 401, B: 402 });
  const [said = ""] = await stage.say("hello");
  expect(said).toContain("All auth profiles exhausted");
  expect(said).toMatch(/fake:A: 401: no[\s\S]*fake:B: 402: insufficient_quota/);
});

it("AUTH-01 an agent's own credential comes before the one for all and before the config's", async () => {
  const provider = await startProvider({});
  const stage = await openTalkStage({
    extras: { models: [] },
    config: {
      models: {
        providers: {
          fake: { baseUrl: provider.baseUrl, apiKey: "sk-config", models: [{ id: "small" }] },
        },
      },
      agents: {
        defaults: { model: { primary: "fake/small" } },
        list: [{ id: "main", default: true }, { id: "helper" }],
      },
      bindings: [{ match: { channel: "pigeon", peer: { kind: "group", id: "g1" } }, agentId: "helper" }],
    },
  });
  await stage.say("hello");
  expect(provider.asked.splice(0)).toEqual(["config"]);
  await put(stage, "all");
  await put(stage, "own", { agentId: "helper" });
  await stage.say("hello");
  await stage.say("hello", { group: "g1" });
  expect(provider.asked.splice(0)).toEqual(["config", "own"]);
  // An order for all says nothing of what one agent has of its own; one of the agent does.
  await stage.client.request("auth.order", { provider: "fake", ids: ["fake:all"] });
  await stage.say("hello");
  await stage.say("hello", { group: "g1" });
  expect(provider.asked.splice(0)).toEqual(["all", "own"]);
  await stage.client.request("auth.order", { provider: "fake", ids: ["fake:all"], agentId: "helper" });
  await stage.say("hello", { group: "g1" });
  expect(provider.asked).toEqual(["all"]);
});

it("AUTH-03 AUTH-05 a key, a token that has not expired, and no expired one are used, as a file brings them along", async () => {
  const { stage, asked } = await open([]);
  const token = (until: number) => ({ type: "token", provider: "fake", expires: Date.now() + until });
  const profiles = {
    "fake:gone": { ...token(-minute), token: "sk-gone" },
    "fake:token": { ...token(minute * 60), token: "sk-token" },
    "fake:key": { type: "api_key", provider: "fake", key: "sk-key" },
  };
  const file = join(stage.home, "auth-profiles.json");
  await writeFile(file, JSON.stringify({ version: 1, profiles, order: { fake: Object.keys(profiles) } }));
  await stage.client.request("auth.import", { from: "file", file });
  const { credentials } = await stage.client.request("auth.status", { provider: "fake" });
  expect(credentials.map(({ id, type, state }) => [id, type, state])).toEqual([
    ["fake:gone", "token", "expired"],
    ["fake:token", "token", "ready"],
    ["fake:key", "api_key", "ready"],
  ]);
  await stage.say("hello");
  stage.pass(61 * minute);
  await stage.say("hello");
  expect(asked).toEqual(["token", "key"]);
});
