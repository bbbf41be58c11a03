/** Tools, by the hand of the owner. */
import { Type } from "typebox";
import type { ToolResult } from "../tool.ts";
import { answer, method, name, ofAgent } from "./method.ts";

export const toolsMethods = {
  /**
   * Runs a tool by the owner's own hand. Programs that it starts are those of the agent's main session, and go on when it has answered. No gateway
   * is as quick as the tool: it answers when the tool has, or stops it when the connection closes.
   */
  "tools.invoke": method({
    params: {
      name,
      arguments: Type.Unknown(),
      ...ofAgent,
      workdir: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    },
    result: answer<ToolResult>(),
    effect: "change",
    permission: "tools.invoke",
    scope: "agent",
  }),
};
