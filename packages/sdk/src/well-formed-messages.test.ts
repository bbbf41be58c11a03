import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noUsage, textOf, type AssistantMessage, type Message, type ToolResultMessage } from "./message.ts";
import { unknownOutcome, wellFormedMessages } from "./well-formed-messages.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const assistant = (
  text: string,
  calls: string[] = [],
  stopReason: AssistantMessage["stopReason"] = calls.length > 0 ? "toolUse" : "stop",
): AssistantMessage => ({
  role: "assistant",
  content: [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((id) => ({ type: "toolCall" as const, id, name: "read", arguments: {} })),
  ],
  provider: "stub",
  model: "stub",
  usage: noUsage(),
  stopReason,
});
const result = (toolCallId: string, text = `result of ${toolCallId}`): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
});

const repaired = (...messages: Message[]) => wellFormedMessages(messages).messages;
const repairTypes = (...messages: Message[]) =>
  wellFormedMessages(messages).repairs.map((repair) => repair.type);

describe("broken histories", () => {
  it("SESS-15 gives a call without a result an error result that says so", () => {
    const messages = repaired(user("hi"), assistant("", ["a", "b"]), result("b"), user("and?"));
    expect(messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
      "user",
    ]);
    expect(messages[2]).toEqual({ ...result("a", unknownOutcome), isError: true });
    expect(messages[3]).toEqual(result("b"));
  });

  it("SESS-15 brings results behind their calls, in the order of the calls", () => {
    const call = assistant("", ["a", "b"]);
    expect(repaired(call, user("wait"), result("b"), result("a"))).toEqual([
      call,
      result("a"),
      result("b"),
      user("wait"),
    ]);
    expect(repaired(result("b"), result("a"), call)).toEqual([call, result("a"), result("b")]);
  });

  it("SESS-15 drops results without a call, and second results", () => {
    const call = assistant("", ["a"]);
    expect(repaired(user("hi"), result("lost"), call, result("a"), result("a", "again"))).toEqual([
      user("hi"),
      call,
      result("a"),
    ]);
  });

  it("SESS-15 renames a call id that was used before, together with its result", () => {
    const messages = repaired(
      assistant("", ["a"]),
      result("a", "one"),
      assistant("", ["a"]),
      result("a", "two"),
    );
    expect(messages[2]).toEqual(assistant("", ["a-2"]));
    expect(messages[3]).toEqual(result("a-2", "two"));
  });

  it("SESS-15 gives the calls of one message that share an id one result each", () => {
    expect(repaired(assistant("", ["a", "a"]), result("a", "one"), result("a", "two"))).toEqual([
      assistant("", ["a", "a-2"]),
      result("a", "one"),
      result("a-2", "two"),
    ]);
  });

  it("SESS-15 does not hand one call's outcome to a later call of the same id", () => {
    const messages = repaired(
      assistant("", ["a"]),
      result("a", "one"),
      result("a", "one"),
      assistant("", ["a"]),
    );
    expect(messages.at(-1)).toEqual({ ...result("a-2", unknownOutcome), isError: true });
  });

  it("SESS-15 does not guess which of two calls a result before them belongs to", () => {
    const messages = repaired(result("a"), assistant("", ["a"]), assistant("", ["a"]));
    expect(messages.filter((message) => message.role === "toolResult").map(textOf)).toEqual([
      unknownOutcome,
      unknownOutcome,
    ]);
  });

  it("SESS-15 takes away the calls of a message that broke off, unless they ran", () => {
    expect(repaired(assistant("I will", ["a", "b"], "error"), result("b"))).toEqual([
      assistant("I will", ["b"], "error"),
      result("b"),
    ]);
    expect(repaired(user("hi"), assistant("I will", ["a"], "aborted"))).toEqual([
      user("hi"),
      assistant("I will", [], "aborted"),
    ]);
    expect(repaired(user("hi"), assistant("", ["a"], "aborted"))).toEqual([user("hi")]);
  });

  it("SESS-15 says what it changed, and where", () => {
    expect(wellFormedMessages([result("x"), assistant("", ["a"]), user("hi"), result("a")]).repairs).toEqual([
      { type: "result-dropped", index: 0, toolCallId: "x" },
      { type: "result-moved", index: 3, toolCallId: "a" },
    ]);
    expect(repairTypes(assistant("", ["a"]), result("x"), result("a"))).toEqual(["result-dropped"]);
    expect(repairTypes(assistant("", ["", "b"]), result("b"))).toEqual(["call-renamed", "result-missing"]);
  });
});

