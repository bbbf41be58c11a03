import {
  textOf,
  toolFailure,
  wellFormedMessages,
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolResult,
} from "@pincer/sdk";
import { createHandClock, type ScriptedStep } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pendingCalls } from "./last-answer.ts";
import { asked, createTurnStage as setUp } from "./testing/turn-stage.ts";
import { outcomeOf } from "./turn-outcome.ts";
import { TurnStop } from "./turn-run.ts";

const roles = (messages: Message[]) => messages.map((message) => message.role);

const answered: ToolResult = { ok: true, content: [{ type: "text", text: "did" }], usage: { durationMs: 1 } };

const calling = (...calls: Array<[id: string, name: string]>): AssistantMessage => ({
  role: "assistant",
  content: calls.map(([id, name]) => ({ type: "toolCall", id, name, arguments: {} })),
  provider: "scripted",
  model: "script",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
  stopReason: "toolUse",
});

const resultOf = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "send",
  content: [{ type: "text", text: "sent" }],
  isError: false,
});

describe("a turn that a crash cut short", () => {
  it("keeps finished results and runs only the calls that were never begun", async () => {
    const ran: string[] = [];
    const { run, said } = setUp([{ text: "done" }], async (call) => {
      ran.push(call.id);
      return answered;
    });
    const before = [asked, calling(["a", "send"], ["b", "send"]), resultOf("a")];
    const conclusion = await run(before);
    expect(ran).toEqual(["b"]);
    expect(said.map((message) => message.role)).toEqual(["toolResult"]);
    expect(conclusion).toMatchObject({ type: "ended", ending: { type: "answered" } });
  });

  it("reports a begun call as interrupted instead of repeating it, unless it is idempotent", async () => {
    const ran: string[] = [];
    const { run, said, model } = setUp([{ text: "done" }], async (call) => {
      ran.push(call.name);
      return answered;
    });
    const before = [asked, calling(["a", "send"], ["b", "look"])];
    await run(before, undefined, undefined, new Set(["a", "b"]));
    expect(ran).toEqual(["look"]);
    const told = said.find((message) => message.role === "toolResult" && message.toolCallId === "a");
    expect(told && textOf(told)).toContain("interrupted, outcome unknown");
    expect(wellFormedMessages(model.requests[0]?.messages ?? []).repairs).toEqual([]);
  });

  it("goes on from any point with whole tool pairs, and never begins a call twice that must not be", async () => {
    const script: ScriptedStep[] = [
      { calls: [{ name: "send", arguments: { what: "one" } }, { name: "look" }] },
      { calls: [{ name: "send", arguments: { what: "two" } }] },
      { text: "done" },
    ];
    const whatOf = (call: ToolCallBlock) => String(call.arguments["what"]);
    await fc.assert(
      fc.asyncProperty(fc.nat(7), async (cut) => {
        const effects: string[] = [];
        const tool = async (call: ToolCallBlock): Promise<ToolResult> => {
          if (call.name === "send") effects.push(whatOf(call));
          return answered;
        };
        const whole = setUp(script, tool);
        await whole.ask();
        const kept = whole.said.slice(0, Math.min(1 + cut, whole.said.length - 1));
        effects.length = 0;
        const { toolResults } = outcomeOf(kept);
        const done = toolResults.map(({ call }) => whatOf(call));
        const steps = kept.filter((message) => message.role === "assistant").length;
        const again = setUp(script.slice(steps), tool);
        const begun = new Set(pendingCalls(kept).map(({ id }) => id));
        const conclusion = await again.run(kept, undefined, undefined, begun);
        expect(conclusion).toMatchObject({ ending: { type: "answered" } });
        const mayBeDone = [...done, ...pendingCalls(kept).map(whatOf)];
        expect(effects.filter((what) => mayBeDone.includes(what))).toEqual([]);
        expect(effects).toEqual([...new Set(effects)]);
        // The script counts its ids from the beginning again, which is repaired on reading; anything else would be a broken pair.
        const { repairs } = wellFormedMessages(conclusion.type === "ended" ? conclusion.messages : []);
        expect(repairs.filter(({ type }) => type !== "call-renamed")).toEqual([]);
      }),
    );
  });
});

