import { noUsage, textOf, wellFormedMessages, type AssistantMessage, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frozen } from "../../infra/frozen.ts";
import type { ModelRecord } from "../model-record.ts";
import { limitHistoryTurns } from "./limit-turns.ts";
import { prepareHistory } from "./prepare-history.ts";
import { anyHistory, targets, wholeHistory } from "./testing/any-history.ts";
import { historyFaults } from "./testing/history-faults.ts";

const [claude, gpt, llama, , gemini3, mistral] = targets as [
  ModelRecord,
  ModelRecord,
  ModelRecord,
  ModelRecord,
  ModelRecord,
  ModelRecord,
];
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const answer = (
  content: AssistantMessage["content"],
  { provider, id, api }: ModelRecord,
  stopReason: AssistantMessage["stopReason"] = "stop",
): AssistantMessage => ({
  role: "assistant",
  content,
  provider,
  model: id,
  api,
  usage: noUsage(),
  stopReason,
});
const said = (text: string, by: ModelRecord, stop?: AssistantMessage["stopReason"]) =>
  answer([{ type: "text", text }], by, stop);
const call = (id: string, name = "read") => ({
  type: "toolCall" as const,
  id,
  name,
  arguments: { path: "a" },
});
const result = (toolCallId: string, text = "done", toolName = "read"): Message => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: [{ type: "text", text }],
  isError: false,
});

