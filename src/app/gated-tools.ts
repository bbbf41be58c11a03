/** The tools as one run may see and use them: the same rules decide what is shown and what may run. */
import { randomUUID } from "node:crypto";
import {
  toolFailure,
  type Tool,
  type ToolCallBlock,
  type ToolCallContext,
  type ToolDescription,
  type ToolResult,
  type ToolVisibility,
} from "@pincer/sdk";
import {
  decideToolAccess,
  type ToolAccess,
  type ToolQuestion,
  type ToolRule,
} from "../policy/tool-access.ts";
import { namesOf, pathsTouched } from "../policy/tool-groups.ts";
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
  /** Where and for whom tools are shown; left out, nothing is shown that is not shown everywhere. */
  visibility?: ToolVisibility | undefined;
  /** Where the tools work; a rule about a path finds it under a relative name then, too. */
  workdir?: string | undefined;
  /**
   * What the owner rules, read anew before each call and then instead of the standing rules given: what is ruled or removed while a turn
   * runs counts at once. May throw: then nothing runs.
   */
  rulesNow?: (() => Promise<readonly ToolRule[]>) | undefined;
}

export function gateTools(
  { tools, executor }: { tools: ToolSet; executor: ToolExecutor },
  rules: readonly ToolRule[],
  { sessionKey, conversation, later, visibility: place, workdir, rulesNow }: CallPlace,
): GatedTools {
  async function accessNow(tool: Tool, block: ToolCallBlock): Promise<ToolAccess> {
    const question = { place, workdir, arguments: block.arguments };
    if (!rulesNow) return accessTo(tool, rules, question);
    const lasting = rules.filter(({ type }) => type !== "standing");
    return accessTo(tool, [...lasting, ...(await rulesNow())], question);
  }

  return {
    descriptions: tools
      .all()
      .filter((tool) => accessTo(tool, rules, { place }).allowed)
      .map(({ name, description, input }) => ({ name, description, parameters: input })),
    isIdempotent: (block) => tools.find(block.name)?.idempotent ?? true,
    async call(block, signal) {
      const tool = tools.find(block.name);
      const access = tool && (await accessNow(tool, block).catch(unreadable));
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
          ...(place && { place }),
          ...(conversation && { conversation }),
          ...(later && { later: ({ text }) => later(block, text, outcomeId) }),
        },
      );
    },
  };
}

/** The rules first, then what the tool itself says about the place. */
export function accessTo(tool: Tool, rules: readonly ToolRule[], question: ToolQuestion): ToolAccess {
  const touches = pathsTouched(tool.name, question.arguments);
  const access = decideToolAccess(namesOf(tool), rules, { ...question, touches });
  if (!access.allowed || !tool.isVisible) return access;
  const isVisible = question.place !== undefined && tool.isVisible(question.place);
  return isVisible ? access : { allowed: false, reason: "not here or not for this person" };
}

export const unreadable = (error: unknown): ToolAccess => ({
  allowed: false,
  reason: `the rules could not be read: ${error instanceof Error ? error.message : String(error)}`,
});
