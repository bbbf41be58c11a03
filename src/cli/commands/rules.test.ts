import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as rules from "./rules.ts";

it("sets rules, says how each was understood, lists and removes them", async () => {
  const home = await createCommandHome();
  expect((await home.run(rules, "rules", "list")).err).toContain("There are no rules.");
  const set = await home.run(rules, "rules", "add", "--yes", "never", "run", "commands");
  expect(set).toMatchObject({ status: 0, out: "" });
  expect(set.err).toBe(
    "Rule 1 is enforced: exec, process must not run.\nTo remove it: pincer rules remove 1\n",
  );
  expect((await home.run(rules, "rules", "add", "be brief", "--agent", "main")).err).toContain(
    "Rule 2 is a reminder",
  );
  const explicit = ["--deny", "exec", "--deny", "group:fs", "--match", "rm -rf", "--json"];
  expect((await home.run(rules, "rules", "add", "be careful", ...explicit)).json()).toMatchObject({
    added: true,
    rule: { id: 3, enforcement: { tools: ["exec", "group:fs"], match: ["rm -rf"] } },
  });
  expect(
    (await home.run(rules, "rules", "list")).out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ["1", "enforced", "every agent", "exec, process", "never run commands"],
    ["2", "reminder", "main", "-", "be brief"],
    ["3", "enforced", "every agent", "exec, group:fs, rm -rf", "be careful"],
  ]);
  expect((await home.run(rules, "rules", "remove", "1")).err).toBe("Rule 1 is removed: never run commands\n");
  expect((await home.run(rules, "rules", "list", "--json")).json<{ rules: unknown[] }>().rules).toHaveLength(
    2,
  );
});

it("says what is wrong, in two languages", async () => {
  const home = await createCommandHome();
  expect(await home.run(rules, "rules", "add", " ")).toMatchObject({ status: 2 });
  expect((await home.run(rules, "rules", "add", "x".repeat(501))).err).toContain("501 characters");
  const unknown = await home.run(rules, "rules", "remove", "9", "--json");
  expect(unknown.status).toBe(1);
  expect(unknown.json()).toMatchObject({ error: { code: "rule/not-found" } });
  expect((await home.run(rules, "rules", "remove", "nine")).status).toBe(2);
  expect((await home.runInChinese(rules, "rules", "remove", "9")).err).toContain("没有规则 9");
});

it("works the same beside a gateway, which sees the rule at once", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  expect((await home.run(rules, "rules", "add", "--yes", "不要执行命令")).err).toContain(
    "Rule 1 is enforced",
  );
  expect((await home.run(rules, "rules", "list")).out).toContain("不要执行命令");
  expect((await home.run(rules, "rules", "remove", "1")).status).toBe(0);
});

it("forbids deleting alone where deleting is what the rule says", async () => {
  const home = await createCommandHome();
  const set = await home.run(rules, "rules", "add", "never", "delete", "files");
  expect(set.status).toBe(0);
  expect(set.err).toContain("every tool that writes, exec, process must not delete.");
  expect(set.err).toContain("pincer undo");
  expect((await home.run(rules, "rules", "list")).out).toContain("deleting, every tool that writes");
});

it("says which whole tools a rule takes away, and sets it only with a yes", async () => {
  const home = await createCommandHome();
  const unsaid = await home.run(rules, "rules", "add", "never", "run", "commands");
  expect(unsaid.status).toBe(2);
  expect(unsaid.err).toContain(
    "takes whole tools away, not only one use of them: exec, process must not run.",
  );
  expect(unsaid.err).toContain("--yes");
  expect((await home.run(rules, "rules", "list", "--json")).json()).toEqual({ rules: [] });
  // A person who names the tool knows what it takes away.
  for (const words of [["never use exec"], ["hands off", "--deny", "exec"], ["never touch /etc"]])
    expect((await home.run(rules, "rules", "add", ...words)).status).toBe(0);
});
