import type { ToolDescription } from "@pincer/sdk";
import type { ContextOptions, PromptFacts } from "../prompt.ts";

export const toolsNamed = (...names: string[]): ToolDescription[] =>
  names.map((name) => ({ name, description: `What ${name} does.`, parameters: { type: "object" } }));

/** A new workdir, asked from the command line. */
export const bareFacts = (changes: Partial<PromptFacts> = {}): PromptFacts => ({
  identity: {},
  agentId: "main",
  workdir: "/home/ada/workspace",
  timezone: "Asia/Shanghai",
  chatType: "main",
  tools: toolsNamed("time_now", "tools_echo", "shell_pwd", "list", "read"),
  skills: [],
  files: [],
  memory: [],
  rules: [],
  ...changes,
});

/** Something for every section. */
export const richFacts = (changes: Partial<PromptFacts> = {}): PromptFacts =>
  bareFacts({
    identity: { name: "Molly", user: "Ada" },
    channel: "telegram",
    tools: toolsNamed("time_now", "list", "read", "memory_search", "memory_append", "result_read"),
    skills: [
      { name: "brew", description: "Makes tea.", path: "skills/brew/SKILL.md" },
      { name: "weather", description: "Tells the weather.", path: ".agent/skills/weather/SKILL.md" },
    ],
    files: [{ name: "SOUL.md", text: "Be warm.", truncated: false }],
    memory: [
      { name: "MEMORY.md", text: "Ada likes tea.", truncated: false },
      { name: "memory/2026-11-15.md", text: "Bought a kettle.", truncated: true },
    ],
    sessionMemory: { name: "memory/agent:main:main.md", text: "Talked about kettles.", truncated: false },
    rules: [
      { id: 1, text: "Never delete mail.", enforced: true },
      { id: 4, text: "Say please.", enforced: false },
    ],
    ...changes,
  });

export const optionsOf = (changes: Partial<ContextOptions> = {}): ContextOptions => ({
  strategy: "full",
  includeSkills: [],
  excludeSkills: [],
  includeTools: [],
  excludeTools: [],
  includeMemory: true,
  includeRuntime: true,
  ...changes,
});
