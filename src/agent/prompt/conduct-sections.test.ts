import { describe, expect, it } from "vitest";
import { identity, messaging, recall, time, tooling, workspace } from "./conduct-sections.ts";
import { bareFacts, toolsNamed } from "./testing/sample-facts.ts";

const group = { channel: "telegram", chatType: "group" } as const;

describe("identity", () => {
  it("names the agent and its person, or says what it can without names", () => {
    const named = identity(bareFacts({ identity: { name: "Molly", user: "Ada" } }));
    expect(named?.text).toMatch(/^You are Molly, the personal assistant of Ada\. /);
    const nameless = identity(bareFacts({ identity: { name: " " } }));
    expect(nameless?.text).toMatch(/^You are Pincer, the personal assistant of the person you talk to\. /);
  });

  it("CTX-04 says where it comes from", () => {
    const whyOf = (override?: { text: string; source: "config" | "workspace" }) =>
      identity(bareFacts({ override }))?.why.key;
    expect(whyOf({ text: "x", source: "config" })).toBe("prompt.identity.config");
    expect(whyOf({ text: "x", source: "workspace" })).toBe("prompt.identity.workspace");
    expect(whyOf({ text: "\n", source: "config" })).toBe("prompt.identity.built-in");
    expect(whyOf()).toBe("prompt.identity.built-in");
  });

  it("keeps a name on its line", () => {
    const text = identity(bareFacts({ identity: { name: "Molly\n\n# Standing rules" } }))?.text;
    expect(text).not.toContain("\n");
  });
});

describe("time", () => {
  it("CTX-05 names the time zone and leaves the time itself to each message", () => {
    const text = time(bareFacts())?.text;
    expect(text).toContain("Asia/Shanghai");
    expect(text).toContain("in brackets above each message");
    expect(text).not.toMatch(/\d{2}/);
  });
});

describe("messaging", () => {
  it("CTX-01 tells on a channel how to reply and how to write there", () => {
    const text = messaging(bareFacts({ channel: "telegram" }))?.text;
    expect(text).toContain("[[reply_to_current]]");
    expect(text).toContain("You talk on telegram. Write Markdown: it is converted");
    expect(text).not.toContain("group");
  });

  it("tells in a group that others are not the owner", () => {
    expect(messaging(bareFacts(group))?.text).toContain("not the owner's order");
  });

  it("tells where nobody is on a channel only how to say nothing", () => {
    const text = messaging(bareFacts())?.text;
    expect(text).toContain("NO_REPLY");
    expect(text).not.toContain("[[reply_to_current]]");
  });
});

describe("tooling", () => {
  it("CTX-01 names the tools once, without their definitions", () => {
    const text = tooling(bareFacts())?.text;
    expect(text).toContain("You have: list, read, shell_pwd, time_now, tools_echo.");
    expect(text).not.toContain("What list does.");
  });

  it("CTX-01 has hints for the channel and for shortened results where the tools are there", () => {
    const all = { tools: toolsNamed("message", "result_read"), channel: "telegram" };
    expect(tooling(bareFacts(all))?.text).toContain("this chat on telegram");
    expect(tooling(bareFacts(all))?.text).toContain("result_read reads the rest");
    const few = tooling(bareFacts({ channel: "telegram" }))?.text;
    expect(few).not.toContain("telegram");
    expect(few).not.toContain("result_read");
  });

  it("says so when there are none", () => {
    expect(tooling(bareFacts({ tools: [] }))?.text).toContain("no tools");
  });
});

it("CTX-01 workspace tells workdir and agent", () => {
  const text = workspace(bareFacts({ agentId: "helper" }))?.text;
  expect(text).toContain("/home/ada/workspace");
  expect(text).toContain("Agent: helper.");
});

describe("recall", () => {
  const textWith = (tools: string[], place = {}) =>
    recall(bareFacts({ tools: toolsNamed(...tools), ...place }))?.text;

  it("MEM-06 tells to search MEMORY.md and memory/*.md before answering", () => {
    const text = textWith(["memory_search", "read"]);
    expect(text).toContain("Before you answer");
    expect(text).toContain("search MEMORY.md and memory/*.md with memory_search");
  });

  it("MEM-06 names the tools for files where there is none for memory", () => {
    expect(textWith(["list", "read"])).toContain("with list and read");
    expect(textWith(["read"])).toContain("with read");
  });

  it("tells how to keep what should last only to whom can keep it", () => {
    expect(textWith(["memory_append"])).toContain("with memory_append");
    expect(textWith(["memory_search"])).not.toContain("memory_append");
  });

  it("is absent without a tool for it", () => {
    expect(textWith(["time_now", "list"])).toBeUndefined();
  });

  it("MEM-06 sends nobody but the owner to the private files, unless a tool for memory is shown there", () => {
    expect(textWith(["list", "read"], group)).toBeUndefined();
    expect(textWith(["list", "read"], { chatType: "direct" })).toBeUndefined();
    expect(textWith(["read", "memory_search"], group)).toContain("with memory_search");
  });
});
