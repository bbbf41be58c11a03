import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineChannel, type ChannelHost, type MethodParams } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { freePort } from "../../test/free-port.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
let gateway: Gateway | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-gauged-"));
});
afterEach(async () => {
  await gateway?.stop(1000);
  gateway = undefined;
  rmSync(home, { recursive: true });
});

/** A network whose way in can be cut while its way out goes on. */
function makeNetwork() {
  let host: ChannelHost | undefined;
  const sent: string[] = [];
  const beating = setInterval(() => host?.alive(), 500);
  const channel = defineChannel({
    id: "pigeon",
    config: Type.Object({}),
    traits: { textLimit: 1000, idempotentSend: true },
    async connect(_config, given) {
      host = given;
      given.signal.addEventListener("abort", () => clearInterval(beating));
      return {
        heartbeatSeconds: 1,
        send: async ({ response }) => {
          sent.push(response.text);
          return {};
        },
        close: async () => clearInterval(beating),
      };
    },
  });
  const say = (id: string, text: string) =>
    host?.receive({
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id, text, attachments: [], mentioned: true },
      timestamp: Date.now(),
    });
  return { channel, sent, say, cutWayIn: () => clearInterval(beating) };
}

async function start(network: ReturnType<typeof makeNetwork>, more: object = {}) {
  const port = await freePort();
  const config = {
    owners: ["pigeon:42"],
    channels: { pigeon: {} },
    queue: { debounceMs: 0 },
    gateway: { port, deafSeconds: 5, openMetrics: true, ...more },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  gateway = await createGateway(
    gatewayParts(home),
    { isServed: true },
    { channels: [network.channel], models: [createScriptedModel([{ text: "hello" }])] },
  );
  const get = (path: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const asked = request({ port, host: "127.0.0.1", path }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => (body += text));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      });
      asked.on("error", reject).end();
    });
  const ask = async <Name extends "gateway.status" | "channels.status" | "health.get">(method: Name) => {
    const client = await connectTo(join(home, "gateway.sock"));
    try {
      return await client.request(method, {} as MethodParams<Name>);
    } finally {
      client.close();
    }
  };
  return { get, ask, gateway };
}

describe("a gateway and its gauges", { timeout: 60_000 }, () => {
  it("PROTO-07 OBS-01 says that it lives and is ready, and what went through it", async () => {
    const network = makeNetwork();
    const running = await start(network);
    expect(await running.get("/healthz")).toEqual({ status: 200, body: '{"status":"ok"}' });
    const ready = await running.get("/readyz");
    expect(JSON.parse(ready.body)).toEqual({ status: "ready", reasons: [] });
    expect(ready.status).toBe(200);
    await network.say("m1", "hi");
    await running.gateway.idle();
    expect(network.sent).toEqual(["hello"]);
    const { status, body } = await running.get("/metrics");
    expect(status).toBe(200);
    const lines = body.split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'pincer_http_requests_total{route="/healthz",method="GET",status="200"} 1',
        'pincer_turns_total{ending="answered"} 1',
        "pincer_turn_queue_seconds_count 1",
        'pincer_deliveries_total{channel="pigeon",outcome="sent"} 1',
        'pincer_channel_health{channel="pigeon",account="default"} 2',
      ]),
    );
    const view = await running.ask("gateway.status");
    expect(view.gauges).toMatchObject({
      queue: { running: 0, waiting: 0 },
      turns: { ended: 1 },
      deadLetters: 0,
    });
  });

  it("OBS-01 CLI-22 a channel that hears nothing any more is red in time, wherever one looks", async () => {
    const network = makeNetwork();
    const running = await start(network);
    await network.say("m1", "hi");
    await running.gateway.idle();
    network.cutWayIn();
    const before = Date.now();
    const colour = async () => {
      const { channels } = await running.ask("channels.status");
      return channels.find(({ channel }) => channel === "pigeon")?.health;
    };
    expect(await colour()).toBe("green");
    await expect.poll(colour, { timeout: 10_000, interval: 100 }).toBe("red");
    // The bound, and a little for a machine that has other things to do.
    expect(Date.now() - before).toBeLessThan(7500);
    const health = await running.ask("health.get");
    expect(health.checks.find(({ name }) => name === "channels")).toMatchObject({
      status: "failing",
      reason: expect.stringMatching(/receives nothing/),
    });
    expect((await running.get("/metrics")).body).toContain(
      'pincer_channel_health{channel="pigeon",account="default"} 0',
    );
    // Other channels may work: the gateway is ready anyway.
    expect((await running.get("/readyz")).status).toBe(200);
  });

  it("OBS-01 metrics are for those who may see the state", async () => {
    const running = await start(makeNetwork(), { openMetrics: false });
    expect((await running.get("/metrics")).status).toBe(401);
  });
});
