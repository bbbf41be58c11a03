import type { ToolVisibility } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../config/default-config.ts";
import type { Config } from "../config/schema.ts";
import { configRules, isSensitive } from "./config-rules.ts";
import { decideToolAccess } from "./tool-access.ts";
import { groupsOf, namesInProfile } from "./tool-groups.ts";

const place: ToolVisibility = {
  channel: "telegram",
  chatId: "7",
  chatType: "direct",
  userRoles: ["owner"],
  sessionKey: "agent:main:main",
  agentId: "main",
};
const config = (tools: Partial<Config["tools"]>, edition: Config["edition"] = "personal") =>
  ({ edition, tools: { ...defaultConfig.tools, ...tools } }) as Config;
const access = (tool: string, given: Config, where = place) =>
  decideToolAccess([tool, ...groupsOf(tool)], configRules(given, where), { place: where });

describe("what the config rules besides its lists", () => {
  it("TOOL-15 a mode denies, allows or asks, by name or by group", () => {
    const given = config({ modes: { exec: "deny", "group:web": "approval-required", read: "allow" } });
    expect(access("exec", given)).toMatchObject({ allowed: false, rule: { source: "tools.modes.exec" } });
    expect(access("web_fetch", given)).toMatchObject({ allowed: true, asks: true });
    expect(access("read", given)).toMatchObject({ allowed: true });
    expect(access("read", given).asks).toBeUndefined();
  });

  it.each(["agent:main:main", "telegram:7"])("holds for one conversation alone, named as %s", (key) => {
    const given = config({ sessions: { [key]: { deny: ["exec"], allow: ["read", "exec"] } } });
    expect(access("exec", given).allowed).toBe(false);
    expect(access("write", given).allowed).toBe(false);
    expect(access("read", given).allowed).toBe(true);
    const elsewhere = { ...place, chatId: "8", sessionKey: "agent:main:telegram:direct:8" };
    expect(access("exec", given, elsewhere).allowed).toBe(true);
  });

  it("TOOL-22 a sensitive conversation has no web and no browser, and its programs are told so", () => {
    const given = config({ sensitive: { ...defaultConfig.tools.sensitive, sessions: ["telegram:7"] } });
    for (const tool of ["web_fetch", "web_search", "http_request", "browser_click"])
      expect(access(tool, given).allowed).toBe(false);
    expect(access("read", given).allowed).toBe(true);
    expect([isSensitive(given, place), isSensitive(given, { ...place, chatId: "8" })]).toEqual([true, false]);
  });

  it("TOOL-16 TEN-03 the enterprise edition has nothing that nobody granted, the personal one what is safe", () => {
    expect(access("read", config({}, "enterprise")).allowed).toBe(false);
    expect(access("read", config({ modes: { read: "allow" } }, "enterprise")).allowed).toBe(true);
    expect(access("read", config({})).allowed).toBe(true);
  });
});

describe("profiles", () => {
  const inProfile = (profile: string, tool: string) => {
    const names = namesInProfile(profile) ?? [];
    return decideToolAccess([tool, ...groupsOf(tool)], [{ type: "only", source: "profile", names }]).allowed;
  };

  it.each([
    ["minimal", ["session_status"], ["read", "exec", "message", "sessions_list", "time_now"]],
    [
      "coding",
      ["read", "write", "edit", "apply_patch", "exec", "process"],
      ["message", "sessions_send", "web_fetch"],
    ],
    [
      "messaging",
      ["message", "sessions_list", "sessions_send", "session_status"],
      ["read", "exec", "web_fetch"],
    ],
    ["full", ["read", "exec", "message", "web_fetch", "sessions_list"], []],
  ])("TOOL-12 %s has its tools and no others", (profile, has, lacks) => {
    expect(has.filter((tool) => !inProfile(profile, tool))).toEqual([]);
    expect(lacks.filter((tool) => inProfile(profile, tool))).toEqual([]);
  });
});
