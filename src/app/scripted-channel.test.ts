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
    const said = await stage.say("add tea");
    expect(said).toEqual([expect.stringMatching(/^Tea is on it\.\n\nChanged after reading texts of others/)]);
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

it("ARCH-06 TOOL-21 what policy denies is neither offered nor run, however able the model is, and the audit tells of it", async () => {
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

it("CLI-30 commands behind an exclamation mark are answered without the model, also those that nobody knows", async () => {
  const stage = await openTalkStage();
  expect(await stage.say("!reset")).toEqual(["A new session has started."]);
  expect((await stage.say("!config")).join("\n")).toContain("config");
  expect((await stage.say("!nosuch")).join("\n")).toMatch(/There is no command !nosuch/);
  expect(stage.model.requests).toEqual([]);
});

it("ROUTE-01 its own words, people who are not let in, and groups that do not speak to it get no answer", async () => {
  const channels = {
    pigeon: { dmPolicy: "allowlist", allowFrom: ["7"], groupPolicy: "open", requireMention: true },
  };
  const stage = await openTalkStage({ config: { channels } });
  const write = async (id: string, more: object, mentioned = true) => {
    await stage.network.say({
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id, text: "hello", attachments: [], mentioned },
      timestamp: Date.now(),
      ...more,
    });
    await stage.gateway.idle();
    return stage.model.requests.length;
  };
  const group = { peer: { kind: "group" as const, id: "g1" }, sender: { id: "7" } };
  expect(await write("1", { sender: { id: "42", isSelf: true } })).toBe(0);
  expect(await write("2", { peer: { kind: "user", id: "9" }, sender: { id: "9" } })).toBe(0);
  expect(await write("3", group, false)).toBe(0);
  expect(stage.network.ledger).toEqual([]);
  expect(await write("4", { peer: { kind: "user", id: "7" }, sender: { id: "7" } })).toBe(1);
  expect(await write("5", group)).toBe(2);
});

it("TOOL-06 the message tool asks a poll, whose answers can be pressed", async () => {
  const poll = { action: "poll", text: "Tea or coffee?", options: ["Tea", "Coffee"] };
  const stage = await openTalkStage({ steps: [call("message", poll), { text: "Asked." }] });
  const sent = await stage.say("ask them");
  expect(sent.join("\n")).toMatch(/Tea or coffee\?[\s\S]*Tea[\s\S]*Coffee/);
  expect(sent.at(-1)).toBe("Asked.");
});

it("CHAN-26 an answer that the network does not take is tried again, and comes once", async () => {
  const stage = await openTalkStage({ steps: [{ text: "Here it is." }] });
  stage.network.faults.inject({ type: "fail", code: "unavailable", times: 2 });
  await stage.say("hello");
  await expect.poll(() => stage.network.ledger.map(({ text }) => text)).toEqual(["Here it is."]);
  expect(stage.network.ledger[0]?.attempt).toBe(3);
});
