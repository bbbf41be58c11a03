import { textOf, wellFormedMessages, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessages, type ToldMessage } from "./told-messages.ts";

const text = fc.string({ minLength: 1, maxLength: 20 });
const user = text.map((words) => [{ path: "", role: "user" as const, content: [words] }]);
const answer = text.map((words) => [{ path: "", role: "assistant" as const, text: words, calls: [] }]);
const json = fc.dictionary(fc.string(), fc.integer()).map((value) => JSON.stringify(value));

/** An answer with calls and all of their results. */
const exchange = fc
  .tuple(fc.string(), fc.array(fc.tuple(json, fc.string()), { minLength: 1, maxLength: 3 }), fc.uuid())
  .map(([words, calls, stem]): ToldMessage[] => [
    {
      path: "",
      role: "assistant",
      text: words,
      calls: calls.map(([given], index) => ({
        id: `${stem}-${index}`,
        name: `tool_${index}`,
        arguments: given,
      })),
    },
    ...calls.map(([, result], index) => ({
      path: "",
      role: "tool" as const,
      callId: `${stem}-${index}`,
      text: result,
    })),
  ]);

const conversation = fc
  .tuple(fc.array(fc.oneof(user, answer, exchange), { maxLength: 12 }), user)
  .map(([turns, last]): ToldMessage[] => [...turns.flat(), ...last]);

/** Back to what was told. */
function tell(message: Message): ToldMessage {
  if (message.role === "user")
    return {
      path: "",
      role: "user",
      content: message.content.map((block) => (block.type === "text" ? block.text : block)),
    };
  if (message.role === "toolResult")
    return { path: "", role: "tool", callId: message.toolCallId, text: textOf(message) };
  const calls = message.content.flatMap((block) =>
    block.type === "toolCall"
      ? [
          {
            id: block.id,
            name: block.name,
            arguments: block.invalidArguments ?? JSON.stringify(block.arguments),
          },
        ]
      : [],
  );
  return { path: "", role: "assistant", text: textOf(message), calls };
}

const alone = { speaker: { isOwner: true, name: "owner" }, isAlone: true, param: "messages" };

describe("what a caller tells of a conversation", () => {
  it("PROTO-05 is the same when it is told again, with whole pairs, and nothing is answered twice", () => {
    fc.assert(
      fc.property(conversation, (told) => {
        const { earlier, now } = readMessages(told, alone).given;
        expect([...earlier, ...now].map(tell)).toEqual(told);
        expect(wellFormedMessages([...earlier, ...now]).repairs).toEqual([]);
        expect(now.every(({ role }) => role === "user")).toBe(true);
      }),
    );
  });

  it("PROTO-05 is new only after the last answer where the session goes on", () => {
    fc.assert(
      fc.property(conversation, (told) => {
        const { earlier, now } = readMessages(told, { ...alone, isAlone: false }).given;
        const last = told.findLastIndex(({ role }) => role === "assistant");
        expect(earlier).toEqual([]);
        expect(now).toHaveLength(told.length - last - 1);
        expect(now.every(({ role }) => role === "user")).toBe(true);
      }),
    );
  });

  it("keeps arguments that are no object as they are", () => {
    const told: ToldMessage[] = [
      { path: "", role: "assistant", text: "", calls: [{ id: "c", name: "look", arguments: "[1" }] },
      { path: "", role: "tool", callId: "c", text: "no" },
    ];
    const { earlier, now } = readMessages(told, alone).given;
    expect(earlier[0]?.content).toMatchObject([{ arguments: {}, invalidArguments: "[1" }]);
    expect(now).toMatchObject([{ role: "toolResult", toolName: "look" }]);
  });

  it("takes instructions from wherever they stand", () => {
    const told: ToldMessage[] = [
      { path: "", role: "instructions", text: "Be brief." },
      { path: "", role: "user", content: ["Hi"] },
      { path: "", role: "instructions", text: "Be kind." },
    ];
    expect(readMessages(told, alone)).toMatchObject({
      instructions: "Be brief.\n\nBe kind.",
      given: { earlier: [], now: [{ role: "user" }] },
    });
  });
});
