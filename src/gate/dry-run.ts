/**
 * A dry run: what reads works; what changes files works in a copy of the workdir; everything else is listed with what
 * the gate would have said, and not done. Nobody is asked.
 */
import {
  clean,
  type DryEffectView,
  type Message,
  type Tool,
  type ToolCallBlock,
  type ToolResult,
} from "@pincer/sdk";
import type { PolicyObject } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import { groupsOf } from "../policy/tool-groups.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { WeighingPlace } from "./weigh-call.ts";
import { describeCall } from "./approval-question.ts";

export interface DryRun {
  /** Whether programs run behind a wall here. Never throws. */
  isWalled(): Promise<boolean>;
  /** The tools as they work in the copy, which is made if need be. Throws what making it throws. */
  inCopy(signal: AbortSignal): Promise<ToolExecutor>;
  /** The same, once there is a copy. */
  copied(): Promise<ToolExecutor | undefined>;
}

/** How a call runs that may. */
export interface DryCall {
  executor?: ToolExecutor | undefined;
  /** Without any network, and never beyond the end of the call. */
  isProgram?: boolean;
}

/** Undefined: it is only listed. Throws what making a copy throws. */
export async function dryCall(
  { isWalled, inCopy, copied }: DryRun,
  { tool, input }: Pick<PolicyObject, "tool" | "input">,
  signal: AbortSignal,
): Promise<DryCall | undefined> {
  const effect = tool.effectOf?.(input) ?? tool.effect;
  if (effect === "read") return { executor: await copied() };
  if (changesFiles(tool, effect)) return { executor: await inCopy(signal) };
  if (tool.name !== "exec" || !(await isWalled())) return undefined;
  return { executor: await inCopy(signal), isProgram: true };
}

/** The same command, waited for: nothing goes on when the turn is over. */
export function waitedFor(block: ToolCallBlock): ToolCallBlock {
  const { background: _, yieldMs: __, ...given } = block.arguments;
  return { ...block, arguments: given };
}

/** Of the workdir: what a plugin changes lies nobody knows where. */
const changesFiles = ({ name }: Tool, effect: string): boolean =>
  effect === "write" && groupsOf(name).some((group) => group === "group:fs" || group === "group:memory");

const mostShown = 4000;

/** The answer of a tool that does nothing, with what is listed at the end. */
export async function dryResult(
  block: ToolCallBlock,
  { tool, input, description, arguments: given }: PolicyObject,
  { verdict, reason, reasons }: Decision,
  { visibility: place, conversation }: Pick<WeighingPlace, "visibility" | "conversation">,
): Promise<ToolResult> {
  const described =
    description ?? (await describeCall(tool, input ?? given, { place, conversation }).catch(() => undefined));
  const shown = described?.shown ?? JSON.stringify(given);
  const listed: DryEffectView = {
    callId: block.id,
    tool: tool.name,
    would: verdict === "allow" ? "run" : verdict,
    shown: shown.slice(0, mostShown),
    ...(described?.recipient !== undefined && { recipient: described.recipient }),
    reason,
    reasons,
  };
  return {
    ok: true,
    content: [{ type: "text", text: `not done: dry run (${wouldWords[listed.would]})` }],
    usage: { durationMs: 0 },
    // In our own words about what the model wrote itself.
    origin: "system",
    label: clean,
    data: { [dryData]: listed },
  };
}

const wouldWords = {
  run: "it would be done",
  ask: "the owner would be asked first",
  deny: "it would be denied",
} as const satisfies Record<DryEffectView["would"], string>;

const dryData = "dryRun";

/** What was listed by the result of a call; undefined for any other, whatever a tool says. Pure. */
export function dryEffectOf(message: Message): DryEffectView | undefined {
  if (message.role !== "toolResult" || message.origin !== "system") return undefined;
  const { data } = (message.details ?? {}) as { data?: Record<string, unknown> };
  return data?.[dryData] as DryEffectView | undefined;
}
