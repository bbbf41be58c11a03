import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PincerError } from "@pincer/sdk";
import { createHandClock, createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import { keepHttp } from "./keep-http.ts";
import type { HttpSide } from "./open-http.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

it("tries again with growing pauses until it is open, and no more once it is closed", async () => {
  const clock = createHandClock();
  const begun = clock.monotonic();
  const tries: number[] = [];
  let isFree = false;
  const late: string[] = [];
  const kept = await keepHttp({
    async open() {
      tries.push(clock.monotonic() - begun);
      if (!isFree) throw new PincerError("gateway/running", "taken");
      return { address: "http://localhost:1", close: async () => {} } as unknown as HttpSide;
    },
    clock,
    onTrouble: () => {},
    onLate: ({ address }) => void late.push(address),
  });
  await clock.advance(70_000);
  expect(tries).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000]);
  expect([kept.current(), kept.trouble()?.message]).toEqual([undefined, "taken"]);
  isFree = true;
  await clock.advance(30_000);
  expect(late).toEqual(["http://localhost:1"]);
  expect(kept.trouble()).toBeUndefined();
  await kept.close(0);
  expect(clock.sleeping()).toBe(0);
});

it.each([
  ["a port that is taken", {}, /--port/],
  ["a tailnet that is not up", { bind: "tailnet" }, /Tailscale/],
  ["an address that this machine lacks", { bind: "custom", host: "192.0.2.1" }, /192\.0\.2\.1/],
])("channels work with %s, and health says why the page does not", async (_what, gateway, reason) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const home = mkdtempSync(join(tmpdir(), "pincer-port-"));
  const network = createRecordingChannel({ id: "pigeon" });
  const config = {
    gateway: { port: "bind" in gateway ? 0 : port, ...gateway },
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open" } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const models = [createScriptedModel([{ text: "here I am" }])];
  const running = await createGateway(
    gatewayParts(home),
    { isServed: true },
    { channels: [network.channel], models },
  );
  onTestFinished(async () => {
    await running.stop(1000);
    other.close();
    rmSync(home, { recursive: true, force: true });
  });
  await network.say({
    peer: { kind: "user", id: "42" },
    sender: { id: "42" },
    message: { type: "text", id: "1", text: "hello", attachments: [], mentioned: true },
    timestamp: Date.now(),
  });
  await running.idle();
  expect(network.ledger.map(({ text }) => text)).toEqual(["here I am"]);
  const client = await connectTo(running.socket);
  const checks = (await client.request("health.get", {})).checks;
  expect(checks.find(({ name }) => name === "http")).toMatchObject({
    status: "failing",
    reason: expect.stringMatching(reason),
  });
  await new Promise((resolve) => other.close(resolve));
  const address = "bind" in gateway ? undefined : `http://localhost:${port}`;
  await vi.waitFor(() => expect(running.address?.()).toBe(address), { timeout: 5000 });
  client.close();
});
