import type { ApprovalScope, ApprovalView } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createApprovalPrompt, type LineReader } from "./approval-prompt.ts";
import { createLineReader } from "./line-reader.ts";

const request = (id: string, scopes: ApprovalScope[] = ["once", "task", "recipient"]): ApprovalView => ({
  id,
  state: "pending",
  turnId: "t_1",
  callId: `c_${id}`,
  sessionKey: "agent:main:main",
  agentId: "main",
  personId: "cli:owner",
  tool: "message",
  arguments: {},
  shown: `to bob: hello ${id}`,
  reason: "Nobody named this recipient.",
  rule: "provenance recipient",
  scopes,
  keys: { recipient: "telegram:42", task: "message", shape: "git *" },
  scope: null,
  askedAt: "2026-01-01T12:00:00.000Z",
  expiresAt: "2026-01-02T12:00:00.000Z",
  answeredAt: null,
  answeredBy: null,
});

function openPrompt({ hasReader = true } = {}) {
  const clock = createHandClock();
  const said: string[] = [];
  const answers: Array<[string, string | readonly number[]]> = [];
  const questions: string[] = [];
  /** What the question went through, and what was said between. */
  const screen: string[] = [];
  let isOpen = false;
  const reader: LineReader = {
    open(question) {
      isOpen = true;
      questions.push(question);
      screen.push("ask");
    },
    clear: () => void screen.push("clear"),
    showAgain: () => void screen.push("again"),
    close: () => (isOpen = false),
  };
  const prompt = createApprovalPrompt({
    say: createSay("en"),
    note(text) {
      said.push(text);
      screen.push(text);
    },
    onEvent: ({ type }) => void (type.startsWith("approval") || screen.push(type)),
    reader: hasReader ? reader : undefined,
    async answer(id, verdict) {
      answers.push([id, verdict]);
      return `answered ${id}`;
    },
    clock,
  });
  return {
    prompt,
    clock,
    said,
    answers,
    questions,
    screen,
    isOpen: () => isOpen,
    asks: (approval: ApprovalView) => prompt.onEvent({ type: "approval-asked", approval }),
    /** A moment later, as people type. */
    async type(line: string) {
      await clock.advance(1000);
      return prompt.take({ text: line, pasted: [] });
    },
  };
}

