/** Tries the laws on random programs against whatever gate is behind the port. */
import { asyncProperty, check, tuple, type RunDetails } from "fast-check";
import { laws } from "./checkers.ts";
import { noMarks } from "./marks.ts";
import type { OpenGate, Rule } from "./port.ts";
import type { Program } from "./program.ts";
import { randomProgram, secretText, withoutSecretGranted } from "./random-program.ts";
import { runProgram } from "./run-program.ts";
import { firstDifference } from "./same-outside.ts";

/** Those about one run; the other one compares two. */
export const plainLaws = ["grants", "leaving", "bits", "canaries"] as const satisfies ReadonlyArray<
  keyof typeof laws
>;

export type LawName = keyof typeof laws | "same-outside";

export interface LawOptions {
  runs: number;
  seed: number;
  without?: Rule;
  /** Which laws are tried; unless told, all. */
  only?: readonly LawName[];
  /** Takes the first program that breaks one: it is enough that there is one. */
  isUnshrunk?: boolean;
  /** As the gate can play it; unless told, as it is. */
  played?(program: Program): Program;
}

/** Undefined: they hold. Otherwise what breaks, and the smallest program that was found for it. */
export async function brokenLaw(open: OpenGate, options: LawOptions): Promise<string | undefined> {
  const { without, only, runs, seed, isUnshrunk = false, played = (program) => program } = options;
  const how = { numRuns: runs, seed, endOnFailure: isUnshrunk };
  const isTried = (name: LawName) => only === undefined || only.includes(name);
  const told = without === undefined ? {} : { without };
  const property = asyncProperty(randomProgram, async (program) => {
    const run = await runProgram(open, played(program), told);
    const wrong = Object.entries(laws).flatMap(([name, law]) =>
      isTried(name as LawName) ? law(run).map((words) => `${name}: ${words}`) : [],
    );
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
  });
  const plain = Object.keys(laws).some((name) => isTried(name as LawName))
    ? wordsOf(await check(property, how))
    : undefined;
  return plain ?? (isTried("same-outside") ? brokenSameness(open, options) : undefined);
}

async function brokenSameness(
  open: OpenGate,
  { runs, seed, without, isUnshrunk = false }: LawOptions,
): Promise<string | undefined> {
  const told = { marks: noMarks, isDenying: true, ...(without !== undefined && { without }) };
  const property = asyncProperty(tuple(randomProgram, secretText), async ([given, other]) => {
    const program = withoutSecretGranted(given);
    const one = await runProgram(open, program, told);
    const two = await runProgram(open, { ...program, secret: other }, told);
    const difference = firstDifference(one, two);
    if (difference !== undefined) throw new Error(`same-outside: ${difference}`);
  });
  return wordsOf(await check(property, { numRuns: runs, seed, endOnFailure: isUnshrunk }));
}

function wordsOf(details: RunDetails<[Program]> | RunDetails<[[Program, string]]>): string | undefined {
  if (!details.failed) return undefined;
  const { errorInstance, counterexample, seed, counterexamplePath } = details;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${why}\nseed ${seed}, path ${counterexamplePath}\n${JSON.stringify(counterexample)}`;
}
