/** The steps of the first run in the page, and the current one. Pure. */
import type { SetupStep, SetupView } from "@pincer/sdk";

export const welcomeSteps = ["model", "name", "telegram", "phone", "done"] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

/** The setup's own name of a step; undefined where it keeps no record of it. */
export const setupStepOf: Record<WelcomeStep, SetupStep | undefined> = {
  model: "model",
  name: "assistant",
  telegram: "channel",
  phone: undefined,
  done: undefined,
};

export function isDone(step: WelcomeStep, setup: SetupView): boolean {
  const name = setupStepOf[step];
  return name !== undefined && setup.steps.some((each) => each.step === name && each.state === "done");
}

/** The one that the address names, else the first that is still to do, else the last. */
export function firstStep(setup: SetupView, wanted: string): WelcomeStep {
  const named = welcomeSteps.find((step) => step === wanted);
  if (named) return named;
  const open = welcomeSteps.find((step) => {
    const name = setupStepOf[step];
    return setup.steps.some(
      (each) => each.step === name && (each.state === "open" || each.state === "failing"),
    );
  });
  return open ?? "done";
}

export const stepAfter = (step: WelcomeStep): WelcomeStep =>
  welcomeSteps[welcomeSteps.indexOf(step) + 1] ?? "done";
export const stepBefore = (step: WelcomeStep): WelcomeStep =>
  welcomeSteps[welcomeSteps.indexOf(step) - 1] ?? "model";
