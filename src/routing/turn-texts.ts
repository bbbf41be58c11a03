/** The texts for people when a turn ends without an answer. */
import type { PincerError } from "@pincer/sdk";
import type { TurnRunnerParts } from "../agent/turn-runner.ts";
import type { Config } from "../config/schema.ts";
import type { Say } from "../infra/texts.ts";

type TextsFor = TurnRunnerParts["textsFor"];

/** What is wrong inside, and where, is the owner's to know; the owner gets a notice. */
export function createTurnTexts({
  say,
  config,
  words,
}: {
  say: Say;
  config(): Config;
  words(error: PincerError): string;
}): TextsFor {
  return ({ role }) =>
    role === "peer"
      ? { ...turnTexts(say, config), ...briefTexts(say) }
      : { ...turnTexts(say, config), failed: words };
}

type Texts = ReturnType<TextsFor>;

const briefTexts = (say: Say): Pick<Texts, "modelFailed" | "overBudget" | "broken" | "failed"> => ({
  broken: () => say("turn.broken.brief"),
  modelFailed: () => say("turn.model-failed.brief"),
  overBudget: () => say("turn.over-budget.brief"),
  failed: () => say("turn.failed.brief"),
});

const turnTexts = (say: Say, config: () => Config): Omit<Texts, "failed"> => ({
  broken: (reason) => say("turn.broken", { reason }),
  outOfTime: () => say("turn.overdue", { minutes: config().tools.limits.turnMinutes }),
  stepLimit: (steps) => say("turn.step-limit", { steps }),
  repeatedCalls: (tool, times) => say("turn.repeated-calls", { tool, times }),
  cut: () => say("turn.cut"),
  modelFailed: (reason) => say("turn.model-failed", { reason }),
  overBudget: (reason) => reason,
  answeredNothing: () => say("turn.answered-nothing"),
  brokeOff: () => say("turn.broke-off"),
  thenContinue: () => say("turn.then-continue"),
  compacted: (sizes) => say("compact.done", sizes),
  nothingToCompact: () => say("compact.nothing"),
  compactionFailed: (reason) => say("compact.failed", { reason }),
  aborted: (by) => say(by === "interrupt" ? "turn.interrupted" : "turn.aborted"),
});
