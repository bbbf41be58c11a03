import { toolFailure, wellFormedMessages, type Entry, type Message, type ToolCallBlock } from "@pincer/sdk";
import { createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { runTurn, type TurnEvent, type TurnParts } from "./run-turn.ts";

/** A transcript in memory, and tools that answer `did <name>`. */
function setUp(steps: ScriptedStep[], call?: TurnParts["tools"]["call"], provider?: string) {
  const said: Message[] = [];
  const model = createScriptedModel(steps, provider);
  const parts: TurnParts = {
    model,
    transcript: {
      async append(messages) {
        // Storing takes a moment: whoever does not wait for it is caught.
        await new Promise((resolve) => setImmediate(resolve));
        said.push(...messages);
        return messages;
      },
      recent: async () =>
        said.map((message, index): Entry => ({
          type: "message",
          seq: index + 1,
          time: "2026-01-01T00:00:00.000Z",
          message,
        })),
    },
    tools: {
      descriptions: [{ name: "look", description: "Look.", parameters: {} }],
      call:
        call ??
        (async ({ name }) => ({
          ok: true,
          content: [{ type: "text", text: `did ${name}` }],
          usage: { durationMs: 1 },
        })),
    },
    texts: {
      stepLimit: (count) => `stopped after ${count}`,
      modelFailed: (reason) => `failed: ${reason}`,
      aborted: () => "stopped",
    },
  };
  const ask = (signal = new AbortController().signal, onEvent?: (event: TurnEvent) => void) =>
    runTurn(parts, {
      input: "hello",
      systemPrompt: "be kind",
      maxSteps: 3,
      maxContextMessages: 50,
      signal,
      ...(onEvent ? { onEvent } : {}),
    });
  return { said, model, ask };
}

const roles = (messages: Message[]) => messages.map((message) => message.role);

describe("a turn", () => {
  it("ARCH-04 stores the question before the model is asked, and then the answer", async () => {
    const { said, model, ask } = setUp([{ text: "hi there" }]);
    const outcome = await ask();
    expect(outcome).toMatchObject({ ending: { type: "answered" }, text: "hi there" });
    expect(roles(said)).toEqual(["user", "assistant"]);
    expect(roles(model.requests[0]?.messages ?? [])).toEqual(["user"]);
    expect(model.requests[0]?.systemPrompt).toBe("be kind");
  });

  it("runs the tools that the model calls and asks it again with their results", async () => {
    const { said, model, ask } = setUp([
      { calls: [{ name: "look" }, { name: "listen" }] },
      { text: "all clear" },
    ]);
    const outcome = await ask();
    expect(outcome.text).toBe("all clear");
    expect(outcome.toolCalls.map((call) => call.name)).toEqual(["look", "listen"]);
    expect(outcome.toolResults.map(({ result }) => result.ok)).toEqual([true, true]);
    expect(roles(said)).toEqual(["user", "assistant", "toolResult", "toolResult", "assistant"]);
    expect(roles(model.requests[1]?.messages ?? [])).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
    ]);
  });

  it("CLI-11 stops at the step limit, says so, and leaves no call without a result", async () => {
    const { said, model, ask } = setUp([{ calls: [{ name: "look" }] }]);
    const outcome = await ask();
    expect(outcome.ending).toEqual({ type: "step-limit", steps: 3 });
    expect(outcome.text).toBe("stopped after 3");
    expect(outcome.toolResults.filter(({ result }) => result.ok)).toHaveLength(3);
    expect(outcome.toolResults.at(-1)?.result.error?.code).toBe("execution_error");
    expect(model.requests).toHaveLength(4);
    expect(wellFormedMessages(said).repairs).toEqual([]);
    expect(said.at(-1)).toMatchObject({
      role: "assistant",
      content: [{ type: "text", text: "stopped after 3" }],
    });
  });

  it("LOOP-10 returns the same, but for its name, whichever provider answers", async () => {
    const script: ScriptedStep[] = [{ calls: [{ name: "look" }] }, { text: "done", usage: { input: 3 } }];
    const [one, other] = await Promise.all(
      ["one", "other"].map((provider) => setUp(script, undefined, provider).ask()),
    );
    const named = JSON.stringify(one).replaceAll('"provider":"one"', '"provider":"other"');
    expect(JSON.parse(named)).toEqual(other);
    expect(one?.messages[0]?.provider).toBe("one");
  });

  it("hands a tool's failure back to the model and goes on", async () => {
    const { said, ask } = setUp([{ calls: [{ name: "look" }] }, { text: "I could not look" }], async () =>
      toolFailure("execution_error", "dark"),
    );
    expect((await ask()).text).toBe("I could not look");
    expect(said[2]).toMatchObject({ role: "toolResult", isError: true });
  });

  it.each<[string, ScriptedStep, string]>([
    ["an error", { error: "no credit" }, "failed: no credit"],
    ["a stream that just stops", { silence: true }, "failed: the stream ended without an answer"],
    ["an empty answer", { text: "" }, "failed: it answered with nothing"],
  ])("ends with one visible line after %s", async (_name, step, text) => {
    const { said, ask } = setUp([step]);
    const outcome = await ask();
    expect(outcome.ending.type).toBe("model-failed");
    expect(outcome.text).toBe(text);
    expect(said.at(-1)).toMatchObject({ role: "assistant", content: [{ type: "text", text }] });
  });

  it("stops when it is told to", async () => {
    const { said, ask } = setUp([{ text: "never said" }]);
    const outcome = await ask(AbortSignal.abort(new Error("stop")));
    expect(outcome).toMatchObject({ ending: { type: "aborted" }, text: "stopped" });
    expect(roles(said)).toEqual(["user", "assistant"]);
  });

  it("tells what happens while it happens", async () => {
    const { ask } = setUp([{ calls: [{ name: "look" }] }, { text: "done" }]);
    const seen: string[] = [];
    await ask(undefined, (event) => seen.push(event.type));
    expect(seen).toEqual(["tool-call", "end", "tool-call-start", "tool-call-end", "text-delta", "end"]);
  });

  it("hands arguments that were no JSON to the gate as they came", async () => {
    const calls: ToolCallBlock[] = [];
    const { ask } = setUp(
      [{ calls: [{ name: "look", invalidArguments: "{oops" }] }, { text: "sorry" }],
      async (call) => {
        calls.push(call);
        return toolFailure("invalid_args", "no JSON");
      },
    );
    await ask();
    expect(calls[0]?.invalidArguments).toBe("{oops");
  });
});
