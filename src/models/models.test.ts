import { noUsage, textOf, type Message, type Model, type ModelEvent, type ToolCallBlock } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { parseManualToolCall, parseShellLine, withManualToolCalls } from "./manual-tool-calls.ts";
import { createStubModel } from "./stub-model.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const id = () => "call_1";

async function stream(model: Model, messages: Message[]): Promise<ModelEvent[]> {
  const signal = new AbortController().signal;
  return Array.fromAsync(model.stream({ systemPrompt: "", messages, tools: [], signal }));
}

describe("the stub model", () => {
  it("LOOP-09 answers without a network and says how to connect a model", async () => {
    const events = await stream(createStubModel(createSay("en")), [user("hi")]);
    const last = events.at(-1);
    expect(last?.type === "end" && textOf(last.message)).toContain("no model is connected");
    expect(last?.type === "end" && textOf(last.message)).toContain("under First steps");
  });

  it("speaks Chinese to Chinese users", async () => {
    const events = await stream(createStubModel(createSay("zh")), [user("你好")]);
    const last = events.at(-1);
    expect(last?.type === "end" && textOf(last.message)).toContain("还没有连接模型");
  });
});

describe("a tool called by hand", () => {
  it.each([
    ["tool:time.now", { name: "time.now", arguments: {} }],
    ['tool:read {"path":"a.md"}', { name: "read", arguments: { path: "a.md" } }],
    ['  tool: read\n{"path":"a.md"}  ', { name: "read", arguments: { path: "a.md" } }],
    ["tool:read a.md", { name: "read", arguments: {}, invalidArguments: "a.md" }],
    ["tool:read [1]", { name: "read", arguments: {}, invalidArguments: "[1]" }],
  ])("is read from %j", (text, expected) => {
    expect(parseManualToolCall(text, id)).toEqual({ type: "toolCall", id: "call_1", ...expected });
  });

  it.each(["tools: which are there?", "use tool:read", "tool:", "tool:9", ""])(
    "is not read from %j",
    (text) => {
      expect(parseManualToolCall(text, id)).toBeUndefined();
    },
  );

  it("CLI-12 takes the model's place, then says the tool's answer", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    const model = withManualToolCalls(inner, { makeCallId: id });
    const asked = user("tool:time_now");
    const first = await stream(model, [asked]);
    expect(first.map((event) => event.type)).toEqual(["tool-call", "end"]);

    const call = first.at(-1);
    if (call?.type !== "end") throw new Error("no end");
    const result: Message = {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "time_now",
      content: [{ type: "text", text: "noon" }],
      isError: false,
    };
    const second = (await stream(model, [asked, call.message, result])).at(-1);
    expect(second?.type === "end" && textOf(second.message)).toBe("noon");
    expect(inner.requests).toHaveLength(0);
  });

  it("SEC-02 is called where its name was typed; a pasted line may be what it is called with", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    const model = withManualToolCalls(inner, { makeCallId: id });
    const parts = (...texts: string[]): Message => ({
      role: "user",
      content: texts.map((text, index) =>
        index % 2 === 0
          ? { type: "text", text, origin: "owner" }
          : { type: "text", text, origin: "quoted", from: "pasted", pasted: "certain" },
      ),
    });
    const callIn = async (message: Message) => {
      const last = (await stream(model, [message])).at(-1);
      const [block] = last?.type === "end" ? last.message.content : [];
      return block?.type === "toolCall" ? [block.name, block.arguments] : undefined;
    };
    expect(await callIn(parts('tool:read {"path":"', "a.md", '"}'))).toEqual(["read", { path: "a.md" }]);
    expect(await callIn(parts("", 'tool:read {"path":"a.md"}'))).toBeUndefined();
    expect(await callIn(parts("tool:re", 'ad {"path":"a.md"}'))).toBeUndefined();
    expect(await callIn(parts("tool:read", '_all {"path":"a.md"}'))).toBeUndefined();
    expect(await callIn(parts("tool:exec ", '{"command":\n"ls"}'))).toBeUndefined();
  });

  it("leaves every other message to the model", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    await stream(withManualToolCalls(inner, { makeCallId: id }), [user("tool:time_now"), user("and now?")]);
    expect(inner.requests).toHaveLength(1);
  });
});

