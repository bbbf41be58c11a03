import { describe, expect, it } from "vitest";
import { buildPrompt } from "./build-prompt.ts";
import { chooseOverride } from "./choose-override.ts";
import { richFacts } from "./testing/sample-facts.ts";

describe("CTX-04 whose words say who the agent is", () => {
  it("are the config's, before those of the workdir", () => {
    const chosen = chooseOverride({ config: "Be A.", workspace: "Be B." });
    expect(chosen).toEqual({ text: "Be A.", source: "config" });
  });

  it("CFG-13 are those of .agent/system-prompt.md where the config has none", () => {
    const fromFile = { text: "Be B.", source: "workspace" };
    expect(chooseOverride({ config: undefined, workspace: "Be B.\n" })).toEqual(fromFile);
    expect(chooseOverride({ config: "  \n", workspace: "Be B." })).toEqual(fromFile);
  });

  it("are built in where nobody says anything", () => {
    expect(chooseOverride({ config: undefined, workspace: " \n" })).toBeUndefined();
  });

  it("take the place of the identity part and of no other", () => {
    const builtIn = buildPrompt(richFacts()).parts;
    const override = chooseOverride({ config: undefined, workspace: "You are a lighthouse.\nShine." });
    const [first, ...rest] = buildPrompt(richFacts({ override })).parts;
    expect(first).toMatchObject({ name: "identity", text: "You are a lighthouse.\nShine." });
    expect(rest).toEqual(builtIn.slice(1));
  });
});
