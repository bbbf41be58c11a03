import type { Tool } from "@pincer/sdk";

/**
 * Names that stand for several tools. Groups name tools that are still to come too, so that a rule made today holds then. They are declared
 * here and not with the tools: no tool may put itself into a group that a rule allows.
 */
const groups: Record<string, readonly string[]> = {
  "group:basic": ["time_now", "tools_echo", "result_read", "recall"],
  "group:fs": ["read", "write", "edit", "apply_patch", "list", "search"],
  "group:runtime": ["exec", "process", "shell_pwd"],
  "group:memory": ["memory_search", "memory_get", "memory_append"],
  "group:sessions": [
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "sessions_spawn",
    "session_status",
  ],
  "group:messaging": ["message"],
  "group:web": ["web_search", "web_fetch", "research", "http_request"],
  "group:browser": ["browser"],
  "group:automation": ["cron"],
};

/** What each profile limits a run to; `full` limits nothing. */
const profiles: Record<string, readonly string[]> = {
  minimal: ["session_status"],
  coding: ["group:basic", "group:fs", "group:runtime"],
  messaging: ["group:basic", "group:messaging", "group:sessions"],
  full: [],
};

type NamedTool = Pick<Tool, "name" | "aliases" | "effect">;

/** All that a rule may call a tool by: its name, its aliases, its family, its groups and its effect. Made once for each tool. */
export function namesOf(tool: NamedTool): readonly string[] {
  const known = namesByTool.get(tool);
  if (known && isOfTool(known, tool)) return known.names;
  const { name, effect } = tool;
  const aliases = [...tool.aliases];
  const names = [...new Set([name, ...aliases, familyOf(name), ...groupsOf(name), `effect:${effect}`])];
  namesByTool.set(tool, { name, aliases, effect, names });
  return names;
}

interface KnownNames extends NamedTool {
  names: readonly string[];
}

const namesByTool = new WeakMap<NamedTool, KnownNames>();

/** The plugin or server that offers the tool may have changed it since. */
function isOfTool({ name, aliases, effect }: KnownNames, tool: NamedTool): boolean {
  if (name !== tool.name || effect !== tool.effect || aliases.length !== tool.aliases.length) return false;
  for (let index = 0; index < aliases.length; index++)
    if (aliases[index] !== tool.aliases[index]) return false;
  return true;
}

const noPaths: readonly string[] = [];

/** What a call touches though its arguments do not name it as a path. */
export function pathsTouched(toolName: string, given: unknown): readonly string[] {
  if (toolName !== "memory_append") return noPaths;
  const file = typeof given === "object" && given !== null && "file" in given ? given.file : undefined;
  return file === "MEMORY.md" ? ["MEMORY.md"] : ["memory/"];
}

export const groupsOf = (toolName: string): readonly string[] =>
  groupsByTool.get(familyOf(toolName)) ?? noGroups;

const noGroups: readonly string[] = [];

const groupsByTool: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(Object.values(groups).flat())].map((tool) => [
    tool,
    Object.keys(groups).filter((group) => groups[group]?.includes(tool)),
  ]),
);

/** `browser_click` is one of the tools that drive a browser. */
const familyOf = (toolName: string): string => (toolName.startsWith("browser_") ? "browser" : toolName);

/** Undefined for a profile that does not exist. */
export const namesInProfile = (profile: string): readonly string[] | undefined => profiles[profile];

/** Whether a rule may use the name: a group, an effect, or a tool that a group knows. */
export const isReservedName = (name: string): boolean =>
  Object.hasOwn(groups, name) ||
  /^effect:(?:read|write|act)$/.test(name) ||
  Object.values(groups).some((names) => names.includes(familyOf(name)));
