/** The tools as one run may see and use them: the same rule decides what is shown and what may run. */
import {
  PincerError,
  toolFailure,
  type Tool,
  type ToolCallBlock,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import { decideToolAccess, type ToolAccessRules } from "../policy/tool-access.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { ToolSet } from "../tools/tool-set.ts";

export interface GatedTools {
  descriptions: ToolDescription[];
  call(block: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
}

/** Throws PincerError `tool/not-found` when the run allows a tool that does not exist: it would allow less than was meant. */
export function gateTools(
  { tools, executor }: { tools: ToolSet; executor: ToolExecutor },
  rules: ToolAccessRules,
  sessionKey: string,
): GatedTools {
  const unknown = rules.runAllow.filter((name) => !tools.find(name));
  if (unknown.length > 0) {
    throw new PincerError("tool/not-found", `There is no tool ${unknown.join(", ")} to allow.`, {
      hint: "`pincer tools list` shows what there is.",
    });
  }
  const access = (tool: Tool) => decideToolAccess([tool.name, ...tool.aliases], rules);
  return {
    descriptions: tools
      .all()
      .filter((tool) => access(tool).allowed)
      .map(({ name, description, input }) => ({ name, description, parameters: input })),
    async call(block, signal) {
      const tool = tools.find(block.name);
      const decision = tool && access(tool);
      if (decision && !decision.allowed) {
        return toolFailure("execution_error", `${block.name} may not run: ${decision.reason}`);
      }
      // Arguments that were no JSON object go through as they are; the executor says what is wrong with them.
      const given = block.invalidArguments ?? block.arguments;
      return executor.execute(
        { name: block.name, arguments: given },
        { callId: block.id, sessionKey, signal },
      );
    },
  };
}
