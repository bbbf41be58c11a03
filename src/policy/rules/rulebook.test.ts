import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createRulebook, type RuleRequest } from "./rulebook.ts";

const longestRule = 500;

function stage() {
  const clock = createHandClock();
  const { rules } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const rulebook = createRulebook({ rules, isToolName: (name) => name === "fs.read_file" });
  const add = async (text: string, more: Partial<RuleRequest> = {}) =>
    (await rulebook.add({ text, agentId: null, setBy: "cli:owner", ...more })).rule;
  return { add, rulebook };
}

it("enforces what the words say, unless tools or texts are named, or it is to be a reminder", async () => {
  const { add } = stage();
  expect((await add("never deploy")).enforcement).toEqual({ tools: ["exec", "process"] });
  expect((await add("be careful with money", { deny: ["message", "message"] })).enforcement).toEqual({
    tools: ["message"],
  });
  const narrowed = await add("never mail the boss", {
    deny: ["group:messaging"],
    match: ["boss@", " boss@ "],
  });
  expect(narrowed.enforcement).toEqual({ tools: ["group:messaging"], match: ["boss@"] });
  expect((await add("never send messages", { match: ["Bob"] })).enforcement).toEqual({
    tools: ["group:messaging", "sessions_send"],
    match: ["Bob"],
  });
  expect((await add("never deploy or read /etc", { match: ["x"] })).enforcement).toEqual({
    tools: ["exec", "process", "read", "list", "search"],
    match: ["x"],
  });
  expect((await add("hands off", { deny: ["effect:write"] })).enforcement).toEqual({
    tools: ["effect:write"],
  });
  expect((await add("never delete files", { remind: true })).enforcement).toBeNull();
  expect((await add("x", { deny: ["fs.read_file"] })).enforcement).toEqual({ tools: ["fs.read_file"] });
});

it("keeps a rule as one line of plain words", async () => {
  const { add } = stage();
  expect((await add("  never\n\trun\u0007  commands\u200b ")).text).toBe("never run commands");
});

it.each<[string, string, Partial<RuleRequest>]>([
  ["usage/empty-input", " \n ", {}],
  ["usage/bad-argument", "x".repeat(longestRule + 1), {}],
  ["usage/bad-argument", "be brief", { match: ["x"] }],
  ["usage/bad-argument", "never deploy", { remind: true, deny: ["exec"] }],
  ["usage/bad-argument", "hands off", { deny: ["exec"], match: [" "] }],
  ["usage/bad-argument", "hands off", { deny: ["exec"], match: ["boss@", "\u200b"] }],
  ["usage/bad-argument", "hands off", { deny: ["exec"], match: ["../"] }],
  ["tool/not-found", "never deploy", { deny: ["exce"] }],
])("refuses with %s and sets nothing", async (code, text, more) => {
  const { add, rulebook } = stage();
  await expect(add(text, more)).rejects.toMatchObject({ code });
  expect(await rulebook.list()).toEqual([]);
});

it("takes the longest rule, counted in characters as people see them", async () => {
  const { add } = stage();
  expect([...(await add("👋".repeat(longestRule))).text]).toHaveLength(longestRule);
});

it("says so when the same words are there and enforced otherwise", async () => {
  const { add, rulebook } = stage();
  await add("be brief");
  expect((await rulebook.add({ text: "be brief", agentId: null, setBy: "x" })).added).toBe(false);
  await expect(add("be brief", { deny: ["exec"] })).rejects.toMatchObject({ code: "usage/bad-argument" });
});

it("removes by number, and knows when there is none", async () => {
  const { add, rulebook } = stage();
  const rule = await add("be brief");
  expect(await rulebook.remove(1, "cli:owner")).toEqual(rule);
  await expect(rulebook.remove(1, "cli:owner")).rejects.toMatchObject({ code: "rule/not-found" });
});

it("takes no more rules than a prompt can bear", async () => {
  const { add, rulebook } = stage();
  for (let index = 0; index < 100; index++) await add(`rule ${index}`);
  await expect(add("one more")).rejects.toMatchObject({ code: "usage/bad-argument" });
  await add("rule 7");
  expect(await rulebook.list()).toHaveLength(100);
});
