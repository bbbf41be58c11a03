/** Traces as a collector gets them from the product, killed in the middle of a turn. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startCollector, type Collector } from "../src/gateway/telemetry/testing/collector.ts";
import { makeHome, startGateway, untilLines, type RunningGateway, type TestHome } from "./run-pincer.ts";

let home: TestHome;
let collector: Collector;
let gateways: RunningGateway[] = [];
beforeEach(async () => {
  home = makeHome();
  collector = await startCollector();
});
afterEach(async () => {
  for (const gateway of gateways) gateway.process.kill("SIGKILL");
  gateways = [];
  home.remove();
  await collector.close();
});

async function start(): Promise<RunningGateway> {
  const gateway = await startGateway(home);
  gateways.push(gateway);
  return gateway;
}

it("OBS-05 each of many messages has its five spans in one trace, though the gateway is killed in between", async () => {
  const file = (name: string) => join(home.path, name);
  const config = {
    channels: { local: { inbox: file("in.jsonl"), outbox: file("out.jsonl"), dmPolicy: "open" } },
    queue: { mode: "followup", debounceMs: 0 },
    gateway: { http: false },
    telemetry: { enabled: true, endpoint: collector.endpoint },
  };
  writeFileSync(file("config.json5"), JSON.stringify(config), { mode: 0o600 });
  const say = (text: string, from: string) =>
    appendFileSync(
      file("in.jsonl"),
      `${JSON.stringify({ text: `tool:tools_echo {"text":"${text}"}`, from })}\n`,
    );
  let gateway = await start();
  for (let count = 0; count < 12; count++) say(`answer ${count}`, `peer${count % 4}`);
  await untilLines(file("out.jsonl"), 1);
  await gateway.kill();
  collector.spans.length = 0;

  gateway = await start();
  say("the last one", "ada");
  await untilLines(file("out.jsonl"), 13);
  expect(await gateway.stop()).toBe(0);
  const traces = Map.groupBy(collector.spans, ({ traceId }) => traceId);
  const whole = [...traces.values()].filter((spans) => spans.length >= 5);
  // What had ended before it was killed may have been told to nobody: traces are no ledger. What ended after it is whole.
  expect(whole.length).toBeGreaterThan(0);
  for (const spans of whole) {
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named("access_in")?.parentSpanId).toBeUndefined();
    expect(named("gateway_route")?.parentSpanId).toBe(named("access_in")?.spanId);
    expect(named("core_run")?.parentSpanId).toBe(named("gateway_route")?.spanId);
    expect(named("tool_execute")?.parentSpanId).toBe(named("core_run")?.spanId);
    expect(named("gateway_out")?.parentSpanId).toBe(named("core_run")?.spanId);
  }
});
