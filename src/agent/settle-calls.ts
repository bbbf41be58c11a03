/** Runs the tool calls of one answer. */
import {
  toolFailure,
  type Message,
  type MessageEntry,
  type ToolCallBlock,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { stopOf } from "./turn-run.ts";
import { noLonger } from "../infra/no-longer.ts";

/** What has resolved survives a crash of the process. */
export interface CallJournal {
  /** Resolves to the entries as they were stored. */
  append(messages: Message[]): Promise<MessageEntry[]>;
  /** Notes that a call begins; on the disk before a call begins that must not be repeated. */
  beginTool(call: ToolCallBlock, idempotent: boolean): Promise<void>;
}

export interface TurnTools {
  /** What the model is shown. */
  descriptions: ToolDescription[];
  /** Whether a call may simply be run again when nobody knows whether it was. */
  isIdempotent(call: ToolCallBlock): boolean;
  /** Passes the gate, then runs; never throws. */
  call(call: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
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

/**
 * Gives every call its result: side by side, each stored as it ends. All have ended when it resolves or throws. When the process is about
 * to stop, those that can be run later are left without one.
 */
export async function settleCalls(
  parts: { journal: CallJournal; tools: TurnTools; clock: Clock },
  request: { signal: AbortSignal; onEvent?: (event: ToolEvent) => void },
  { calls, begun, refusal }: Settling,
): Promise<MessageEntry[]> {
  const { journal, tools } = parts;
  const isShuttingDown = () => stopOf(request.signal)?.by === "shutdown";
  const settle = async (call: ToolCallBlock): Promise<MessageEntry[]> => {
    const idempotent = tools.isIdempotent(call);
    const keep = async (result: ToolResult) => {
      const stored = await journal.append([resultMessage(call, result)]);
      request.onEvent?.({ type: "tool-call-end", call, result });
      return stored;
    };
    if (begun.has(call.id) && !idempotent) return keep(interrupted());
    // Stopping for a restart: whoever goes on runs it.
    if (refusal === undefined && isShuttingDown()) return [];
    request.onEvent?.({ type: "tool-call-start", call });
    // Every call gets a result, also the one that was kept from running.
    if (refusal !== undefined) return keep(notRun(refusal));
    if (request.signal.aborted) return keep(notRun("the turn was stopped"));
    await journal.beginTool(call, idempotent);
    const result = await withinReach(tools.call(call, request.signal), parts.clock, request.signal);
    // Here, too: what may be run again will be; what may not must not look as if it had failed for certain.
    if (!result.ok && isShuttingDown()) {
      if (idempotent) return [];
      return keep(interrupted());
    }
    return keep(result);
  };
  const ended = await Promise.allSettled(calls.map(settle));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return ended.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

const graceMs = 150;

/** A tool that does not heed the signal is left behind: nobody waits for it any longer than this. */
async function withinReach(
  running: Promise<ToolResult>,
  clock: Clock,
  signal: AbortSignal,
): Promise<ToolResult> {
  const over = new AbortController();
  const abandoned = new Promise<ToolResult>((resolve) => {
    const leave = () =>
      clock.sleep(graceMs, over.signal).then(
        () => resolve(interrupted()),
        () => {
          // The tool came back in time.
        },
      );
    if (signal.aborted) void leave();
    else signal.addEventListener("abort", () => void leave(), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    over.abort(noLonger);
  }
}

const notRun = (reason: string) => toolFailure("execution_error", `not run: ${reason}`);

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
  details: { ...result, content: undefined },
});
