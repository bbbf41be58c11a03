/** The whole product on a channel, with a model that follows a script: what people get for each thing that can happen. */
import { textOf, type Message } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

const call = (name: string, given: Record<string, unknown> = {}): ScriptedStep => ({
  calls: [{ name, arguments: given }],
});
const echo = (text: string) => call("tools_echo", { text });
const results = ({ model }: TalkStage): string[] =>
  (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "toolResult")
    .map((message) => textOf(message as Message));

describe("DOC-03 a person on a channel", () => {
  it("gets the model's words", async () => {
    const stage = await openTalkStage({ steps: [{ text: "Good morning." }] });
    expect(await stage.say("hello")).toEqual(["Good morning."]);
  });

  it("gets an answer after one tool, and after many", async () => {
    const one = await openTalkStage({ steps: [echo("x"), { text: "One." }] });
    expect(await one.say("hello")).toEqual(["One."]);
    expect(results(one)).toEqual(["x"]);
    const many = await openTalkStage({ steps: [..."abcdef"].map(echo).concat({ text: "Many." }) });
    expect(await many.say("hello")).toEqual(["Many."]);
    expect(results(many)).toEqual([..."abcdef"]);
  });

  it("hears where it stopped after too many, and can have it go on", async () => {
    const steps = [..."abcdef"].map(echo).concat({ text: "All of it." });
    const stage = await openTalkStage({ steps, config: { agents: { defaults: { toolMaxSteps: 4 } } } });
    const [said = ""] = await stage.say("hello");
    expect(said).toMatch(/4 [\s\S]*\/continue/);
    expect(await stage.say("/continue")).toEqual(["All of it."]);
  });

  it("has the prompt of the workdir obeyed, and files read and written there", async () => {
    const stage = await openTalkStage({
      files: { "workspace/.agent/system-prompt.md": "You are the cook.", "workspace/list.txt": "milk" },
      steps: [
        call("read", { path: "list.txt" }),
        call("write", { path: "list.txt", content: "milk, tea" }),
        call("read", { path: "list.txt" }),
        { text: "Tea is on it." },
      ],
    });
    expect(await stage.say("add tea")).toEqual(["Tea is on it."]);
    expect(stage.model.requests[0]?.systemPrompt).toMatch(/^You are the cook\./);
    expect(results(stage).at(-1)).toContain("milk, tea");
  });

  it("hears what went wrong, and is answered the next time", async () => {
    const steps: ScriptedStep[] = [{ error: "the provider is down", code: "unavailable" }, { text: "Back." }];
    const stage = await openTalkStage({ steps });
    expect((await stage.say("hello")).join("\n")).toContain("the provider is down");
    expect(await stage.say("hello?")).toEqual(["Back."]);
  });
});

it("ARCH-06 what policy denies is neither offered nor run, however able the model is, and the audit tells of it", async () => {
  const stage = await openTalkStage({
    config: { tools: { deny: ["exec"] } },
    steps: [call("exec", { command: "touch new.txt" }), echo("x"), { text: "Done." }],
  });
  await stage.say("do it");
  expect(stage.model.requests[0]?.tools.map(({ name }) => name)).not.toContain("exec");
  expect(results(stage)[0]).toContain("exec may not run");
  const { records } = await stage.client.request("audit.query", { action: "run" });
  const steps = JSON.stringify(records);
  expect(steps).toMatch(/message-in[\s\S]*model-call[\s\S]*"tool":"exec"[\s\S]*"tool":"tools_echo"/);
});
