/** Names that stand for several tools. Groups name tools that are still to come too, so that a rule made today holds then. */
const groups: Record<string, readonly string[]> = {
  "group:basic": ["time_now", "tools_echo"],
  "group:fs": ["read", "write", "edit", "apply_patch", "list", "search"],
  "group:runtime": ["exec", "process", "shell_pwd"],
  "group:memory": ["memory_search", "memory_get"],
  "group:sessions": [
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "sessions_spawn",
    "session_status",
  ],
  "group:messaging": ["message"],
  "group:web": ["web_search", "web_fetch", "http_request"],
};

/** What each profile limits a run to; `full` limits nothing. */
const profiles: Record<string, readonly string[]> = {
  minimal: ["session_status"],
  coding: ["group:basic", "group:fs", "group:runtime"],
  messaging: ["group:basic", "group:messaging", "group:sessions"],
  full: [],
};

export const groupsOf = (toolName: string): string[] =>
  Object.keys(groups).filter((group) => groups[group]?.includes(toolName));

/** Undefined for a profile that does not exist. */
export const namesInProfile = (profile: string): readonly string[] | undefined => profiles[profile];

/** Whether a rule may use the name: a group, or a tool that a group knows. */
export const isReservedName = (name: string): boolean =>
  name in groups || Object.values(groups).some((names) => names.includes(name));