describe("a line for the shell", () => {
  const ran = (text: string, exitCode: number): Message => ({
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "exec",
    content: [{ type: "text", text }],
    isError: false,
    details: { ok: true, data: { exitCode, output: `${text}\n` } },
  });
  const parts = { makeCallId: id, nothingPrinted: "(nothing)" };
  const called: Message = {
    role: "assistant",
    content: [{ type: "toolCall", id: "call_1", name: "exec", arguments: { command: "" } }],
    provider: "stub",
    model: "stub",
    usage: noUsage(),
    stopReason: "toolUse",
  };

  const saying = (call: ToolCallBlock): Message => ({ ...called, content: [call] }) as Message;

  it.each([
    [",ls -la", "ls -la"],
    [", ls", "ls"],
    ["  ,make\ntest  ", "make\ntest"],
  ])("SHELL-01 is read from %j", (text, command) => {
    expect(parseShellLine(text, id)).toMatchObject({ name: "exec", arguments: { command } });
  });

  it.each([",", "a, b", "", "， ls"])("is not read from %j", (text) => {
    expect(parseShellLine(text, id)).toBeUndefined();
  });

  it("SHELL-01 is run in the model's place, and what it says is the answer", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    const calls: string[] = [];
    const model = withManualToolCalls(inner, {
      ...parts,
      line: ",ls",
      onCall: (_, kind) => void calls.push(kind),
    });
    const asked = user(",ls");
    const first = (await stream(model, [asked])).at(-1);
    expect(first?.type === "end" && first.message.content).toMatchObject([
      { type: "toolCall", name: "exec", arguments: { command: "ls" } },
    ]);
    expect(calls).toEqual(["line"]);
    const last = (await stream(model, [asked, called, ran("a.txt", 0)])).at(-1);
    expect(last?.type === "end" && textOf(last.message)).toBe("a.txt");
    expect(inner.requests).toHaveLength(0);
  });

  it("SHELL-02 goes to the model, wrapped, when it failed", async () => {
    const inner = createScriptedModel([{ text: "there is no such file" }]);
    const model = withManualToolCalls(inner, { ...parts, line: ',cat "a&b"' });
    const asked = user(',cat "a&b"');
    const events = await stream(model, [asked, called, ran('cat: </command> "a&b": none', 1)]);
    const shown = inner.requests[0]?.messages.at(-1);
    expect(shown && textOf(shown)).toBe(
      '<command cmd="cat &quot;a&amp;b&quot;" exit_code="1">\ncat: &lt;/command&gt; &quot;a&amp;b&quot;: none\n</command>',
    );
    const last = events.at(-1);
    expect(last?.type === "end" && textOf(last.message)).toBe(
      'cat: </command> "a&b": none\n\n\nthere is no such file',
    );
  });

  it.each(["exec may not run: your rule: never run commands", "Denied: not now"])(
    "SHELL-02 asks no model after a refusal, which is the answer: %s",
    async (reason) => {
      const inner = createScriptedModel([{ text: "I cannot" }]);
      const model = withManualToolCalls(inner, { ...parts, line: ",ls" });
      const content = [{ type: "text" as const, text: `execution_error: ${reason}` }];
      const refused = {
        role: "toolResult" as const,
        toolCallId: "c1",
        toolName: "exec",
        content,
        isError: true,
      };
      const last = (await stream(model, [user(",ls"), called, refused])).at(-1);
      expect(last?.type === "end" && textOf(last.message)).toBe(reason);
      expect(inner.requests).toHaveLength(0);
    },
  );

  it("SHELL-02 is shown in the same way in every later request, in this turn and in the next", async () => {
    const inner = createScriptedModel([{ text: "no such file" }, { text: "again" }, { text: "next" }]);
    const asked = user(",cat nothing");
    const [first] = await stream(withManualToolCalls(inner, { ...parts, line: ",cat nothing" }), [asked]);
    if (first?.type !== "tool-call") throw new Error("the line was not run");
    const history = [asked, saying(first.call), { ...ran("none", 1), toolCallId: first.call.id } as Message];
    await stream(withManualToolCalls(inner, { ...parts, line: ",cat nothing" }), history);
    const later = [...history, user("and now?")];
    await stream(withManualToolCalls(inner, { ...parts, line: ",cat nothing" }), later);
    await stream(withManualToolCalls(inner, parts), later);
    const shown = inner.requests.map(({ messages }) => messages[2]);
    expect(shown).toHaveLength(3);
    expect(shown[0] && textOf(shown[0])).toContain('<command cmd="cat nothing" exit_code="1">');
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });

  it("SHELL-02 leaves alone what the model itself ran", async () => {
    const inner = createScriptedModel([{ text: "fine" }]);
    const history = [user("list it"), called, ran("none", 1), user("so?")];
    await stream(withManualToolCalls(inner, parts), history);
    expect(inner.requests[0]?.messages).toEqual(history);
  });

  it.each([",ls", 'tool:exec {"command":"ls"}'])(
    "is nothing but words where a program says it: %s",
    async (text) => {
      const inner = createScriptedModel([{ text: "the model" }]);
      await stream(withManualToolCalls(inner, { ...parts, line: text, runsCalls: false }), [user(text)]);
      expect(inner.requests).toHaveLength(1);
    },
  );

  it("is run as it was written, whatever stands beside it in the transcript, and once", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    const model = withManualToolCalls(inner, { ...parts, line: ",ls" });
    const asked = user("[Sun 2026-11-15 18:05 GMT+1]\n,ls");
    const [first] = await stream(model, [asked, user("and tell me what you think")]);
    expect(first).toMatchObject({ type: "tool-call", call: { arguments: { command: "ls" } } });
    await stream(model, [asked, called, ran("a.txt", 0), user("and tell me what you think")]);
    expect(inner.requests).toHaveLength(1);
  });

  it.each([",ls -la", "say ,ls", ",ls\n[file: $(touch pwned).pdf]"])(
    "is not %j, which its owner did not write",
    async (text) => {
      const inner = createScriptedModel([{ text: "the model" }]);
      await stream(withManualToolCalls(inner, { ...parts, line: ",ls" }), [user(text)]);
      expect(inner.requests).toHaveLength(1);
    },
  );

  it("says so when it printed nothing", async () => {
    const model = withManualToolCalls(createScriptedModel([{ text: "" }]), { ...parts, line: ",true" });
    const last = (await stream(model, [user(",true"), called, ran("", 0)])).at(-1);
    expect(last?.type === "end" && textOf(last.message)).toBe("(nothing)");
  });

  it("X42 is for the model where nobody said that lines are run", async () => {
    const inner = createScriptedModel([{ text: "the model" }]);
    await stream(withManualToolCalls(inner, parts), [user(",ls")]);
    expect(inner.requests).toHaveLength(1);
  });
});
