import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import { startGatewayInHome, type GatewayInHome } from "../../app/testing/gateway-in-home.ts";
import { restartGateway } from "./restart-gateway.ts";
import { createServiceRecords, type ServiceMode } from "./service-record.ts";
import type { SystemParts } from "./system-service.ts";

let directory: string;
let environment: Record<string, string>;
let gateway: GatewayInHome | undefined;
let ran: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-restart-"));
  environment = { HOME: directory, PINCER_HOME: join(directory, "home") };
  ran = [];
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const system = (status = 0): SystemParts => ({
  platform: "linux",
  environment,
  program: { node: "/node", pincer: "/pincer" },
  userId: 1,
  async run(program, args) {
    ran.push([program, ...args].join(" "));
    return { type: "ended", status, said: "" };
  },
});

async function serve(mode: ServiceMode): Promise<void> {
  gateway = await startGatewayInHome(environment);
  const facts = { channels: [], startedAt: "now", version: "1", address: null, port: null, arguments: [] };
  await createServiceRecords(locateHome(environment)).write({ ...facts, mode });
}

const restart = (parts: SystemParts) => {
  const { signal } = new AbortController();
  return restartGateway({ environment, version: "1", cwd: "/", signal, system: parts }, () => {});
};

it("CLI-18 says that none runs", async () => {
  expect(await restart(system())).toEqual({ type: "not-running" });
});

it("CLI-18 has one in a terminal serve again where it is: its owner keeps watching it", async () => {
  await serve("foreground");
  expect(await restart(system())).toEqual({ type: "restarting", pid: process.pid, by: "itself" });
  expect(gateway?.asked).toEqual(["gateway.restart"]);
  expect(ran).toEqual([]);
});

it("CLI-18 leaves one that the system started to the system, and asks it itself where that fails", async () => {
  await serve("system");
  expect(await restart(system())).toMatchObject({ type: "restarting", by: "system" });
  expect(ran).toEqual(["systemctl --user --no-block restart pincer.service"]);
  expect(gateway?.asked).toEqual([]);
  expect(await restart(system(1))).toMatchObject({ type: "restarting", by: "itself" });
});
