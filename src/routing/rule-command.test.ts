import { PincerError } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createSay } from "../infra/texts.ts";
import { createRulebook } from "../policy/rules/rulebook.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { runRuleCommand } from "./rule-command.ts";

const owner = { role: "owner" as const, id: "telegram:42" };

function stage(language: "en" | "zh" = "en") {
  const clock = createHandClock();
  const { rules } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const rulebook = createRulebook({ rules });
  const run = (words: string, person: Parameters<typeof runRuleCommand>[2] = owner) =>
    runRuleCommand({ say: createSay(language), rulebook }, { words, prefix: "/" }, person);
  return { run, rules };
}

it("sets a rule, says how it was understood and how to be rid of it", async () => {
  const { run, rules } = stage();
  expect(await run("never run commands")).toBe(
    "Rule 1 is enforced: exec, process must not run.\nTo remove it: /rule remove 1",
  );
  expect(await run("never touch /etc")).toContain("must not run with “/etc” in the call.");
  expect(await run("be brief")).toContain("Rule 3 is a reminder");
  expect(await run("never write files or touch /etc")).toContain(
    "Rule 4 is enforced: every tool that writes, exec, process must not run; group:fs, ",
  );
  expect(await run("never message Bob")).toContain("people by their address or id");
  expect(await rules.list()).toMatchObject([
    { text: "never run commands", setBy: "telegram:42", agentId: null },
    { text: "never touch /etc" },
    { text: "be brief", enforcement: null },
    { text: "never write files or touch /etc" },
    { text: "never message Bob", enforcement: null },
  ]);
});

it.each([
  ["add never browse the web", "never browse the web"],
  ["Add: never browse the web", "never browse the web"],
  ["add a rule: be brief", "be brief"],
  ["new never browse the web", "never browse the web"],
  ["new rule: be brief", "be brief"],
  ["添加 不要上网", "不要上网"],
  ["添加：不要上网", "不要上网"],
  ["添加规则 不要上网", "不要上网"],
  ["新增不要上网", "不要上网"],
  // No order to add something.
  ["new files need a test", "new files need a test"],
  ["additions need a test", "additions need a test"],
  ["添加文件时要写测试", "添加文件时要写测试"],
])("does not take the order to add a rule for its words: %s", async (words, text) => {
  const { run, rules } = stage();
  await run(words);
  expect(await rules.list()).toMatchObject([{ text }]);
});

it("adds no rule without words", async () => {
  const { run, rules } = stage();
  for (const words of ["add", "new", "添加", "add: "]) expect(await run(words)).toBe("The rule is empty.");
  expect(await rules.list()).toEqual([]);
});

it("lists and removes them", async () => {
  const { run } = stage();
  expect(await run("")).toContain("There are no rules.");
  await run("never run commands");
  await run("be brief");
  const lines = "1. never run commands – enforced\n2. be brief – reminder";
  expect(await run("")).toBe(lines);
  expect(await run("list")).toBe(lines);
  expect(await run("remove 1")).toBe("Rule 1 is removed: never run commands");
  expect(await run("remove #2")).toBe("Rule 2 is removed: be brief");
  expect(await run("remove 9")).toBe("There is no rule 9.");
  for (const words of ["remove", "remove it", "delete 0", "remove 1.5"])
    expect(await run(words)).toContain("Which one?");
});

it("sets the same rule once, also when the message is handled again", async () => {
  const { run, rules } = stage();
  await run("never run commands");
  expect(await run("never  run commands ")).toContain("It already existed.");
  expect(await rules.list()).toHaveLength(1);
});

it("says what is wrong with a rule", async () => {
  const { run } = stage();
  expect(await run(`never ${"x".repeat(600)}`)).toContain("606 characters");
});

it("is the owner's alone", async () => {
  const { run, rules } = stage();
  for (const words of ["never run commands", "", "list", "remove 1"])
    expect(await run(words, { role: "peer", id: "telegram:7" })).toBe("Only my owner can see and set rules.");
  expect(await rules.list()).toEqual([]);
});

it("speaks Chinese", async () => {
  const { run } = stage("zh");
  expect(await run("不要执行命令")).toContain("规则 1 强制执行：exec, process 不得运行。");
  expect(await run("列表")).toBe("1. 不要执行命令 – 强制");
  expect(await run("删除 1")).toContain("规则 1 已删除");
});

it("leaves storage errors to the caller that repeats the work", async () => {
  const broken = async () => {
    throw new PincerError("storage/busy", "busy");
  };
  const rulebook = { add: broken, list: broken, remove: broken };
  const work = runRuleCommand({ say: createSay("en"), rulebook }, { words: "", prefix: "/" }, owner);
  await expect(work).rejects.toMatchObject({ code: "storage/busy" });
});
