import { toolFailure, type ToolResult } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { TurnStop } from "../turn-run.ts";
import { createReplayStage, done } from "./testing/replay-stage.ts";

const words = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "",
    "NO_REPLY",
    "<think>a</think>b",
    "[[reply_to_current]] hello",
    "a < b",
    "hidden words 1",
  ),
);
const call = fc.record({
  name: fc.constantFrom("look", "write", "send"),
  arguments: fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(fc.string(), fc.integer())),
});
const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 4 }), text: words }) },
  { weight: 2, arbitrary: fc.record({ text: words }) },
  { weight: 1, arbitrary: fc.record({ error: fc.string(), code: fc.constantFrom("unavailable", "budget") }) },
  { weight: 1, arbitrary: fc.constant<ScriptedStep>({ silence: true }) },
);

/** What becomes of the calls, one after another. */
type Fate = "ok" | "fails" | "refused" | "breaks" | "pauses" | "speaks" | "stops" | "overdue";
const fate = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Fate>("ok", "fails") },
  { weight: 3, arbitrary: fc.constantFrom<Fate>("refused", "pauses", "speaks") },
  { weight: 1, arbitrary: fc.constantFrom<Fate>("breaks", "stops", "overdue") },
);

it("PROTO-10 whatever happened in a run, it comes out the same when it is played again", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(fate, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }),
      async (steps, fates, delays) => {
        const stage = createReplayStage(steps);
        const stop = new AbortController();
        stage.setup.maxSteps = 5;
        let count = 0;
        const next = () => fates[count++ % fates.length] ?? "ok";
        const paused = new Set<string>();
        const finish = async (index: number, result: ToolResult) => {
          const rounds = delays[index % delays.length] ?? 0;
          for (let round = 0; round < rounds; round++) await new Promise((resolve) => setImmediate(resolve));
          return result;
        };
        stage.setup.tools = {
          ...stage.setup.tools,
          async admit({ id }) {
            const what = paused.has(id) ? "ok" : next();
            const index = count;
            switch (what) {
              case "refused":
                return { type: "refused", result: toolFailure("execution_error", "no") };
              case "breaks":
                return { type: "break", reason: "too much" };
              case "pauses":
                paused.add(id);
                return { type: "pause", approvalId: id };
              default:
                return {
                  type: "run",
                  async run() {
                    if (what === "speaks") await stage.queue("and this", { mode: "steer" });
                    if (what === "stops") stop.abort(new TurnStop("stop"));
                    if (what === "overdue") stop.abort(new TurnStop("overdue"));
                    return finish(
                      index,
                      what === "fails" ? toolFailure("execution_error", "late") : done(`${index}`),
                    );
                  },
                };
            }
          },
        };
        const turn = await stage.queue("hi");
        for (let round = 0; round < 50; round++) {
          await stage.clock.advance(10);
          const outcome = await stage.run(turn, stop.signal);
          if (outcome.type !== "waiting") break;
          await stage.clock.advance(10);
        }
        const replay = await stage.replay(turn.turnId);
        expect(replay).not.toHaveProperty("difference");
        expect(replay.same).toBe(true);
      },
    ),
    { numRuns: Number(process.env["REPLAY_RUNS"] ?? 400) },
  );
}, 300_000);
