import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as chat from "./chat.ts";
import { unknownAtTerminal } from "../../routing/commands/terminal-commands.ts";

const talk = async (...lines: string[]) => {
  const home = await createCommandHome();
  return home.runAt(createFakeTerminal({ typed: `${lines.join("\n")}\n` }), chat, "chat");
};

it("keeps commands that there are none of from the model, as channels do", async () => {
  const ran = await talk(",tape.bogus", "/tape.bogus with words", "!frobnicate now");
  expect(ran.out).toBe("");
  expect(ran.err).toContain("There is no command ,tape.bogus. ,help lists all commands.");
  expect(ran.err).toContain("There is no command /tape.bogus.");
  expect(ran.err).toContain("There is no command !frobnicate.");
});

it("CLI-29 leaves to the model what may be anything", () => {
  for (const line of [
    ",tape",
    "/etc/hosts is odd",
    ",config.json5",
    "!new",
    "hello",
    "! really",
    "/frobnicate",
  ])
    expect(unknownAtTerminal(line)).toBeUndefined();
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
  "X42 CLI-29 SHELL-01 runs a line behind a comma in the shell, and says what it printed",
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

/** What each command tells at the terminal. A command without a row fails. */
const told: Record<string, string> = {
  help: ",approve [id]",
  stop: "Nothing is running.",
  continue: "There is nothing to continue",
  dry: "What should I try?",
  new: "A new session has started.",
  reset: "A new session has started.",
  quit: "",
  undo: "There is nothing left to undo in this session",
  model: "In this session the usual model answers",
  think: "Thinking in this session: as usual (off).",
  verbose: "You do not see tool calls in this session.",
  approve: "No request waits for an answer.",
  deny: "No request waits for an answer.",
  approvals: "No request waits for an answer.",
  signin: "or gateway.http is off",
  browsers: "No browser is signed in.",
  why: "No call was denied or asked about in this session lately.",
  rule: "rule",
  rules: "rule",
  remember: "No line waits for confirmation.",
  forget: "No line waits for confirmation.",
  compact: "",
  handoff: "Anchor handoff-",
  anchors: "anchor",
  tape: "Session agent:main:main",
  "tape.info": "Session agent:main:main",
  "tape.search": "tape.search",
  "tape.reset": "A new session has started",
  context: "tokens",
  status: "Agent main, session agent:main:main",
  usage: "This session: 0 calls",
  cost: "This session:",
  whoami: "You are cli:owner, my owner.",
  tools: "time_now – ",
  "tool.describe": "Which tool? ,tools lists them.",
  skills: "There are no skills yet.",
  config: "Which setting?",
};

it("CLI-28 has a case here for every command that there is", async () => {
  const ran = await talk(",help");
  const names = [...ran.err.matchAll(/^,([a-z.]+)(?: .*)? – /gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(told).sort());
});

const asTurns = new Set(["compact"]);

it.each(Object.entries(told))(
  "CLI-28 answers ,%s at the terminal, and not by the model",
  async (name, words) => {
    const ran = await talk('tool:tools_echo {"text":"one"}', `,${name}`);
    expect(ran.err).toContain(words);
    expect(ran.out.trimEnd() === "one").toBe(!asTurns.has(name));
  },
);

it("keeps what a session wishes, also one that is about to begin", async () => {
  const home = await createCommandHome();
  const say = (...lines: string[]) =>
    home.runAt(createFakeTerminal({ typed: `${lines.join("\n")}\n` }), chat, "chat");
  await say('tool:tools_echo {"text":"one"}', ",think high");
  expect((await say(",think")).err).toContain("Thinking in this session: high.");
  const begun = await say(",new", ",think low", 'tool:tools_echo {"text":"two"}', ",think", ",tape");
  expect(begun.err).toContain("Thinking in this session: low.");
  expect(begun.err).toContain("messages: 4");
});

it("speaks Chinese where the person does", async () => {
  const home = await createCommandHome();
  const terminal = createFakeTerminal({ typed: ",help deny\n,approvals\n,status\n" });
  const ran = await home.runAtInChinese(terminal, chat, "chat");
  expect(ran.err).toContain(",deny [id] – 拒绝请求");
  expect(ran.err).toContain("没有等待答复的请求。");
  expect(ran.err).toContain("智能体 main，会话 agent:main:main");
});
