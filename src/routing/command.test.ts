import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { mayUse, refusalOf } from "./command.ts";

const peer = { role: "peer", isGroup: false } as const;
const owner = { role: "owner", isGroup: true } as const;

it("TEN-03 a command is for those who have the permission of what it changes, whatever its access says", () => {
  expect(mayUse({ name: "approve", access: "anyone" }, peer)).toBe(false);
  expect(mayUse({ name: "approve", access: "anyone" }, owner)).toBe(true);
  expect(mayUse({ name: "new", access: "anyone" }, peer)).toBe(true);
  expect(mayUse({ name: "help", access: "anyone" }, peer)).toBe(true);
});

it("TEN-03 a command that nobody has given a permission is nobody's", () => {
  expect(mayUse({ name: "frobnicate", access: "anyone" }, owner)).toBe(false);
});

it("a refusal names the command, and why", () => {
  const say = createSay("en");
  expect(refusalOf({ name: "model", access: "owner" }, "!", say)).toBe("!model: Only my owner can use this.");
  expect(refusalOf({ name: "new", access: "owner-in-groups" }, "/", say)).toMatch(/^\/new: In a group only/);
  expect(
    refusalOf({ name: "rule", access: "owner", refusal: "rules.owner-only" }, "/", createSay("zh")),
  ).toBe("/rule：只有我的所有者可以查看和设定规则。");
});
