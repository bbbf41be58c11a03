/** The tools as one run may see and use them: the same rules decide what is shown and what may run. */
import { randomUUID } from "node:crypto";
import {
  toolFailure,
  type Tool,
  type ToolCallBlock,
  type ToolCallContext,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import { decideToolAccess, type ToolAccess, type ToolRule } from "../policy/tool-access.ts";
import { groupsOf } from "../policy/tool-groups.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { ToolSet } from "../tools/tool-set.ts";

export interface GatedTools {
  descriptions: ToolDescription[];
  /** A call that would not run at all may as well be made again. */
  isIdempotent(block: ToolCallBlock): boolean;
  /** Never throws: a call that may not run is answered with the reason. */
  call(block: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
}

/** Where and for whom the calls of a run are made. */
export interface CallPlace {
  sessionKey: string;
  conversation?: ToolCallContext["conversation"] | undefined;
  /** Takes the outcome of a call that goes on after its answer; equal ids are one outcome. */
  later?: ((block: ToolCallBlock, text: string, id: string) => Promise<void>) | undefined;
}

export function gateTools(
  { tools, executor }: { tools: ToolSet; executor: ToolExecutor },
  rules: readonly ToolRule[],
  { sessionKey, conversation, later }: CallPlace,
): GatedTools {
  return {
    descriptions: tools
      .all()
      .filter((tool) => accessTo(tool, rules).allowed)
      .map(({ name, description, input }) => ({ name, description, parameters: input })),
    isIdempotent: (block) => tools.find(block.name)?.idempotent ?? true,
    async call(block, signal) {
      const tool = tools.find(block.name);
      const access = tool && accessTo(tool, rules);
      if (access && !access.allowed) {
        return toolFailure("execution_error", `${block.name} may not run: ${access.reason}`);
      }
      const outcomeId = randomUUID();
      // Arguments that were no JSON object go through as they are; the executor says what is wrong with them.
      const given = block.invalidArguments ?? block.arguments;
      return executor.execute(
        { name: block.name, arguments: given },
        {
          callId: block.id,
          sessionKey,
          signal,
          ...(conversation && { conversation }),
          ...(later && { later: ({ text }) => later(block, text, outcomeId) }),
        },
      );
    },
  };
}

export const accessTo = (tool: Tool, rules: readonly ToolRule[]): ToolAccess =>
  decideToolAccess([tool.name, ...tool.aliases, ...groupsOf(tool.name)], rules);
