/** Tools that the owner calls directly. */
import { Type } from "typebox";
import type { ToolResult } from "../tool.ts";
import { answer, method, name, ofAgent } from "./method.ts";

export const toolsMethods = {
  /**
   * Runs a tool as a direct call of the owner. Programs that it starts belong to the agent's main session, and keep
   * running after the answer. It answers when the tool has finished, and stops the tool if the connection closes.
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
