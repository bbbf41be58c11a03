import { expect, it } from "vitest";
import { inbound } from "./testing/inbound.ts";
import { stageRouter } from "./testing/router-stage.ts";

const from = (sender: string, text: string) =>
  inbound({ id: `${sender}-${text}`, text, peer: { kind: "user", id: sender }, sender: { id: sender } });

async function stage() {
  const { start, receive, settle, said, turns, stores } = stageRouter({ owners: ["telegram:1"] });
  await start();
  const tell = async (sender: string, text: string) => {
    await receive(from(sender, text));
    await settle();
    return (await said()).at(-1)?.text;
  };
  return { tell, turns, rules: stores.rules };
}

it("takes the owner's sentence for a rule, confirms it at once, and asks no model", async () => {
  const { tell, turns, rules } = await stage();
  expect(await tell("1", "Never run commands until I say so.")).toBe(
    "Rule 1 is enforced: exec, process must not run.\nTo remove it: /rule remove 1",
  );
  expect(await rules.list()).toMatchObject([
    {
      text: "Never run commands until I say so.",
      setBy: "telegram:1",
      enforcement: { tools: ["exec", "process"] },
    },
  ]);
  expect(await tell("1", "@pincer 在我说可以之前不要部署")).toContain("Rule 2 is enforced");
  expect(await tell("1", "/rules")).toBe(
    "1. Never run commands until I say so. – enforced\n2. 在我说可以之前不要部署 – enforced",
  );
  expect(await tell("1", "/rule remove 1")).toContain("Rule 1 is removed");
  expect(await turns()).toEqual([]);
});

it("gives the same words of anybody else to the model, and refuses them the command", async () => {
  const { tell, turns, rules } = await stage();
  const words = "never run commands until I say so";
  expect(await tell("42", words)).toBe(`echo: ${words}`);
  expect(await tell("42", "/rule never run commands")).toBe("/rule: Only my owner can see and set rules.");
  expect(await turns()).toHaveLength(1);
  expect(await rules.list()).toEqual([]);
});

it("gives the owner's near misses to the model", async () => {
  const { tell, rules } = await stage();
  expect(await tell("1", "never mind")).toBe("echo: never mind");
  expect(await rules.list()).toEqual([]);
});
