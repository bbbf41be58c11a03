import { textOf, type Entry } from "@pincer/sdk";
import type { TurnRunnerParts } from "../turn-runner.ts";
import { canGoOn } from "../../storage/turns/resume-turn.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { saidNothing } from "./read-recording.ts";
import type { RecordedWorld } from "./recorded-world.ts";

/**
 * The words of the product in a run that is played again are those that it said then: they change from version to version, and the loop is
 * what is looked at. Where they stood below the words of a model, that text is recorded as one.
 */
export function recordedTexts(
  recorded: readonly Entry[],
  { ending }: Pick<TurnRecord, "ending">,
  { hasEnded }: Pick<RecordedWorld, "hasEnded">,
): ReturnType<TurnRunnerParts["textsFor"]> {
  const last = recorded.flatMap((entry) => (entry.type === "message" ? [entry.message] : [])).at(-1);
  const answer = last?.role === "assistant" ? last : undefined;
  const said = answer ? textOf(answer) : "";
  const reason = ending && "reason" in ending ? ending.reason : "";
  const whole = () => said;
  const nothing = () => "";
  const besides = () => (hasEnded() ? "" : said);
  const next = ending && canGoOn(ending) ? said.lastIndexOf("\n") : -1;
  return {
    stepLimit: whole,
    repeatedCalls: whole,
    cut: nothing,
    modelFailed: answer && saidNothing(ending, answer) ? whole : nothing,
    overBudget: nothing,
    broken: besides,
    outOfTime: () => reason,
    answeredNothing: () => reason,
    brokeOff: () => reason,
    aborted: besides,
    compacted: nothing,
    nothingToCompact: nothing,
    compactionFailed: nothing,
    failed: () => (next < 0 ? said : said.slice(0, next)),
    thenContinue: () => (next < 0 ? "" : said.slice(next + 1)),
  };
}
