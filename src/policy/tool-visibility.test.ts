import type { ToolVisibility } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { decideToolAccess } from "./tool-access.ts";
import { namesOf } from "./tool-groups.ts";
import { visibilityRules } from "./tool-visibility.ts";

const place = (...userRoles: string[]): ToolVisibility => ({
  channel: "telegram",
  chatId: "7",
  chatType: "direct",
  userRoles,
  sessionKey: "s",
  agentId: "main",
});
const exec = namesOf({ name: "exec", aliases: ["shell.exec"], effect: "act" });
const fetch = namesOf({ name: "web_fetch", aliases: [], effect: "read" });
type Visibility = Parameters<typeof visibilityRules>[0];
const isShown = (names: readonly string[], role: string, visibility: Visibility = []) =>
  decideToolAccess(names, visibilityRules(visibility), { place: place(role) }).allowed;

describe("what looks at files, changes things or runs programs", () => {
  it.each([
    "read",
    "list",
    "search",
    "shell_pwd",
    "write",
    "edit",
    "apply_patch",
    "exec",
    "process",
    "http_request",
  ])("SAFE-04 %s is there for the owner alone where nobody says otherwise", (name) => {
    const names = namesOf({ name, aliases: [], effect: "act" });
    expect([isShown(names, "owner"), isShown(names, "peer"), isShown(names, "system")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is not there where nobody knows who asks", () => {
    expect(decideToolAccess(exec, visibilityRules([])).allowed).toBe(false);
  });

  it.each([["exec"], ["group:runtime"]])("is there for whom the config names it, by %s", (name) => {
    const visibility: Visibility = [{ tools: [name], roles: ["developer"] }];
    expect(["owner", "developer", "peer"].map((role) => isShown(exec, role, visibility))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("does not take other things along", () => {
    expect(isShown(fetch, "peer")).toBe(true);
  });
});
