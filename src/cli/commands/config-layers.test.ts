import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { runCommand } from "../testing/fake-terminal.ts";
import * as config from "./config.ts";

async function openHome(text: string): Promise<CommandHome> {
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { mode: 0o700 });
  await writeFile(join(home.root, "home", "config.json5"), text, { mode: 0o600 });
  return home;
}

const get = async (home: CommandHome, key: string, more: Record<string, string> = {}) => {
  const environment = { ...home.environment, ...more };
  const ran = await runCommand(config, ["config", "get", key, "--json"], { environment });
  const { value, source } = ran.json<{ value: unknown; source: string }>();
  return [value, source];
};

it("CFG-05 CFG-06 profile environment, environment, overlay of the profile, file, default: the first that is set holds", async () => {
  const key = "agents.defaults.maxContextMessages";
  const home = await openHome("{ }");
  expect(await get(home, key)).toEqual([50, "default"]);
  const full = await openHome(
    "{ agents: { defaults: { maxContextMessages: 10 } }, profiles: { work: { agents: { defaults: { maxContextMessages: 20 } } } } }",
  );
  const chosen = { PINCER_PROFILE: "work" };
  const environment = { ...chosen, MAX_CONTEXT_MESSAGES: "30" };
  const ofProfile = { ...environment, PROFILE_WORK_MAX_CONTEXT_MESSAGES: "40" };
  const found = [];
  for (const more of [{}, chosen, environment, ofProfile]) found.push((await get(full, key, more))[0]);
  expect(found).toEqual([10, 20, 30, 40]);
});

it("CFG-07 takes comments, and the keys of sessions and agents", async () => {
  const home = await openHome(`{
    // how long a session lasts
    session: { dmScope: "per-peer", reset: { mode: "idle", idleMinutes: 5 } },
    agents: { defaults: {
      compaction: { reserveTokensFloor: 1000 }, /* and so on */
      contextPruning: { ttl: "1m" },
      memorySearch: { enabled: false },
    } },
  }`);
  expect((await home.run(config, "config", "validate")).status).toBe(0);
  expect(await get(home, "session.dmScope")).toEqual(["per-peer", "file"]);
  expect(await get(home, "session.reset.idleMinutes")).toEqual([5, "file"]);
  expect(await get(home, "agents.defaults.compaction.reserveTokensFloor")).toEqual([1000, "file"]);
  expect(await get(home, "agents.defaults.contextPruning.ttl")).toEqual(["1m", "file"]);
  expect(await get(home, "agents.defaults.memorySearch.enabled")).toEqual([false, "file"]);
});

it.each([
  ["session.reset.mode", "daily"],
  ["session.reset.atHour", 4],
  ["session.reset.idleMinutes", 240],
  ["agents.defaults.compaction.reserveTokensFloor", 20_000],
  ["agents.defaults.compaction.memoryFlush.enabled", true],
  ["agents.defaults.compaction.memoryFlush.softThresholdTokens", 4000],
  ["agents.defaults.contextPruning.mode", "cache-ttl"],
  ["agents.defaults.contextPruning.ttl", "5m"],
  ["agents.defaults.memorySearch.query.hybrid.candidateMultiplier", 4],
  ["agents.defaults.memorySearch.cache.maxEntries", 50_000],
])("CFG-08 %s is %s without settings", async (key, value) => {
  expect(await get(await openHome("{}"), key)).toEqual([value, "default"]);
});