describe("stopping a turn", () => {
  it("ends at once with what was said so far, although the model does not heed the signal", async () => {
    const { parts, run } = setUp([]);
    const stop = new AbortController();
    parts.model = {
      provider: "deaf",
      id: "deaf",
      async *stream() {
        yield { type: "text-delta", text: "once upon" };
        stop.abort(new TurnStop("stop"));
        await new Promise(() => {});
      },
    };
    const conclusion = await run([asked], stop.signal);
    expect(conclusion).toMatchObject({ type: "ended", ending: { type: "aborted", by: "stop" } });
    expect(conclusion.type === "ended" && textOf(conclusion.last)).toBe("once upon\n\nstopped");
  });

  it("leaves a tool behind that does not heed the signal, and says that its outcome is unknown", async () => {
    const clock = createHandClock();
    const stop = new AbortController();
    const { parts, run, said } = setUp([{ calls: [{ name: "send" }] }], () => {
      stop.abort(new TurnStop("stop"));
      return new Promise(() => {});
    });
    parts.clock = clock;
    const running = run([asked], stop.signal);
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(150);
    expect(await running).toMatchObject({ ending: { type: "aborted" } });
    expect(textOf(said.at(-1) ?? asked)).toContain("outcome unknown");
  });

  it("GW-15 parks at shutdown, and keeps of a tool only what is certain", async () => {
    const stop = new AbortController();
    const { run, said } = setUp([{ calls: [{ name: "look" }, { name: "send" }] }], async () => {
      stop.abort(new TurnStop("shutdown"));
      return toolFailure("execution_error", "aborted");
    });
    expect(await run([asked], stop.signal)).toEqual({ type: "parked", for: "shutdown" });
    const results = said.filter((message) => message.role === "toolResult");
    expect(results.map(({ toolName }) => toolName)).toEqual(["send"]);
    expect(textOf(results[0] ?? asked)).toContain("outcome unknown");
  });
});

describe("a turn", () => {
  it("takes up what is said meanwhile before it asks the model again", async () => {
    const { waiting, model, ask, said } = setUp(
      [{ calls: [{ name: "look" }] }, { text: "done" }],
      async () => {
        waiting.push({ role: "user", content: [{ type: "text", text: "and hurry" }] });
        return answered;
      },
    );
    await ask();
    expect(roles(said)).toEqual(["user", "assistant", "toolResult", "user", "assistant"]);
    expect(roles(model.requests[1]?.messages ?? [])).toEqual(["user", "assistant", "toolResult", "user"]);
  });

  it.each(["NO_REPLY", " HEARTBEAT_OK\n"])("says nothing when the whole answer is %j", async (text) => {
    expect((await setUp([{ text }]).ask()).ending).toEqual({ type: "silent" });
  });

  it("ARCH-04 stores the question before the model is asked, and then the answer", async () => {
    const { said, model, ask } = setUp([{ text: "hi there" }]);
    const outcome = await ask();
    expect(outcome).toMatchObject({ ending: { type: "answered" }, text: "hi there" });
    expect(roles(said)).toEqual(["user", "assistant"]);
    expect(roles(model.requests[0]?.messages ?? [])).toEqual(["user"]);
    expect(model.requests[0]?.systemPrompt).toBe("be kind");
  });

  it("LOOP-04 runs the tools that the model calls and asks it again with their results", async () => {
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

  it("CLI-11 LOOP-05 stops at the step limit, says so, and leaves no call without a result", async () => {
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
    ["a stream that just stops", { silence: true }, "failed: broke off"],
    ["an empty answer", { text: "" }, "failed: nothing"],
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
    expect(outcome).toMatchObject({ ending: { type: "aborted", by: "client" }, text: "stopped" });
    expect(roles(said)).toEqual(["user", "assistant"]);
  });

  it("tells what happens while it happens", async () => {
    const { ask } = setUp([{ calls: [{ name: "look" }] }, { text: "done" }]);
    const seen: string[] = [];
    await ask(undefined, (event) => seen.push(event.type));
    expect(seen).toEqual([
      "tool-call",
      "end",
      "tool-call-start",
      "tool-call-end",
      "text-delta",
      "block",
      "complete",
      "end",
    ]);
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