describe("a question at the terminal", () => {
  it.each([
    ["y", "once"],
    ["Y", "once"],
    [" yes ", "once"],
    ["是", "once"],
    ["t", "task"],
    ["r", "recipient"],
    ["n", "no"],
    ["No", "no"],
    ["", "no"],
  ])("takes %j as %s", async (line, verdict) => {
    const { asks, type, answers, said, isOpen, prompt } = openPrompt();
    asks(request("AB2345"));
    expect(said.join("\n")).toContain("│ to bob: hello AB2345");
    expect(await type(line)).toBe(true);
    expect(answers).toEqual([["AB2345", verdict]]);
    expect(isOpen()).toBe(false);
    await prompt.close();
    expect(said.at(-1)).toBe("answered AB2345");
  });

  it.each(["s", "yy", "yes please", "sure", "/approve AB2345", "ok", "1", "once"])(
    "asks again where %j is none of the letters that were offered, and never runs anything for it",
    async (line) => {
      const { asks, type, answers, questions, isOpen } = openPrompt();
      asks(request("AB2345"));
      expect(await type(line)).toBe(true);
      expect(answers).toEqual([]);
      expect([questions.length, isOpen()]).toEqual([2, true]);
    },
  );

  it("SEC-02 is not answered by what is pasted", async () => {
    const { asks, prompt, type, answers, questions, clock } = openPrompt();
    asks(request("AB2345"));
    await clock.advance(1000);
    expect(prompt.take({ text: "y", pasted: [{ start: 0, end: 1 }] })).toBe(true);
    expect([answers, questions.length]).toEqual([[], 2]);
    await type("y");
    expect(answers).toEqual([["AB2345", "once"]]);
  });

  it("is not answered by what was typed before anybody could read it", async () => {
    const { asks, prompt, type, answers } = openPrompt();
    asks(request("AB2345"));
    expect(prompt.take({ text: "y", pasted: [] })).toBe(true);
    expect(answers).toEqual([]);
    await type("y");
    expect(answers).toEqual([["AB2345", "once"]]);
  });

  it("takes Ctrl-C as a no, and only while it is asked", async () => {
    const { asks, prompt, answers } = openPrompt();
    expect(prompt.refuse()).toBe(false);
    asks(request("AB2345"));
    expect(prompt.refuse()).toBe(true);
    expect(prompt.refuse()).toBe(false);
    expect(answers).toEqual([["AB2345", "no"]]);
  });

  it("comes one at a time, once each, and says what else waits", async () => {
    const { asks, type, answers, said } = openPrompt();
    asks(request("AB2345"));
    asks(request("CD6789"));
    asks(request("AB2345"));
    expect(said.join("\n")).not.toContain("hello CD6789");
    await type("y");
    expect(said.join("\n")).toContain("hello CD6789");
    await type("n");
    expect(await type("y")).toBe(false);
    expect(answers).toEqual([
      ["AB2345", "once"],
      ["CD6789", "no"],
    ]);
  });

  it("goes away when somebody has answered elsewhere", async () => {
    const { asks, prompt, type, said, answers } = openPrompt();
    asks(request("AB2345"));
    asks(request("CD6789"));
    prompt.onEvent({ type: "approval-answered", id: "CD6789", state: "denied" });
    prompt.onEvent({ type: "approval-answered", id: "AB2345", state: "approved" });
    expect(said.at(-1)).toBe("AB2345 was already answered: approved.");
    expect(await type("y")).toBe(false);
    expect(answers).toEqual([]);
  });

  it.each([
    { type: "tool-call-start", call: { type: "toolCall", id: "c_AB2345", name: "message", arguments: {} } },
    { type: "text-delta", text: "Done." },
  ] as const)("is taken from the screen when $type shows that it was answered unheard", async (event) => {
    const { asks, prompt, type, screen, isOpen } = openPrompt();
    asks({ ...request("AB2345"), callId: "c_AB2345#2" });
    prompt.onEvent(event);
    expect(screen.slice(-3)).toEqual(["ask", "clear", event.type]);
    expect([isOpen(), await type("y")]).toEqual([false, false]);
  });

  it("gives way to what else is said, and comes back below it", async () => {
    const { asks, prompt, type, screen } = openPrompt();
    asks(request("AB2345"));
    const call = { type: "toolCall", id: "c_other", name: "read", arguments: {} } as const;
    prompt.onEvent({ type: "tool-call-start", call });
    expect(screen.slice(-4)).toEqual(["ask", "clear", "tool-call-start", "again"]);
    asks(request("CD6789"));
    await type("y");
    expect(screen.slice(-4)).toEqual(["ask", "clear", "answered AB2345", "again"]);
  });

  it("is no more when its asker is left, and nothing was answered", async () => {
    const { asks, prompt, type, answers, screen } = openPrompt();
    expect(prompt.abandon()).toEqual([]);
    asks(request("AB2345"));
    asks(request("CD6789"));
    expect(prompt.abandon()).toEqual(["AB2345", "CD6789"]);
    asks(request("EF2345"));
    expect([await type("y"), answers, screen.at(-1)]).toEqual([false, [], "clear"]);
  });

  describe("about a card", () => {
    const card = (["message", "calendar_add"] as const).map((tool, index) => ({
      ...request(`k7q2mp-${index + 1}`, ["once", "task", "while"]),
      card: { id: "k7q2mp", number: index + 1, open: 2 },
      tool,
    }));
    const [first, second] = card as [ApprovalView, ApprovalView];

    it("is asked when all of it is there, and answers all of it at once", async () => {
      const { asks, type, answers, said } = openPrompt();
      asks(second);
      expect(said).toEqual([]);
      asks(first);
      const shown = said.join("\n");
      expect(shown).toContain("2 things need your approval");
      expect(shown.indexOf("hello k7q2mp-1")).toBeLessThan(shown.indexOf("hello k7q2mp-2"));
      expect(shown).toContain("1,2 = only these numbers, once");
      await type("w");
      expect(answers).toEqual([["k7q2mp", "while"]]);
    });

    it.each([
      ["y", "once"],
      ["t", "task"],
      ["n", "no"],
      ["", "no"],
      ["2", [2]],
      ["1, 2", [1, 2]],
      ["2 1", [2, 1]],
    ])("takes %j as %j", async (line, verdict) => {
      const { asks, type, answers } = openPrompt();
      for (const each of card) asks(each);
      await type(line);
      expect(answers).toEqual([["k7q2mp", verdict]]);
    });

    it.each(["3", "0", "r", "1-2", "all", "1,,"])("asks again for %j", async (line) => {
      const { asks, type, answers, isOpen } = openPrompt();
      for (const each of card) asks(each);
      await type(line);
      expect([answers, isOpen()]).toEqual([[], true]);
    });

    it("asks about the rest when one of it was answered elsewhere", async () => {
      const { asks, type, answers, said, prompt } = openPrompt();
      for (const each of card) asks(each);
      prompt.onEvent({ type: "approval-answered", id: first.id, state: "approved" });
      expect(said.join("\n")).toContain("k7q2mp-1 was already answered: approved.");
      await type("y");
      expect(answers).toEqual([["k7q2mp-2", "once"]]);
    });
  });

  it("takes no line any more when the run is over", async () => {
    const { asks, prompt, type, answers, isOpen } = openPrompt();
    asks(request("AB2345"));
    await prompt.close();
    expect([await type("y"), isOpen(), answers]).toEqual([false, false, []]);
  });

  it("is told with how to answer it from elsewhere where nobody sits there", async () => {
    const { asks, type, said, answers } = openPrompt({ hasReader: false });
    asks(request("AB2345"));
    expect(said.join()).toContain("pincer approvals approve AB2345");
    expect(await type("y")).toBe(false);
    expect(answers).toEqual([]);
  });
});