describe("laws", () => {
  const id = fc.constantFrom("a", "b", "c", "a-2", "");
  const stopReason = fc.constantFrom<AssistantMessage["stopReason"]>(
    "stop",
    "toolUse",
    "error",
    "aborted",
    "length",
  );
  const anyMessage: fc.Arbitrary<Message> = fc.oneof(
    fc.string({ maxLength: 4 }).map(user),
    fc
      .tuple(fc.string({ maxLength: 4 }), fc.array(id, { maxLength: 4 }), stopReason)
      .map((parts) => assistant(...parts)),
    fc.tuple(id, fc.string({ maxLength: 4 })).map((parts) => result(...parts)),
  );
  /** Any messages, some of them the same object twice. */
  const anyHistory = fc
    .tuple(fc.array(anyMessage, { maxLength: 16 }), fc.array(fc.nat(), { maxLength: 4 }))
    .map(([messages, again]) =>
      messages.concat(again.flatMap((index) => messages[index % Math.max(1, messages.length)] ?? [])),
    );
  /** Turns as they should be: unique ids, each call answered. */
  const soundHistory = fc.array(fc.nat(3), { maxLength: 6 }).map((turns) =>
    turns.flatMap((calls, turn): Message[] => {
      const ids = Array.from({ length: calls }, (_, call) => `${turn}.${call}`);
      return [
        user(`question ${turn}`),
        assistant(`step ${turn}`, ids),
        ...ids.map((id) => result(id)),
        assistant(`answer ${turn}`),
      ];
    }),
  );
  const damagedHistory = fc.tuple(soundHistory, fc.infiniteStream(fc.nat())).map(([messages, numbers]) => {
    const next = () => numbers.next().value ?? 0;
    const damaged = messages.flatMap((message) =>
      next() % 6 === 0 ? [] : next() % 8 === 0 ? [message, message] : [message],
    );
    for (let swaps = next() % 4; swaps > 0 && damaged.length > 1; swaps--) {
      const [moved] = damaged.splice(next() % damaged.length, 1);
      if (moved) damaged.splice(next() % (damaged.length + 1), 0, moved);
    }
    return damaged;
  });
  const history = fc.oneof(anyHistory, damagedHistory);

  it("SESS-15 always answers each call once, right away and in order, with ids that are used once", () => {
    fc.assert(
      fc.property(history, (messages) => {
        expect(flawsOf(wellFormedMessages(messages).messages)).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });

  it("SESS-15 changes nothing when applied again", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const once = wellFormedMessages(messages).messages;
        const twice = wellFormedMessages(once);
        expect(twice.repairs).toEqual([]);
        expect(twice.messages).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  it("SESS-15 hands a sound history back as it is", () => {
    fc.assert(
      fc.property(soundHistory, (messages) => {
        const before = structuredClone(messages);
        expect(wellFormedMessages(messages)).toEqual({ messages, repairs: [] });
        expect(wellFormedMessages(messages).messages).toBe(messages);
        expect(messages).toEqual(before);
      }),
    );
  });

  it("SESS-15 keeps everything that users and assistants said, in its order", () => {
    const said = (messages: Message[]) =>
      messages
        .filter((message) => message.role !== "toolResult")
        .map((message) => `${message.role}: ${textOf(message)}`)
        // A message that consisted of calls alone said nothing.
        .filter((line) => line !== "assistant: ");
    fc.assert(
      fc.property(history, (messages) => {
        const before = structuredClone(messages);
        expect(said(wellFormedMessages(messages).messages)).toEqual(said(messages));
        expect(messages).toEqual(before);
      }),
      { numRuns: 3000 },
    );
  });

  it("SESS-15 reports a repair exactly when it changed something", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { messages: output, repairs } = wellFormedMessages(messages);
        const isSame =
          output.length === messages.length && output.every((message, index) => message === messages[index]);
        expect(isSame).toBe(repairs.length === 0);
      }),
      { numRuns: 3000 },
    );
  });
});

/** Checks the promise by itself, without knowing how it is kept. */
function flawsOf(messages: Message[]): string[] {
  const flaws: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (open.shift() !== message.toolCallId) flaws.push(`result of ${message.toolCallId} out of place`);
      continue;
    }
    if (open.length > 0) flaws.push(`no result for ${open.join()}`);
    open = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    for (const id of open) {
      if (id === "" || seen.has(id)) flaws.push(`id ${id} used twice`);
      seen.add(id);
    }
  }
  return open.length > 0 ? [...flaws, `no result for ${open.join()}`] : flaws;
}
