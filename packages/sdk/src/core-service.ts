/** The agent for programs: start a run, continue one, stop one. Events come in order; the last one is `ended`. */
import type { ToolCallBlock } from "./message.ts";
import type { ApprovalView } from "./protocol/approval-views.ts";
import type { MethodParams } from "./protocol/methods.ts";
import type { ToolResult } from "./tool.ts";

export type CoreEvent =
  /** On the disk: from here on it is answered once, whatever is killed. */
  | { type: "started"; runId: string }
  | { type: "text-delta"; text: string }
  | { type: "thinking-delta"; text: string }
  /** A piece of the answer that can be shown by itself. */
  | { type: "block"; text: string }
  /** What was said since the last tool call counts no more. */
  | { type: "start-over"; reason: string }
  | { type: "tool-call-start"; call: ToolCallBlock }
  | { type: "tool-call-end"; call: ToolCallBlock; result: ToolResult }
  /** It waits for the owner; the same question may be told more than once. */
  | { type: "approval-asked"; approval: ApprovalView }
  | { type: "approval-answered"; id: string; state: ApprovalView["state"] }
  /** What it came to, as `ask --json` prints it; complete also when it failed. */
  | { type: "ended"; runId: string; answer: unknown };

export interface CoreService {
  /** Throws what the gateway answers to a request that it cannot accept; leaving the loop does not stop the run. */
  run(request: MethodParams<"agent.run">): AsyncIterable<CoreEvent>;
  /** Likewise, for a run that stopped short. */
  continue(request: MethodParams<"agent.continue">): AsyncIterable<CoreEvent>;
  /** Resolves when it was told to stop; a run that is over stays as it is. */
  abort(runId: string): Promise<void>;
}
