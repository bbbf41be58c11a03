import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { failure } from "../infra/failure.ts";
import type { TenantStores } from "../storage/storage.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway, GatewayExtras } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";
import {
  startCollector,
  type CollectedSpan,
  type Collector,
} from "../gateway/telemetry/testing/collector.ts";

let home: string;
let collector: Collector;
let running: Gateway[] = [];
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "pincer-tracing-"));
  collector = await startCollector();
});
afterEach(async () => {
  for (const gateway of running) await gateway.stop(500);
  running = [];
  await collector.close();
  rmSync(home, { recursive: true });
});

const file = (name: string) => join(home, name);

async function start(telemetry: object = {}, extras: GatewayExtras = {}, served: object = { http: false }) {
  const config = {
    channels: { local: { inbox: file("in.jsonl"), outbox: file("out.jsonl"), dmPolicy: "open" } },
    queue: { debounceMs: 0 },
    gateway: served,
    telemetry: { enabled: true, endpoint: collector.endpoint, ...telemetry },
  };
  writeFileSync(file("config.json5"), JSON.stringify(config), { mode: 0o600 });
  let stores!: TenantStores;
  const gateway = await createGateway(
    gatewayParts(home),
    { isServed: true },
    { ...extras, wrapStores: (own) => (stores = extras.wrapStores?.(own) ?? own) },
  );
  running.push(gateway);
  return { gateway, stores: () => stores };
}

const write = (text: string) =>
  appendFileSync(file("in.jsonl"), `${JSON.stringify({ text, from: "ada" })}\n`);

function post(address: string, headers: object, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      address,
      { method: "POST", headers: { "content-type": "application/json", ...headers } },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)),
    );
    asked.on("error", reject).end(JSON.stringify(body));
  });
}

/** Each span with the name of its parent. */
const tree = (spans: CollectedSpan[]) =>
  spans
    .map(({ name, parentSpanId }) => [
      name,
      spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId ?? null,
    ])
    .toSorted();

const wholeTree = [
  ["access_in", null],
  ["core_run", "gateway_route"],
  ["gateway_out", "core_run"],
  ["gateway_route", "access_in"],
  ["tool_execute", "core_run"],
];

describe("the trace of a message", { timeout: 30_000 }, () => {
  it("OBS-05 has the five spans of its way, one inside the other, with one trace id and the id of the run", async () => {
    const { stores } = await start();
    write('tool:tools_echo {"text":"hello"}');
    await collector.until(5);
    expect(tree(collector.spans)).toEqual(wholeTree);
    const [turn] = await stores().turns.list({ limit: 1 });
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(collector.spans.map(({ attributes }) => attributes["run_id"]))).toEqual(
      new Set([turn?.turnId]),
    );
    for (const span of collector.spans) {
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      expect(span.status.code).toBe(0);
    }
    // The lines of the log about the run name its trace.
    const lines = readFileSync(file("logs/gateway.log"), "utf8").trim().split("\n");
    const ofRun = lines.map((line) => JSON.parse(line)).filter(({ runId }) => runId === turn?.turnId);
    expect(ofRun.length).toBeGreaterThan(0);
    expect(ofRun.every(({ traceId }) => traceId === collector.spans[0]?.traceId)).toBe(true);
    // Names and ids go out, never what was said.
    expect(collector.bodies.join()).not.toContain("hello");
  });

  it("OBS-05 goes on after a crash in the middle as the same trace, with what was done before it", async () => {
    const crashed = Promise.withResolvers<void>();
    const { gateway } = await start(
      {},
      {
        wrapStores: (own) => ({
          ...own,
          turns: {
            ...own.turns,
            // The process never gets to the end of the turn.
            async end() {
              crashed.resolve();
              throw failure("storage/unavailable", "failure.database-closed");
            },
          },
        }),
      },
    );
    write('tool:tools_echo {"text":"hello"}');
    await crashed.promise;
    await gateway.stop(200);
    expect(collector.spans).toEqual([]);

    await start();
    await collector.until(5);
    expect(tree(collector.spans)).toEqual(wholeTree);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it("OBS-05 a request of somebody who has a trace becomes a part of it, unless they want no trace", async () => {
    const { gateway } = await start({}, {}, { http: true, port: await freePort(), auth: { mode: "none" } });
    const theirs = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
    const ask = (traceparent: string) =>
      post(
        `${gateway.address?.()}/v1/chat/completions`,
        { traceparent },
        {
          model: "pincer",
          messages: [{ role: "user", content: "hi" }],
        },
      );
    expect(await ask(`00-${theirs.traceId}-${theirs.spanId}-00`)).toBe(200);
    expect(await ask(`00-${theirs.traceId}-${theirs.spanId}-01`)).toBe(200);
    expect(await ask("no traceparent")).toBe(200);
    await collector.until(6);
    const own = collector.spans.filter(({ traceId }) => traceId === theirs.traceId);
    expect(tree(own)).toEqual([
      ["access_in", theirs.spanId],
      ["core_run", "gateway_route"],
      ["gateway_route", "access_in"],
    ]);
    expect(collector.spans).toHaveLength(6);
  });

  it("OBS-05 without a collector the message is answered all the same, and nothing is sent where it is switched off", async () => {
    await collector.close();
    await start();
    write('tool:tools_echo {"text":"one"}');
    const answered = () => existsSync(file("out.jsonl")) && readFileSync(file("out.jsonl"), "utf8");
    await expect.poll(answered).toContain('"one"');
    const logged = () => readFileSync(file("logs/gateway.log"), "utf8");
    await expect.poll(logged).toMatch(/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/);
    for (const gateway of running.splice(0)) await gateway.stop(200);
    collector = await startCollector();
    const { gateway } = await start({ enabled: false });
    write('tool:tools_echo {"text":"two"}');
    await expect.poll(answered).toContain('"two"');
    await gateway.stop(500);
    expect(collector.bodies).toEqual([]);
  });
});
