import { noUsage, type AssistantMessage, type ModelEvent } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asked, createTurnStage } from "./testing/turn-stage.ts";
import { createTurnVoice, readReply, type TurnEvent, type VoiceSettings } from "./turn-voice.ts";

const said = (content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason: "stop",
});
const text = (words: string) => ({ type: "text" as const, text: words });

function hear(settings: VoiceSettings, events: ModelEvent[]): TurnEvent[] {
  const told: TurnEvent[] = [];
  const voice = createTurnVoice(settings, (event) => told.push(event));
  for (const event of events) voice.hear(event);
  return told;
}

const deltas = (...pieces: string[]): ModelEvent[] => [
  ...pieces.map((piece) => ({ type: "text-delta" as const, text: piece })),
  { type: "end", message: said([text(pieces.join(""))]) },
];
const ofType = (events: TurnEvent[], type: TurnEvent["type"]) =>
  events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : []));

describe("what a turn says", () => {
  it("STREAM-02 STREAM-03 keeps reasoning out of the words, also where its tag is cut in two", () => {
    const told = hear({ reasoning: "off", blockBreak: "text_end" }, deltas("<thi", "nk>hm", "</think>Yes."));
    expect(ofType(told, "text-delta").join("")).toBe("Yes.");
    expect(ofType(told, "thinking-delta")).toEqual([]);
  });

  it("STREAM-03 tells it beside the words, or among them, where that is wanted", () => {
    const pieces = deltas("<think>hm</think>", "Yes.");
    const streamed = hear({ reasoning: "stream", blockBreak: "text_end" }, pieces);
    expect(ofType(streamed, "thinking-delta").join("")).toBe("hm");
    const shown = ofType(hear({ reasoning: "on", blockBreak: "text_end" }, pieces), "text-delta").join("");
    expect(shown).toMatch(/^> hm\n+Yes\.$/);
  });

  it("STREAM-04 cuts blocks where the settings say", () => {
    const told = hear({ reasoning: "off", blockBreak: "sentence" }, deltas("One. Tw", "o! Three"));
    expect(ofType(told, "block").map((block) => block.trim())).toEqual(["One.", "Two!", "Three"]);
  });

  it("reads the message that is stored by the same rules", () => {
    const { message, text: visible } = readReply(said([text("<think>hm</think>Yes.")]), "off");
    expect(message.content).toEqual([{ type: "thinking", thinking: "hm" }, text("Yes.")]);
    expect(visible).toBe("Yes.");
  });

  it("STREAM-03 takes back reasoning whose beginning was not marked, and only that", () => {
    const events: ModelEvent[] = [
      ...deltas("One."),
      { type: "text-delta", text: "Two." },
      { type: "thinking-delta", text: "hm" },
      { type: "text-delta", text: "They ask." },
      { type: "text-delta", text: "</think>Three." },
    ];
    const told = hear({ reasoning: "off", blockBreak: "text_end" }, events);
    expect(told.slice(-5)).toMatchObject([
      { type: "block", text: "Two." },
      { type: "text-delta", text: "They ask." },
      { type: "start-over" },
      { type: "text-delta", text: "Two." },
      { type: "text-delta", text: "Three." },
    ]);
    expect(readReply(said([text("They ask.</think>Three.")]), "off")).toMatchObject({
      message: { content: [{ type: "thinking", thinking: "They ask." }, text("Three.")] },
      text: "Three.",
    });
  });

  it("reads tags that reach over blocks, and keeps the blocks that were thought apart", () => {
    const thought = { type: "thinking" as const, thinking: "x", signature: "s" };
    expect(
      readReply(said([text("<think>secret"), thought, text("more</think>An"), text("swer")]), "off"),
    ).toMatchObject({
      message: {
        content: [
          { type: "thinking", thinking: "secret" },
          thought,
          { type: "thinking", thinking: "more" },
          text("Answer"),
        ],
      },
      text: "Answer",
    });
    expect(readReply(said([text("<thi"), text("nk>a</think>b")]), "off").text).toBe("b");
  });

  it("stores what the stream ended with, whatever the blocks", () => {
    const words = fc
      .array(
        fc.constantFrom(
          ..."<think>|</think>|<thi|nk>|<final>|`|```\n|\n\n|word |[[reply_to_current]]|[[| |a < b".split(
            "|",
          ),
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join(""));
    const blocks = fc.array(
      fc.oneof(
        words.map(text),
        words.map((thinking) => ({ type: "thinking" as const, thinking })),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(blocks, fc.constantFrom("off", "on", "stream"), (content, reasoning) => {
        const told = hear({ reasoning, blockBreak: "none" }, [
          ...content.map((block): ModelEvent =>
            block.type === "text"
              ? { type: "text-delta", text: block.text }
              : { type: "thinking-delta", text: block.thinking },
          ),
          { type: "end", message: said(content) },
        ]);
        const complete = told.find((event) => event.type === "complete");
        const streamed = complete?.assistantTexts.join("\n\n") ?? "";
        const stored = readReply(said(content), reasoning);
        expect(stored.text.trim()).toBe(streamed.trim());
        const since = told.slice(told.findLastIndex(({ type }) => type === "start-over") + 1);
        expect(ofType(since, "text-delta").join("")).toBe(complete?.assistantTexts.join(""));
        expect(stored.message.content.filter((block) => content.includes(block as never))).toEqual(
          expect.arrayContaining(content.filter(({ type }) => type === "thinking")),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("leaves a message without any of it exactly as it is", () => {
    const reply = said([{ type: "text", text: "a < b, and `<think>` is a tag", signature: "s" }]);
    expect(readReply(reply, "off").message).toEqual(reply);
  });

  it("LOOP-11 takes out what the answer says it answers", () => {
    expect(readReply(said([text("[[reply_to_current]] Yes.")]), "off")).toMatchObject({
      text: "Yes.",
      replyTo: "current",
    });
  });

  it("STREAM-03 a turn stores and shows the answer without the reasoning", async () => {
    const { run } = createTurnStage([{ text: "<think>they greet me</think>Hello!" }]);
    const conclusion = await run([asked]);
    expect(conclusion).toMatchObject({ type: "ended", ending: { type: "answered" } });
    expect(conclusion.type === "ended" && conclusion.last.content).toEqual([
      { type: "thinking", thinking: "they greet me" },
      text("Hello!"),
    ]);
  });

  it("says that there was no answer where all of it was reasoning", async () => {
    const { run } = createTurnStage([{ text: "<think>they greet me" }]);
    expect(await run([asked])).toMatchObject({ ending: { type: "model-failed" } });
  });

  it("STREAM-07 a follower gets text, blocks, reasoning, tools and the end, in order", async () => {
    const { run } = createTurnStage([
      { text: "<think>look first</think>One moment.", calls: [{ name: "look" }] },
      { text: "There." },
    ]);
    const told: TurnEvent[] = [];
    await run([asked], undefined, (event) => told.push(event), new Set(), {
      voice: { reasoning: "stream", blockBreak: "text_end" },
    });
    expect(told.map(({ type }) => type)).toEqual([
      "thinking-delta",
      "text-delta",
      "block",
      "tool-call",
      "end",
      "tool-call-start",
      "tool-call-end",
      "text-delta",
      "block",
      "complete",
      "end",
    ]);
    expect(told.find((event) => event.type === "complete")).toMatchObject({
      assistantTexts: ["One moment.", "There."],
      toolMetas: [{ name: "look", status: "done" }],
    });
  });
});
