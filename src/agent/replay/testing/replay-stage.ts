/** Runs over stores in memory for replays: a script for the model, results for the tools, and events in between. */
import type { ReplayView, ToolCallBlock, ToolResult } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { createTurnRunner } from "../../turn-runner.ts";
import { createRunnerStage } from "../../testing/runner-stage.ts";
import type { TurnRunOutcome } from "../../turn-run.ts";
import { createIds } from "../../../infra/ids.ts";
import type { TurnRecord } from "../../../storage/turns/turns.ts";
import { replayRun } from "../replay-run.ts";

export const done = (text: string, rest: Partial<ToolResult> = {}): ToolResult => ({
  ok: true,
  content: [{ type: "text", text }],
  usage: { durationMs: 3 },
  ...rest,
});

export function createReplayStage(steps: ScriptedStep[]) {
  const stage = createRunnerStage(steps);
  const { stores, clock, setup, parts } = stage;
  const run = (turn: TurnRecord, signal: AbortSignal = stage.never): Promise<TurnRunOutcome> =>
    createTurnRunner(parts)(turn, signal);
  const replay = async (turnId: string): Promise<ReplayView> => {
    const turn = await stores.turns.get(turnId);
    if (!turn) throw new Error("there is no such run");
    return replayRun({ turns: stores.turns, clock, ids: createIds(clock.now) }, turn);
  };
  /** Runs it to its end and plays it again. */
  const runAndReplay = async (text = "hi", signal?: AbortSignal): Promise<ReplayView> => {
    const turn = await stage.queue(text);
    await run(turn, signal);
    return replay(turn.turnId);
  };
  const answerCalls = (answer: (call: ToolCallBlock, signal: AbortSignal) => Promise<ToolResult>) => {
    setup.tools = {
      ...setup.tools,
      admit: async (call) => ({ type: "run", run: (signal) => answer(call, signal) }),
    };
  };
  return { ...stage, run, replay, runAndReplay, answerCalls };
}
