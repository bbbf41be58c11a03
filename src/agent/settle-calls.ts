/** Runs the tool calls of one answer. */
import {
  toolFailure,
  type Message,
  type MessageEntry,
  type ToolCallBlock,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import type { Admission } from "../gate/admission.ts";
import { createCallRound, type CallRound } from "../gate/call-round.ts";
import type { Clock } from "../infra/clock.ts";
import { stopOf } from "./turn-run.ts";
import { withinReach } from "./within-reach.ts";

/** What has resolved survives a crash of the process. */
export interface CallJournal {
  /** Resolves to the entries as they were stored. */
  append(messages: Message[]): Promise<MessageEntry[]>;
  /** Notes that a call begins; on the disk before a call begins that must not be repeated. */
  beginTool(call: ToolCallBlock, kind: { idempotent: boolean; acts: boolean }): Promise<void>;
}

export interface TurnTools {
  /** What the model is shown. */
  descriptions: ToolDescription[];
  /** Whether a call may simply be run again when nobody knows whether it was. */
  isIdempotent(call: ToolCallBlock): boolean;
  /** Whether it does more than read: then it is on the disk before it runs. */
  acts(call: ToolCallBlock): boolean;
  /**
   * The whole gate. May wait for the owner, and ends soon after the signal; then its answer does not count. Never throws. Asked again for the same
   * call after a pause or a crash, and side by side for the calls of one answer, which are asked about together as a round. With `nobody`, what
   * would have to be asked is refused.
   */
  admit(call: ToolCallBlock, signal: AbortSignal, asking?: "nobody" | CallRound): Promise<Admission>;
  /** Whether the caller runs this tool itself. Missing: no tool is of that kind. */
  isHandedOver?(call: Pick<ToolCallBlock, "name">): boolean;
}

export type ToolEvent =
  | { type: "tool-call-start"; call: ToolCallBlock }
  | { type: "tool-call-end"; call: ToolCallBlock; result: ToolResult };

interface Settling {
  calls: ToolCallBlock[];
  begun: ReadonlySet<string>;
  /** Why none of them is run. */
  refusal: string | undefined;
}

/** What became of the calls of one answer. */
export interface SettledCalls {
  entries: MessageEntry[];
  /** What the calls without a result wait for; empty where all have one, or the process is about to stop. */
  waitsFor: string[];
  /** Why the run ends here; then every call has a result. */
  broken?: string;
}

/**
 * Gives every call its result: side by side, each stored as it ends. All have ended when it resolves or throws. Those that wait for the owner
 * are left without one, and those that can be run later when the process is about to stop.
 */
export async function settleCalls(
  parts: { journal: CallJournal; tools: TurnTools; clock: Clock },
  request: { signal: AbortSignal; onEvent?: (event: ToolEvent) => void },
  { calls, begun, refusal }: Settling,
): Promise<SettledCalls> {
  const { journal, tools, clock } = parts;
  const { signal } = request;
  const paused = new Map<ToolCallBlock, string>();
  let broken: string | undefined;
  const isShuttingDown = () => stopOf(signal)?.by === "shutdown";
  const round = createCallRound(calls.map(({ id }) => id));

  const keep = async (call: ToolCallBlock, result: ToolResult) => {
    const stored = await journal.append([resultMessage(call, result)]);
    request.onEvent?.({ type: "tool-call-end", call, result });
    return stored;
  };
  /** Every call gets a result, also the one that does not run here. */
  const refuse = (call: ToolCallBlock, result: ToolResult) => {
    request.onEvent?.({ type: "tool-call-start", call });
    return keep(call, result);
  };
  const run = async (call: ToolCallBlock, admitted: Extract<Admission, { type: "run" }>) => {
    const idempotent = tools.isIdempotent(call);
    request.onEvent?.({ type: "tool-call-start", call });
    await journal.beginTool(call, { idempotent, acts: tools.acts(call) });
    const result = await withinReach(admitted.run(signal), { clock, signal }, interrupted);
    if (result.ok || !isShuttingDown()) return keep(call, result);
    // What may be run again will be; what may not must not look as if it had failed for certain.
    return idempotent ? [] : keep(call, interrupted());
  };
  const settle = async (call: ToolCallBlock): Promise<MessageEntry[]> => {
    if (begun.has(call.id) && !tools.isIdempotent(call)) {
      round.pass(call.id);
      return keep(call, interrupted());
    }
    if (refusal !== undefined) return refuse(call, notRun(refusal));
    const admission = await admit(parts, call, signal, round).finally(() => round.pass(call.id));
    // Stopping for a restart: the next process runs it.
    if (isShuttingDown()) return [];
    if (signal.aborted) return refuse(call, notRun("the turn was stopped"));
    if (admission.type === "refused") return refuse(call, admission.result);
    if (admission.type === "hand-over") return refuse(call, handedOver());
    if (admission.type === "break") broken ??= admission.reason;
    // Whatever was admitted: once a limit is reached nothing more begins.
    if (broken !== undefined) return refuse(call, notRun(broken));
    if (admission.type === "run") return run(call, admission);
    if (admission.type === "pause") paused.set(call, admission.approvalId);
    return [];
  };
  const entries = await allOf(calls.map(settle));
  if (broken === undefined || isShuttingDown()) return { entries, waitsFor: [...paused.values()] };
  // A turn that ends waits for nobody.
  const reason = broken;
  entries.push(...(await allOf([...paused.keys()].map((call) => refuse(call, notRun(reason))))));
  return { entries, waitsFor: [], broken };
}

/** Throws what the first of them threw, when all have ended. */
async function allOf(settling: Array<Promise<MessageEntry[]>>): Promise<MessageEntry[]> {
  const ended = await Promise.allSettled(settling);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return ended.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

/** A turn that was stopped is not kept waiting by the gate. */
async function admit(
  { tools, clock }: { tools: TurnTools; clock: Clock },
  call: ToolCallBlock,
  signal: AbortSignal,
  round: CallRound,
): Promise<Admission> {
  const stopped = (): Admission => ({ type: "refused", result: notRun("the turn was stopped") });
  return signal.aborted
    ? stopped()
    : withinReach(tools.admit(call, signal, round), { clock, signal }, stopped);
}

const notRun = (reason: string) => toolFailure("execution_error", `not run: ${reason}`);

/** The pair stays whole; what really came of it is told in a later message, if at all. */
const handedOver = (): ToolResult => ({
  ok: true,
  content: [{ type: "text", text: "Handed to the caller, who runs it and tells what came of it." }],
  origin: "system",
  usage: { durationMs: 0 },
});

const interrupted = () =>
  toolFailure(
    "execution_error",
    "interrupted, outcome unknown: it may or may not have taken effect. Find out before you do it again.",
  );

const resultMessage = (call: ToolCallBlock, result: ToolResult): Message => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: result.content,
  isError: !result.ok,
  ...(result.origin === undefined ? {} : { origin: result.origin }),
  ...(result.from === undefined ? {} : { from: result.from }),
  ...(result.label === undefined ? {} : { label: result.label }),
  details: { ...result, content: undefined, origin: undefined, from: undefined, label: undefined },
});
