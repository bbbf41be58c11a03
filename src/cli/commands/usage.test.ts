import { expect, it } from "vitest";
import type { UsageDraft } from "../../storage/usage/usage.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import * as usage from "./usage.ts";
import { addUsage, noJudge, someHolder } from "../../storage/testing/add-usage.ts";

const draft = (more: Partial<UsageDraft>, cost: number, estimated = false): UsageDraft => ({
  turnId: null,
  sessionId: null,
  sessionKey: "agent:main:main",
  agentId: "main",
  provider: "p",
  model: "m",
  credential: "p:one",
  usage: {
    input: 1000,
    output: 50,
    cacheRead: 3000,
    cacheWrite: 0,
    total: 4050,
    cost,
    ...(estimated && { estimated }),
  },
  outcome: "ok",
  startedAt: new Date().toISOString(),
  durationMs: 1,
  firstByteMs: 1,
  ...more,
});

const fill = (home: CommandHome) =>
  home.fill(async (stores) => {
    await addUsage(stores.usage, draft({}, 0.25));
    await addUsage(stores.usage, draft({ model: "local", outcome: "unavailable" }, 0.0125, true));
    await addUsage(stores.usage, draft({ model: "old", startedAt: "2025-01-31T10:00:00.000Z" }, 3));
  });

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

it("MODEL-08 prints what was used, with cache hits, estimates marked, and a total", async () => {
  const home = await createCommandHome();
  expect((await home.run(usage, "usage")).err).toContain("Nothing was used");
  await fill(home);
  expect(lines((await home.run(usage, "usage")).out)).toEqual([
    ["model", "calls", "failed", "tokens in", "tokens out", "cache hits", "cost"],
    ["p/m", "1", "0", "4,000", "50", "75%", "$0.250"],
    ["p/local", "1", "1", "4,000", "50", "75%", "~$0.0125"],
    ["total", "2", "1", "8,000", "100", "75%", "~$0.263"],
  ]);
  const chinese = await home.runInChinese(usage, "usage", "--by", "credential");
  expect(lines(chinese.out)[0]?.[0]).toBe("凭据");
});

it("MODEL-08 says that it does not know what nobody knows the price of, and marks what is still open", async () => {
  const home = await createCommandHome();
  await home.fill(async (stores) => {
    await addUsage(stores.usage, draft({}, 0.25));
    await addUsage(stores.usage, draft({ model: "secret" }, 0), { isUnpriced: true });
    const open = draft({ model: "open" }, 0.125, true);
    await stores.usage.open({ ...open, isUnpriced: false, holder: someHolder() }, noJudge);
  });
  const costs = lines((await home.run(usage, "usage")).out).map((cells) => [cells[0], cells.at(-1)]);
  expect(costs.slice(1)).toEqual([
    ["p/m", "$0.250"],
    ["p/open", "~$0.125"],
    ["p/secret", "?"],
    ["total", "~$0.375 + ?"],
  ]);
});

it("MODEL-08 narrows by day, session, agent and number of lines, with a gateway as without", async () => {
  const home = await createCommandHome();
  await fill(home);
  const costs = async (...args: string[]) => {
    const ran = await home.run(usage, "usage", "--json", ...args);
    return ran.json<{ sums: Array<{ key: string; cost: number }>; total: { cost: number } }>();
  };
  const look = async () => {
    expect((await costs("--from", "2025-01-01", "--to", "2025-01-31")).total.cost).toBe(3);
    expect((await costs("--from", "2025-01-01", "--to", "2025-01-30")).total.cost).toBe(0);
    expect((await costs("--days", "2000")).total.cost).toBe(3.2625);
    expect((await costs("--session", "main")).total.cost).toBe(0.2625);
    expect((await costs("--agent", "nobody")).sums).toEqual([]);
    const one = await costs("--limit", "1", "--days", "2000");
    expect(one.sums.map(({ key }) => key)).toEqual(["p/old"]);
    expect((await home.run(usage, "usage", "--limit", "1")).err).toContain("more lines");
  };
  await look();
  await home.startGateway();
  await look();
});

it.each([
  [["--by", "colour"], "colour is not one of"],
  [["--from", "yesterday"], "yesterday is not a day"],
  [["--days", "3", "--to", "2026-01-01"], "not both"],
])("refuses %j and says what would do", async (args, words) => {
  const home = await createCommandHome();
  const ran = await home.run(usage, "usage", ...args);
  expect(ran.status).toBe(2);
  expect(ran.err).toContain(words);
});
