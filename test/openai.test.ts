/** OpenAI's API of the product as it is installed: spoken to over HTTP, killed in the middle of an answer, and started again. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startProvider, type Provider } from "./long-conversation-server.ts";
import { makeHome, startGateway, type RunningGateway, type TestHome } from "./run-pincer.ts";

const token = "a-token-of-the-test-0123456789";

let home: TestHome;
let gateways: RunningGateway[] = [];
let provider: Provider | undefined;
beforeEach(() => (home = makeHome()));
afterEach(async () => {
  for (const gateway of gateways) gateway.process.kill("SIGKILL");
  gateways = [];
  await provider?.close();
  home.remove();
});

async function start(): Promise<{ gateway: RunningGateway; baseURL: string }> {
  const gateway = await startGateway(home);
  gateways.push(gateway);
  const record = readFileSync(join(home.path, "service", "gateway-service.json"), "utf8");
  return { gateway, baseURL: `${(JSON.parse(record) as { address: string }).address}/v1` };
}

function configure({ baseUrl }: Provider): void {
  const models = [{ id: "small", contextWindow: 100_000, maxTokens: 4000 }];
  const fake = { baseUrl, api: "openai-completions", apiKey: "sk-fake-1234567890", models };
  const config = {
    gateway: { auth: { token } },
    models: { providers: { fake } },
    agents: { defaults: { model: { primary: "fake/small" } } },
  };
  writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
}

const ask = (baseURL: string, content: string, key: string) =>
  fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({
      model: "pincer",
      messages: [
        { role: "user", content: "What is one and one?" },
        { role: "assistant", content: "Two." },
        { role: "user", content },
      ],
    }),
  });

interface Completion {
  id: string;
  choices: Array<{ message: { content: string } }>;
}

it("PROTO-05 returns the finished turn under a repeated Idempotency-Key, also after kill -9", async () => {
  const held = Promise.withResolvers<void>();
  let isHolding = true;
  const own = await startProvider({
    reply: () => ({ text: "Four." }),
    isHeld({ moment }) {
      if (moment !== "turn" || !isHolding) return false;
      held.resolve();
      return true;
    },
  });
  provider = own;
  configure(own);

  const first = await start();
  const asking = ask(first.baseURL, "And two and two?", "k1").catch(() => undefined);
  await held.promise;
  await first.gateway.kill();
  await asking;
  isHolding = false;

  const second = await start();
  const answers: Completion[] = [];
  for (const key of ["k1", "k1"]) {
    const answer = await ask(second.baseURL, "And two and two?", key);
    expect(answer.status).toBe(200);
    answers.push((await answer.json()) as Completion);
  }
  expect(answers[0]?.choices[0]?.message.content).toBe("Four.");
  expect(answers[1]).toEqual(answers[0]);
  expect((await ask(second.baseURL, "And three and three?", "k1")).status).toBe(409);

  // Asked once, and once more after the crash, each time with the same history.
  const turns = own.seen.filter(({ moment }) => moment === "turn");
  const told = turns.map(({ request }) => request.messages.map(({ role }) => role));
  expect(told).toEqual([
    ["system", "user", "assistant", "user"],
    ["system", "user", "assistant", "user"],
  ]);
  expect(await second.gateway.stop()).toBe(0);
});

it("PROTO-05 answers the official client, which finds models, streams, calls of its own tools and errors", async () => {
  const own = await startProvider({
    reply: ({ request }) =>
      request.tools?.some(({ function: { name } }) => name === "get_weather")
        ? { call: { name: "get_weather", arguments: { city: "Bern" } } }
        : { text: "Good day." },
  });
  provider = own;
  configure(own);
  const { gateway, baseURL } = await start();
  const client = new OpenAI({ baseURL, apiKey: token });

  const ids = (await client.models.list()).data.map(({ id }) => id);
  expect(ids).toEqual(["pincer", "pincer/main", "fake/small"]);

  const messages = [{ role: "user" as const, content: "Hi" }];
  const stream = client.chat.completions.stream({ model: "fake/small", messages });
  const streamed = await stream.finalChatCompletion();
  expect(streamed.choices[0]?.message.content).toBe("Good day.");

  const tools = [{ type: "function" as const, function: { name: "get_weather" } }];
  const called = await client.chat.completions.create({ model: "pincer", messages, tools });
  expect(called.choices[0]?.finish_reason).toBe("tool_calls");

  const first = await client.responses.create({ model: "pincer", input: "Hi" });
  const next = await client.responses.create({
    model: "pincer",
    input: "And?",
    previous_response_id: first.id,
  });
  expect([first.output_text, next.output_text]).toEqual(["Good day.", "Good day."]);

  await expect(client.models.retrieve("none")).rejects.toMatchObject({ status: 404 });
  const stranger = new OpenAI({ baseURL, apiKey: "wrong" });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await gateway.stop()).toBe(0);
});
