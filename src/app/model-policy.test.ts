/** Which models a turn may ask, what it goes on with when one fails, and where it ends. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../test/free-port.ts";
import type { GatewayOptions } from "./gateway.ts";
import { openTalkStage } from "./testing/talk-stage.ts";

type Way = "answers" | "fails" | "hangs" | "never stops calling";

/** Providers on one server; each reads a million tokens, and each question is noted. */
async function open(ways: Record<string, Way>, config: Record<string, object>, options: GatewayOptions = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const [, provider = ""] = (request.url ?? "").split("/");
    asked.push(provider);
    const way = ways[provider];
    if (way === "hangs") return;
    if (way === "fails") return void response.writeHead(500).end("no");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", ...fields })}\n\n`,
      );
    const call = { name: "tools_echo", arguments: JSON.stringify({ text: `${asked.length}` }) };
    const calls = [{ index: 0, id: `call_${asked.length}`, type: "function", function: call }];
    const goesOn = way === "never stops calling";
    say({
      choices: [
        {
          index: 0,
          delta: goesOn ? { tool_calls: calls } : { content: `This is ${provider}.` },
          finish_reason: null,
        },
      ],
    });
    say({ choices: [{ index: 0, delta: {}, finish_reason: goesOn ? "tool_calls" : "stop" }] });
    say({ choices: [], usage: { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const models = [{ id: "m", cost: { input: 1, output: 1 }, contextWindow: 2_000_000 }];
  const providers = Object.fromEntries(
    Object.keys(ways).map((name) => [name, { baseUrl: `http://127.0.0.1:${port}/${name}/v1`, models }]),
  );
  const { models: more, ...rest } = config;
  const stage = await openTalkStage({
    options,
    extras: { models: [] },
    config: {
      agents: { defaults: { model: { primary: "red/m", fallbacks: ["blue/m"] } } },
      models: { discover: false, attempts: 1, providers, ...more },
      ...rest,
    },
  });
  return { stage, asked };
}

it.each([
  ["providers", { allowedProviders: ["blue"] }],
  ["models", { allowedModels: ["blue/*"] }],
])(
  "MODEL-04 a model that is not among the allowed %s is not asked, not even first",
  async (_what, models) => {
    const { stage, asked } = await open({ red: "answers", blue: "answers" }, { models });
    const [said = ""] = await stage.say("hello");
    expect(said).toContain(Object.keys(models)[0]);
    expect(asked).toEqual([]);
    const fallback = await open(
      { red: "fails", blue: "answers" },
      {
        models: Object.fromEntries(
          Object.keys(models).map((key) => [key, [key === "allowedModels" ? "red/*" : "red"]]),
        ),
      },
    );
    await fallback.stage.say("hello");
    expect(fallback.asked).toEqual(["red"]);
  },
);

it("MODEL-04 MODEL-06 what fails is followed by the fallback, for that one attempt", async () => {
  const { stage, asked } = await open({ red: "fails", blue: "answers" }, {});
  expect((await stage.say("hello")).join("\n")).toContain("This is blue.");
  await stage.say("hello again");
  expect(asked).toEqual(["red", "blue", "red", "blue"]);
});

it("MODEL-04 a run ends before it costs more than it may", async () => {
  const { stage, asked } = await open({ red: "never stops calling" }, { budgets: { turn: { cost: 3.5 } } });
  const said = (await stage.say("hello")).join("\n");
  expect(said).toMatch(/\$3\.50/);
  expect(asked.length).toBeGreaterThan(1);
  // A million tokens cost a dollar.
  expect(asked.length).toBeLessThanOrEqual(4);
});

it("OBS-03 tells tokens, cost, time-outs and fallbacks of each model", async () => {
  const port = await freePort();
  const { stage } = await open(
    { red: "hangs", blue: "answers" },
    { models: { totalTimeoutMs: 1000, idleTimeoutMs: 1000 }, gateway: { port, openMetrics: true } },
    { isServed: true },
  );
  await stage.say("hello");
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const figure = (start: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(start))
        ?.split(" ")
        .at(-1),
    );
  expect(figure('pincer_model_tokens_total{model="blue/m",kind="input"}')).toBe(1_000_000);
  expect(figure('pincer_model_cost_dollars_total{model="blue/m"}')).toBe(1);
  expect(figure('pincer_model_timeouts_total{model="red/m"}')).toBe(1);
  expect(figure('pincer_model_fallbacks_total{from="red/m",to="blue/m"}')).toBe(1);
});

it("MODEL-04 a model that takes longer than it may is given up, and the fallback answers", async () => {
  const { stage, asked } = await open(
    { red: "hangs", blue: "answers" },
    { models: { totalTimeoutMs: 1000, idleTimeoutMs: 1000 } },
  );
  expect((await stage.say("hello")).join("\n")).toContain("This is blue.");
  expect(asked).toEqual(["red", "blue"]);
});
