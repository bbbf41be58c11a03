import { Compile } from "typebox/compile";
import { expect } from "vitest";
import { evaluateConfig } from "../evaluate-config.ts";
import { ConfigSchema } from "../schema.ts";
import { createMutator } from "./mutate-config.ts";
import { everydayConfig } from "./samples.ts";

/** Every mutated text gives a config that fits, judged by the schema library itself and not by our own check. */
export function surviveMutations(seed: number, runs: number): { safe: number; millisecondsEach: number } {
  const mutate = createMutator(seed);
  const fits = Compile(ConfigSchema);
  let safe = 0;
  const began = performance.now();
  for (let run = 0; run < runs; run++) {
    const text = mutate();
    const lastGood = run % 3 === 0 ? undefined : run % 3 === 1 ? everydayConfig : mutate();
    const profile = run % 5 === 0 ? "work" : undefined;
    const environment = {
      MOCK_KEY: "mock",
      PATH: "/bin",
      ...(run % 7 === 0 ? { PINCER_PORT: "nonsense" } : {}),
    };
    const loaded = evaluateConfig({ text, file: "config.json5", lastGood, environment, profile, flags: {} });
    if (!fits.Check(loaded.config)) expect.fail(`not a config (run ${run}, seed ${seed}):\n${text}`);
    if (loaded.mode === "safe") {
      safe += 1;
      if (!loaded.problems.some((problem) => problem.severity === "error" && problem.line !== undefined))
        expect.fail(`safe mode without a line (run ${run}, seed ${seed}):\n${text}`);
    }
  }
  return { safe, millisecondsEach: (performance.now() - began) / runs };
}
