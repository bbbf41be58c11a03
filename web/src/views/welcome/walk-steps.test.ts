import type { SetupStepView, SetupView } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { firstStep, isDone, stepAfter, stepBefore } from "./walk-steps.ts";

const setup = (...states: Array<SetupStepView["state"]>): SetupView => ({
  done: false,
  doneAt: null,
  next: null,
  steps: (["model", "assistant", "channel", "service"] as const).map((step, index) => ({
    step,
    state: states[index] ?? "open",
    note: "",
  })),
  model: { reference: null, ready: false, answers: null, problem: null },
  assistant: { agentId: "main", name: null, user: null },
  channels: [],
  owned: false,
  service: { installed: false, running: false, file: null },
  address: null,
});

describe("the first steps", () => {
  it("CLI-19 begin with what is still to do, and again where somebody left off", () => {
    expect(firstStep(setup(), "")).toBe("model");
    expect(firstStep(setup("done"), "")).toBe("name");
    expect(firstStep(setup("done", "left-out"), "")).toBe("telegram");
    expect(firstStep(setup("failing", "done"), "")).toBe("model");
    expect(firstStep(setup("done", "done", "done"), "")).toBe("done");
    expect(firstStep(setup(), "telegram")).toBe("telegram");
    expect(firstStep(setup(), "nonsense")).toBe("model");
  });

  it("lead on and back, and not beyond", () => {
    expect([stepAfter("model"), stepAfter("done"), stepBefore("name"), stepBefore("model")]).toEqual([
      "name",
      "done",
      "model",
      "model",
    ]);
  });

  it("are done where the setup says so", () => {
    expect(isDone("name", setup("open", "done"))).toBe(true);
    expect(isDone("model", setup("open", "done"))).toBe(false);
    expect(isDone("phone", setup("done", "done", "done"))).toBe(false);
  });
});
