import type { Config } from "../config/schema.ts";
import type { ToolRule } from "./tool-access.ts";
import { groupsOf, namesOf } from "./tool-groups.ts";

/** What looks at the owner's files, changes things or runs programs: for the owner alone, unless the config says for whom. */
const ownersTools = [
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
];

/** Where several entries name a tool, it is shown where all of them agree: adding one never shows more, but for the first that names an owner's tool. */
export const visibilityRules = (visibility: Config["tools"]["visibility"]): ToolRule[] => [
  ...visibility.map(({ tools, channels = [], chats = [], roles = [] }, index): ToolRule => ({
    type: "when",
    source: `tools.visibility[${index}]`,
    names: tools,
    channels,
    chats,
    roles,
  })),
  {
    type: "when",
    source: "tools.visibility",
    names: ownersTools.filter((tool) => !isNamed(tool, visibility)),
    channels: [],
    chats: [],
    roles: ["owner"],
  },
];

function isNamed(tool: string, visibility: Config["tools"]["visibility"]): boolean {
  if (visibility.length === 0) return false;
  const names = [tool, ...groupsOf(tool)];
  return visibility.some(({ tools }) => tools.some((name) => names.includes(name)));
}

/** Whether an entry of `tools.visibility` says for whom the tool is. Pure. */
export const isGiven = (
  tool: Parameters<typeof namesOf>[0] | undefined,
  visibility: Config["tools"]["visibility"],
): boolean =>
  tool !== undefined && namesOf(tool).some((name) => visibility.some(({ tools }) => tools.includes(name)));