describe("a history for a provider", () => {
  it("SESS-16 is refused by no wire format, whatever was kept", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(...targets), (messages, record) => {
        expect(historyFaults(prepareHistory(messages, record, "normal"), record)).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it("SESS-16 is words and nothing else at its plainest", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(...targets), (messages, record) => {
        const plain = prepareHistory(messages, record, "plain");
        expect(historyFaults(plain, { ...record, input: ["text"] })).toEqual([]);
        const kinds = plain.flatMap(({ content }) => content.map(({ type }) => type));
        expect(new Set([...kinds, "text"])).toEqual(new Set(["text"]));
        expect(plain.some(({ role }) => role === "toolResult")).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("SESS-16 is refused by no wire format where its beginning is plain, and the rest is as it was", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(...targets), fc.nat(12), (messages, record, plainUntil) => {
        const prepared = prepareHistory(messages, record, "normal", plainUntil);
        expect(historyFaults(prepared, record)).toEqual([]);
        const later = new Set(prepareHistory(messages, record, "normal").flatMap(blocksThatArePlainNowhere));
        for (const block of prepared.flatMap(blocksThatArePlainNowhere)) expect(later).toContain(block);
      }),
      { numRuns: 1500 },
    );
  });

  it("SESS-16 is plain before the border only, and keeps each exchange on one side of it", () => {
    const turn = (n: number) => [
      user(`q${n}`),
      answer([call(`c${n}`), call(`d${n}`)], claude, "toolUse"),
      result(`c${n}`),
      result(`d${n}`),
      said(`a${n}`, claude),
    ];
    const messages = [...turn(1), ...turn(2), user("?")];
    const callsAfter = (plainUntil: number) =>
      prepareHistory(messages, claude, "normal", plainUntil).flatMap((each) =>
        each.role === "toolResult" ? [each.toolCallId] : [],
      );
    expect(callsAfter(0)).toEqual(["c1", "d1", "c2", "d2"]);
    expect(callsAfter(1)).toEqual(["c1", "d1", "c2", "d2"]);
    for (const inOrAfterExchange of [2, 3, 4, 5, 6])
      expect(callsAfter(inOrAfterExchange)).toEqual(["c2", "d2"]);
    for (const inOrAfterExchange of [7, 8, 9, 11, 99]) expect(callsAfter(inOrAfterExchange)).toEqual([]);
    expect(prepareHistory(messages, claude, "normal", 99)).toEqual(prepareHistory(messages, claude, "plain"));
    const broken = [answer([call("x")], claude, "aborted"), result("y"), ...messages];
    expect(prepareHistory(broken, claude, "normal", 3 + 2)).toEqual(
      prepareHistory(messages, claude, "normal", 3),
    );
  });

  it("SESS-16 keeps its beginning when something is added at its end", () => {
    fc.assert(
      fc.property(
        wholeHistory.filter(isComplete),
        anyHistory,
        fc.constantFrom(...targets),
        fc.nat(6),
        (before, after, record, limit) => {
          const head = [...before, user("and then?")];
          const plainUntil = Math.min(limit, head.length);
          const short = flat(prepareHistory(head, record, "normal", plainUntil));
          const long = flat(prepareHistory([...head, ...after], record, "normal", plainUntil));
          expect(long.slice(0, short.length)).toEqual(short);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("changes nothing when it is prepared again", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(...targets), (messages, record) => {
        const once = prepareHistory(messages, record, "normal");
        expect(prepareHistory(once, record, "normal")).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  it("is the same for what cannot change, no matter for which model it was prepared before", () => {
    fc.assert(
      fc.property(
        anyHistory,
        fc.array(fc.constantFrom(...targets), { minLength: 1, maxLength: 5 }),
        fc.nat(6),
        (messages, records, plainUntil) => {
          const kept = frozen(structuredClone(messages));
          for (const record of records) {
            const fresh = structuredClone(messages);
            expect(prepareHistory(kept, { ...record }, "normal", plainUntil)).toEqual(
              prepareHistory(fresh, record, "normal", plainUntil),
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("loses no word that a person or a model said", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom(...targets), (messages, record) => {
        const kept = prepareHistory(messages, record, "normal").map(textOf).join("\n");
        const said = messages
          .filter(({ role }) => role !== "toolResult")
          .flatMap((each) => [...each.content]);
        const lost = said.filter(
          (block) => block.type === "text" && !kept.includes(block.text.toWellFormed().trim()),
        );
        expect(lost).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps what an aborted answer said, as an answer", () => {
    const messages = prepareHistory(
      [user("hi"), said("I was ab", claude, "aborted"), user("go on")],
      claude,
      "normal",
    );
    expect(messages[1]).toMatchObject({ role: "assistant", stopReason: "stop" });
    expect(messages.map(textOf)).toEqual(["hi", "I was ab", "go on"]);
  });

  it("drops a failed answer that said nothing, and joins the questions around it", () => {
    const messages = prepareHistory(
      [user("hi"), answer([], claude, "error"), user("again")],
      claude,
      "normal",
    );
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "hi" },
          { type: "text", text: "again" },
        ],
      },
    ]);
  });

  it("gives thinking back only to the model that signed it", () => {
    const thought = { type: "thinking" as const, thinking: "hm", signature: "c2ln" };
    const history = [user("hi"), answer([thought, { type: "text", text: "yes" }], claude), user("why?")];
    expect(prepareHistory(history, claude, "normal")[1]?.content).toHaveLength(2);
    expect(prepareHistory(history, { ...claude, id: "other" }, "normal")[1]?.content).toEqual([
      { type: "text", text: "yes" },
    ]);
    expect(
      prepareHistory(history, { ...claude, api: "openai-completions" }, "normal")[1]?.content,
    ).toHaveLength(1);
  });

  it("gives back no thinking of an answer that broke off, whose signature may be half", () => {
    const thought = { type: "thinking" as const, thinking: "hm", signature: "c2" };
    const history = [
      user("hi"),
      answer([thought, { type: "text", text: "ye" }], claude, "aborted"),
      user("?"),
    ];
    expect(prepareHistory(history, claude, "normal")[1]?.content).toEqual([{ type: "text", text: "ye" }]);
  });

  it("gives OpenAI its own joined ids back, and no item whose reasoning is gone", () => {
    const reasoning = '{"type":"reasoning","id":"rs_1"}';
    const thought = (signature: string) => ({ type: "thinking" as const, thinking: "", signature });
    const idFor = (signature: string) => {
      const made = answer([thought(signature), call("call_1|fc_1")], gpt, "toolUse");
      const prepared = prepareHistory([user("hi"), made, result("call_1|fc_1")], gpt, "normal");
      return (prepared[2] as { toolCallId: string }).toolCallId;
    };
    expect(idFor(reasoning)).toBe("call_1|fc_1");
    expect(idFor("not an item")).toBe("call_1");
  });

  it("gives Mistral ids of nine letters and digits, the same ones each time", () => {
    const history = [
      user("hi"),
      answer([call("toolu_01AbC"), call("b")], claude, "toolUse"),
      result("toolu_01AbC"),
      result("b"),
    ];
    const ids = () =>
      prepareHistory(history, mistral, "normal").flatMap((each) =>
        each.role === "toolResult" ? [each.toolCallId] : [],
      );
    expect(ids()).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), expect.stringMatching(/^[a-z0-9]{9}$/)]);
    expect(ids()).toEqual(ids());
  });

  it("makes ids differ that a model used again", () => {
    const round = [answer([call("call_0")], llama, "toolUse"), result("call_0")];
    const messages = prepareHistory([user("hi"), ...round, ...round, user("?")], llama, "normal");
    const ids = messages.flatMap((each) => (each.role === "toolResult" ? [each.toolCallId] : []));
    expect(ids).toEqual(["call_0", "call_0-2"]);
  });

  it("spells tool names as every format takes them", () => {
    const made = answer([call("c", "time.now")], claude, "toolUse");
    const messages = prepareHistory([user("hi"), made, result("c", "noon", "time.now")], claude, "normal");
    expect(messages[1]).toMatchObject({ content: [{ name: "time_now" }] });
    expect(messages[2]).toMatchObject({ toolName: "time_now" });
  });

  it("tells a model that sees no images that there was one", () => {
    const seen: Message = { role: "user", content: [{ type: "image", media: "m", mimeType: "image/png" }] };
    expect(prepareHistory([seen], claude, "normal")).toEqual([seen]);
    expect(textOf(prepareHistory([seen], llama, "normal")[0] as Message)).toContain("image/png");
  });

  it("tells Gemini 3 in words what others called, since it did not sign that", () => {
    const history = [
      user("hi"),
      answer([call("c")], claude, "toolUse"),
      result("c", "text of the file"),
      user("so?"),
    ];
    const messages = prepareHistory(history, gemini3, "normal");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages.map(textOf).join("\n")).toContain('[tool call: read {"path":"a"}]');
    expect(messages.map(textOf).join("\n")).toContain("text of the file");
  });

  it("tells a note as a line above the first words, and sends it in no other way", () => {
    const note = "[Sun 2026-11-15 18:05 GMT+1]";
    const image = { type: "image" as const, media: "m", mimeType: "image/png" };
    const text = { type: "text" as const, text: "hi" };
    const sent = (content: Extract<Message, { role: "user" }>["content"], level: "normal" | "plain") =>
      prepareHistory([{ role: "user", content, note }], claude, level);
    const noted = { type: "text", text: `${note}\nhi` };
    for (const level of ["normal", "plain"] as const)
      expect(sent([text, { type: "text", text: "there" }], level)).toEqual([
        { role: "user", content: [noted, { type: "text", text: "there" }] },
      ]);
    expect(sent([image, text], "normal")).toEqual([{ role: "user", content: [image, noted] }]);
    expect(sent([image], "normal")).toEqual([
      { role: "user", content: [{ type: "text", text: note }, image] },
    ]);
    expect(
      sent([{ type: "text", text: " " }], "normal")
        .map(textOf)
        .join(),
    ).not.toContain(note);
  });

  it("keeps its beginning, notes included, when something is added at its end", () => {
    const asked = (text: string): Message => ({ ...user(text), note: `[at ${text}]` }) as Message;
    const head = [asked("one"), said("a", claude), asked("two")];
    const short = flat(prepareHistory(head, claude, "normal"));
    const long = flat(prepareHistory([...head, said("b", claude), asked("three")], claude, "normal"));
    expect(long.slice(0, short.length)).toEqual(short);
    expect(JSON.stringify(long)).toContain("[at three]\\nthree");
  });

  it("SESS-16 shows the last turns whole, and all of them without a limit", () => {
    const turn = (n: number) => [
      user(`q${n}`),
      answer([call(`c${n}`)], claude, "toolUse"),
      result(`c${n}`),
      said("a", claude),
    ];
    const messages = [...turn(1), ...turn(2), ...turn(3)];
    expect(limitHistoryTurns(messages, 2)).toEqual([...turn(2), ...turn(3)]);
    expect(limitHistoryTurns(messages, 9)).toEqual(messages);
    expect(limitHistoryTurns(messages, 0)).toEqual(messages);
    expect(limitHistoryTurns([...messages, user("a"), user("b")], 1)).toEqual([user("a"), user("b")]);
  });
});

/** Calls, thinking and whatever is signed, as texts. */
const blocksThatArePlainNowhere = ({ content }: Message): string[] =>
  content.flatMap((block) =>
    block.type === "toolCall" || block.type === "thinking" || "signature" in block
      ? [JSON.stringify(block)]
      : [],
  );

/** Nothing in it waits, so that nothing that comes later can change what it means. */
function isComplete(messages: Message[]): boolean {
  return wellFormedMessages(messages).repairs.every(
    ({ type }) => type !== "result-missing" && type !== "result-moved",
  );
}

/** The blocks with their speakers: where a message grows, it grows at its end. */
const flat = (messages: Message[]) =>
  messages.flatMap((message) =>
    message.content.map((block) => ({
      role: message.role,
      block,
      id: message.role === "toolResult" ? message.toolCallId : undefined,
    })),
  );
