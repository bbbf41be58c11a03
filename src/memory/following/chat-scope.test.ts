import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { scopeOf } from "./chat-scope.ts";

const settings = { sources: ["memory", "sessions"] as const, inject: defaultConfig.memory.inject };
const open = { memoryFile: true, days: 2 };

describe("who may find what", () => {
  it("MEM-07 lets the owner find everything of the agent, at the terminal and in their own chats", () => {
    const whole = { agentId: "main", kinds: ["memory", "note", "conversation"] };
    expect(scopeOf("owner", "main", settings)).toEqual(whole);
    expect(scopeOf({ chatType: "main", sessionKey: "main" }, "main", settings)).toEqual(whole);
  });

  it("MEM-04 lets somebody else find only what was said in their own chat, whatever the config opens to groups", () => {
    const chat = { chatType: "direct" as const, sessionKey: "agent:main:telegram:dm:42" };
    const inject = { ...settings.inject, group: open };
    expect(scopeOf(chat, "main", { ...settings, inject })).toEqual({
      agentId: "main",
      kinds: ["conversation"],
      sessionKey: chat.sessionKey,
    });
  });

  it("MEM-04 lets a group find what was said in it, and of memory what the config opens to groups", () => {
    const chat = { chatType: "group" as const, sessionKey: "agent:main:telegram:group:7" };
    expect(scopeOf(chat, "main", settings).kinds).toEqual(["conversation"]);
    const days = { ...settings.inject, group: { memoryFile: false, days: 1 } };
    expect(scopeOf(chat, "main", { ...settings, inject: days }).kinds).toEqual(["note", "conversation"]);
    const all = { ...settings.inject, group: open };
    expect(scopeOf(chat, "main", { ...settings, inject: all }).kinds).toEqual([
      "memory",
      "note",
      "conversation",
    ]);
    expect(scopeOf(chat, "main", { ...settings, inject: all }).sessionKey).toBe(chat.sessionKey);
  });

  it("leaves out what the config does not want searched", () => {
    expect(scopeOf("owner", "main", { ...settings, sources: ["sessions"] }).kinds).toEqual(["conversation"]);
    expect(scopeOf("owner", "main", { ...settings, sources: [] }).kinds).toEqual([]);
  });
});
