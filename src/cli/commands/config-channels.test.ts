import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as config from "./config.ts";

it.each([
  ["channels.telegram.botTokn", "1", "channels.telegram.botToken"],
  ["channels.telegram.accounts.work.botTokn", "1", "channels.telegram.accounts.work.botToken"],
  ["channels.telegram", "{ dmPolcy: 'open' }", "channels.telegram.dmPolicy"],
  ["profiles.work.channels.telegram.botTokn", "1", "profiles.work.channels.telegram.botToken"],
  ["channels.local.inbx", "/tmp/x", "channels.local.inbox"],
])("refuses %s, which neither we nor the connector know (%s), and names %s", async (path, value, nearest) => {
  const home = await createCommandHome();
  const ran = await home.run(config, "config", "set", path, value);
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err).toContain(nearest);
  expect((await home.run(config, "config", "set", path, value, "--force")).status).toBe(0);
});

it("takes every key that a connector reads, and any key of a channel that a plugin may bring", async () => {
  const home = await createCommandHome();
  for (const [path, value] of [
    ["channels.local.inbox", "/tmp/x"],
    ["channels.telegram.apiRoot", "http://127.0.0.1:1"],
    ["channels.telegram.dms.42.historyLimit", "3"],
    ["channels.magpie.nest", "north"],
  ])
    expect([path, (await home.run(config, "config", "set", path ?? "", value ?? "")).status]).toEqual([
      path,
      0,
    ]);
});
