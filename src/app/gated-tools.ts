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
import { groupsOf, namesOf, pathsTouched } from "../policy/tool-groups.ts";
import { commandsOfCall } from "../sandbox/shell/commands-of-call.ts";
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
  /** The turn that the calls are made in; left out where a person runs a tool. */
  turnId?: string | undefined;
  /** Whether a person wrote this very call, and how. */
  byHand?(call: ToolCallBlock): ToolCallContext["byHand"];
  /** Keeps what a call may change, so that it can be undone. Throws: then the call does not run. */
  keep?: ((changes: readonly string[] | "anything", signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * What the owner rules, read anew before each call and then instead of the standing rules given: what is ruled or removed while a turn
   * runs counts at once. May throw: then nothing runs.
   */
  rulesNow?: (() => Promise<readonly ToolRule[]>) | undefined;
}

export function gateTools(
  { tools, executor }: { tools: ToolSet; executor: ToolExecutor },
  rules: readonly ToolRule[],
  where: CallPlace,
): GatedTools {
  const { sessionKey, conversation, later, visibility: place, workdir, turnId, keep, rulesNow } = where;

  async function accessNow(tool: Tool, block: ToolCallBlock): Promise<ToolAccess> {
    const standing = await rulesNow?.();
    const held = standing ? [...rules.filter(({ type }) => type !== "standing"), ...standing] : rules;
    const isRuled = runsPrograms(tool) && held.some(({ type }) => type === "standing");
    // What a shell makes of it is read only where somebody ruled something: it takes a parser.
    const commands = isRuled ? await commandsOfCall(block.arguments) : undefined;
    return accessTo(tool, held, { place, workdir, arguments: block.arguments, commands });
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
      const byHand = where.byHand?.(block);
      const isOwners = byHand !== undefined && place?.userRoles.includes("owner") === true;
      const before = async (asked: Tool, input: unknown) => {
        // Whoever may allow it has written it.
        const reason = isOwners ? undefined : await asked.needsApproval?.(input, place ? { place } : {});
        if (reason !== undefined) return `${asked.name} may not run without the owner's approval: ${reason}`;
        const changes = changesOf(asked, input);
        if (changes !== undefined && changes.length > 0) await keep?.(changes, signal);
        return undefined;
      };
      // Arguments that were no JSON object go through as they are; the executor says what is wrong with them.
      const given = block.invalidArguments ?? block.arguments;
      return executor.execute(
        { name: block.name, arguments: given },
        {
          callId: block.id,
          sessionKey,
          signal,
          ...(turnId !== undefined && { turnId }),
          ...(byHand !== undefined && { byHand }),
          ...(isOwners && { approved: true as const }),
          ...(place && { place }),
          ...(conversation && { conversation }),
          ...(later && { later: ({ text }) => later(block, text, outcomeId) }),
        },
        before,
      );
    },
  };
}

const runsPrograms = ({ name }: Tool): boolean => groupsOf(name).includes("group:runtime");

/** A call as a person writes it; arguments that are no JSON object go through as they are, for the executor to refuse. */
export function manualCall({ name, arguments: args }: { name: string; arguments: unknown }): ToolCallBlock {
  const block = { type: "toolCall" as const, id: "manual", name, arguments: {} };
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return isObject
    ? { ...block, arguments: args as Record<string, unknown> }
    : { ...block, invalidArguments: JSON.stringify(args) ?? "" };
}

/** Undefined where it changes nothing of the workdir. */
function changesOf(tool: Tool, input: unknown): readonly string[] | "anything" | undefined {
  if (tool.changes) return tool.changes(input);
  return tool.effect === "write" ? "anything" : undefined;
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
