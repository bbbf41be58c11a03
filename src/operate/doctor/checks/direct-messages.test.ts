import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkDirectMessages } from "./direct-messages.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("X17 is content while nobody wrote open", async () => {
  await home.write("config.json5", "{ channels: { telegram: {}, slack: { dmPolicy: 'allowlist' } } }");
  expect(await levelsOf(checkDirectMessages(home.examined))).toEqual(["ok"]);
});

it("X17 warns of every channel, account and gateway layer that is open to everybody", async () => {
  await home.write(
    "config.json5",
    `{ channels: { telegram: { dmPolicy: 'open' }, slack: { accounts: { work: { dmPolicy: 'open' } } } },
       gateway: { default: { pairingPolicy: 'open' }, channels: { discord: { pairingPolicy: 'open' } } } }`,
  );
  const findings = await checkDirectMessages(home.examined).check();
  expect(findings.map(({ level, place }) => [level, place?.key])).toEqual([
    ["warning", "channels.telegram.dmPolicy"],
    ["warning", "channels.slack.accounts.work.dmPolicy"],
    ["warning", "gateway.default.pairingPolicy"],
    ["warning", "gateway.channels.discord.pairingPolicy"],
  ]);
  expect(findings[0]?.next).toContain("pincer config set channels.telegram.dmPolicy pairing");
});
