/** A gate that allows everything. */
import type { ToolCallBlock, ToolResult } from "@pincer/sdk";
import type { TurnTools } from "../settle-calls.ts";

export type RunCall = (call: ToolCallBlock, signal: AbortSignal) => Promise<ToolResult>;

export const admitting =
  (run: RunCall): TurnTools["admit"] =>
  async (call) => ({ type: "run", run: (signal) => run(call, signal) });