describe("lines typed while a command is busy", () => {
  function openReader({ isTTY = true, errIsTerminal = true } = {}) {
    const keys = Object.assign(new PassThrough(), { isTTY });
    const terminal = { ...createFakeTerminal({ errIsTerminal }), stdin: keys };
    const heard: string[] = [];
    const reader = createLineReader(
      { terminal, signal: new AbortController().signal },
      {
        line: ({ text, pasted = [] }) => heard.push(pasted.length > 0 ? `<${text}>` : text),
        interrupt: () => heard.push("^C"),
      },
    );
    const press = async (text: string) => {
      keys.write(text);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { reader, heard, press, terminal };
  }

  it("are heard behind a question, and Ctrl-C and Ctrl-D as leaving", async () => {
    const { reader, heard, press, terminal } = openReader();
    reader?.open("Run it? ");
    expect(terminal.said()).toContain("Run it? ");
    await press("y\r");
    await press("\u0003");
    await press("\u0004");
    expect(heard).toEqual(["y", "^C", "^C"]);
    expect(terminal.written()).toBe("");
  });

  it("SEC-02 are known apart from pasted ones, which press no keys, and the terminal is left as it was", async () => {
    const { reader, heard, press, terminal } = openReader();
    reader?.open("Run it? ");
    await press("\u001B[200~y\ny\n\u001B[201~");
    expect(heard).toEqual([]);
    await press("\r");
    expect(heard).toEqual(["<y⏎y⏎>"]);
    await press("y\r");
    expect(heard).toEqual(["<y⏎y⏎>", "y"]);
    reader?.close();
    const modes = terminal.said().split("\u001B[?2004").slice(1);
    expect(modes.map((each) => each.slice(0, 1))).toEqual(["h", "l"]);
  });

  it("are left alone once it is closed", async () => {
    const { reader, heard, press } = openReader();
    reader?.open("Run it? ");
    reader?.close();
    reader?.close();
    await press("y\r");
    expect(heard).toEqual([]);
  });

  it.each([{ isTTY: false }, { errIsTerminal: false }])("are not waited for with %o", (given) => {
    expect(openReader(given).reader).toBeUndefined();
  });
});
