import { expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { needsRestart } from "./needs-restart.ts";

const changed = (change: (config: Config) => void): Config => {
  const config: Config = structuredClone(defaultConfig);
  change(config);
  return config;
};

it("is not needed where nothing has changed, nor for what is read each time", () => {
  expect(
    needsRestart(
      defaultConfig,
      changed(() => {}),
    ),
  ).toEqual([]);
  const live = changed((config) => {
    config.agents.defaults.model.primary = "stub/echo";
    config.gateway.limits.perUser = 1;
    config.gateway.auth.mode = "none";
    config.logging.level = "debug";
    config.channels = { local: { enabled: true, dmPolicy: "open", allowFrom: [] } };
  });
  expect(needsRestart(defaultConfig, live)).toEqual([]);
});

it.each<[string, (config: Config) => void]>([
  ["gateway.port", (config) => (config.gateway.port = 1)],
  ["gateway.bind", (config) => (config.gateway.bind = "lan")],
  ["gateway.host", (config) => (config.gateway.host = "10.0.0.1")],
  ["gateway.http", (config) => (config.gateway.http = false)],
  ["gateway.limits.connections", (config) => (config.gateway.limits.connections = 1)],
  ["gateway.openMetrics", (config) => (config.gateway.openMetrics = !config.gateway.openMetrics)],
  ["gateway.discovery", (config) => (config.gateway.discovery.bonjour = true)],
  ["gateway.tailscale", (config) => (config.gateway.tailscale = "serve")],
  ["plugins", (config) => (config.plugins.load = ["/x"])],
  ["queue.concurrency", (config) => (config.queue.concurrency = 1)],
  ["telemetry", (config) => (config.telemetry.enabled = true)],
])("is needed for %s, and names it", (key, change) => {
  expect(needsRestart(defaultConfig, changed(change))).toEqual([key]);
});
