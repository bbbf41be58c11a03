import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as chat from "./chat.ts";
import { unknownCommand } from "./chat-commands.ts";

const talk = async (...lines: string[]) => {
  const home = await createCommandHome();
  return home.runAt(createFakeTerminal({ stdin: `${lines.join("\n")}\n` }), chat, "chat");
};

it("keeps commands that there are none of from the model, as channels do", async () => {
  const ran = await talk(",tape.bogus", "/tape.bogus with words", "!frobnicate now");
  expect(ran.out).toBe("");
  expect(ran.err).toContain("There is no command ,tape.bogus. ,help lists those that there are.");
  expect(ran.err).toContain("There is no command /tape.bogus.");
  expect(ran.err).toContain("There is no command !frobnicate.");
});

it("leaves to the model what may be anything", () => {
  for (const line of [
    ",tape",
    "/etc/hosts is odd",
    ",config.json5",
    "!new",
    "hello",
    "! really",
    "/frobnicate",
  ])
    expect(unknownCommand(line)).toBeUndefined();
});

it("explains itself whatever stands behind the word", async () => {
  const ran = await talk(",help tape");
  expect(ran.out).toBe("");
  expect(ran.err).toContain(",handoff [name]");
});

it("begins a new session with what stands behind the command", async () => {
  const ran = await talk('tool:tools_echo {"text":"one"}', '/new tool:tools_echo {"text":"two"}', ",tape");
  expect(ran.out).toContain("two");
  expect(ran.err).toContain("messages: 4");
});

it(
  "X42 SHELL-01 runs a line behind a comma in the shell, and says what it printed",
  { timeout: 60_000 },
  async () => {
    const ran = await talk(",echo one; echo two >&2", ", printf three");
    expect(ran.out).toContain("one\ntwo");
    expect(ran.out).toContain("three");
  },
);

it("X3 takes a command behind a comma for a command", async () => {
  const ran = await talk(",help", ",usage");
  expect(ran.out).toBe("");
  expect(ran.err).toContain("This session: 0 calls");
});
