import type { Config } from "../config/schema.ts";
import type { ToolRule } from "./tool-access.ts";

/** Where several entries name a tool, it is shown where all of them agree: adding one never shows more. */
export const visibilityRules = (visibility: Config["tools"]["visibility"]): ToolRule[] =>
  visibility.map(({ tools, channels = [], chats = [], roles = [] }, index) => ({
    type: "when",
    source: `tools.visibility[${index}]`,
    names: tools,
    channels,
    chats,
    roles,
  }));
