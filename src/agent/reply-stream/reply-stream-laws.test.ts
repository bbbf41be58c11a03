import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown, walk } from "@pincer/sdk/markdown";
import type { BlockBreak } from "./block-breaker.ts";
import { createReplyStream, type ReasoningMode } from "./reply-stream.ts";

function outcome(deltas: string[], reasoning: ReasoningMode, blockBreak: BlockBreak) {
  const stream = createReplyStream({ reasoning, blockBreak });
  const all = [...deltas.flatMap((delta) => stream.push(delta)), ...stream.end()];
  // What was taken back is gone, together with the blocks that it was in.
  const events = all.slice(all.findLastIndex(({ type }) => type === "taken-back") + 1);
  const takenBack = all.flatMap((event) => (event.type === "taken-back" ? [event.text] : []));
  const textsOf = (type: "partial" | "block" | "reasoning") =>
    events.flatMap((event) => (event.type === type ? [event.text] : []));
  return {
    visible: textsOf("partial").join(""),
    streamed: textsOf("reasoning").join(""),
    blocks: textsOf("block"),
    takenBack,
    complete: events.at(-1),
  };
}

/** The same text in pieces, as long as `sizes` says over and over. */
function cut(text: string, sizes: number[]): string[] {
  const deltas: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    deltas.push(text.slice(at, at + size));
    at += size;
  }
  return deltas;
}

const fragments = [
  ..."<think> </think> <THINKING> </thinking> <final> </final> <reasoning> </thought> <thi < > [[reply_to_current]] [[reply_to:7]] [[ [ ]]".split(
    " ",
  ),
  ..."` `` ``` ```` ~~~ ```js \\ \\` ** * _ . ! ? … 。 ！” 」 e.g. 3.14 1. word Words 中文 é e\u0301 👨‍👩‍👧‍👦 😀 \ud83d".split(
    " ",
  ),
  ..." |\n|\n\n|\r\n|\r\n\r\n|\n```\n|\n~~~\n|\n```py\n|\n> |\n- |\n1. |\n    |\n> ```\n|\n- ```\n|\n# |\n<think>|\n</think>\n|\n<final>|< think\n>|<think a='b'>|<think a|`</think>`|\n---\n|\t| \n".split(
    "|",
  ),
];
const nasty = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((pieces) => pieces.join(""));
const plain = fc.string({ unit: "binary", maxLength: 200 });
const texts = fc.oneof({ weight: 4, arbitrary: nasty }, { weight: 1, arbitrary: plain });
const modes = fc.constantFrom<ReasoningMode>("off", "on", "stream");
const breaks = fc.constantFrom<BlockBreak>("text_end", "sentence", "paragraph", "none");
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

describe("the laws of the reply stream", () => {
  it("STREAM-02 gives the same words, reasoning and blocks however a text is cut, and the blocks are the words", () => {
    fc.assert(
      fc.property(texts, modes, breaks, sizes, (text, reasoning, blockBreak, pieces) => {
        const whole = outcome([text], reasoning, blockBreak);
        expect(outcome(cut(text, pieces), reasoning, blockBreak)).toEqual(whole);
        expect(outcome(cut(text, [1]), reasoning, blockBreak)).toEqual(whole);
        expect(whole.blocks.join("")).toBe(whole.visible);
        const texts = whole.complete?.type === "complete" ? whole.complete.assistantTexts : [];
        expect(texts.join("")).toBe(whole.visible);
      }),
      { numRuns: 1500 },
    );
  });

  it("STREAM-02 leaves a text without tags as it is", () => {
    fc.assert(
      fc.property(nasty, breaks, sizes, (text, blockBreak, pieces) => {
        const words = text.replaceAll(/<|\[/g, "(");
        const { visible, complete } = outcome(cut(words, pieces), "off", blockBreak);
        expect(visible).toBe(words.trim() === "" ? "" : words);
        expect(complete).toMatchObject({ reasoning: "", replyTo: undefined });
      }),
      { numRuns: 500 },
    );
  });

  it("STREAM-10 shows what follows the last closing tag, whatever code was left open before it", () => {
    const broken = nasty.map((text) => text.replaceAll(/<\s*\/?\s*final\s*>/gi, ""));
    fc.assert(
      fc.property(broken, sizes, (reasoning, pieces) => {
        const { visible } = outcome(cut(`<think>${reasoning}.</think>\n\nAnswer.`, pieces), "off", "none");
        expect(visible).toMatch(/Answer\.$/);
      }),
      { numRuns: 1000 },
    );
  });

  it("STREAM-04 never cuts code, as a Markdown parser sees it", () => {
    const block = fc.constantFrom(
      "One. Two words! Three?",
      "With `code. in` it. And ``more! ` of`` it.",
      "```js\na. B\n\nc! D\n```",
      "~~~\n`x. y\n\n~~~",
      "- item. One\n- item `a. b` two",
      "> said. So\n> it is",
      "1. first. One\n\n   ```\n   a. b\n\n   c\n   ```",
      "中文。`代码。代码`！完",
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), breaks, sizes, (parts, blockBreak, pieces) => {
        const text = parts.join("\n\n");
        const { blocks } = outcome(cut(text, pieces), "off", blockBreak);
        const ends = new Set<number>();
        blocks.reduce((at, each) => (ends.add(at), at + each.length), 0);
        walk(parseMarkdown(text), (node) => {
          if (node.type !== "code" && node.type !== "inlineCode") return;
          const [start = 0, end = 0] = [node.position?.start.offset, node.position?.end.offset];
          for (const at of ends) expect(at <= start || at >= end).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    [
      "prose",
      "Some words, `code` and a lone ` here; <b>html</b> [[x]] and so on.\n\n```js\nlet a = 1; // <think>\n```\n中文。好！\n",
    ],
    ["one endless sentence", "word after word "],
    ["one endless line of marks", "- "],
    ["one endless code block", "```\n"],
  ])(
    "takes time in proportion to the text, also for a million characters in deltas of three: %s",
    (_, passage) => {
      const length = 1_000_000;
      const text = passage.repeat(Math.ceil(length / passage.length)).slice(0, length);
      const stream = createReplyStream({ reasoning: "off", blockBreak: "sentence" });
      let visible = 0;
      let mostHeld = 0;
      const stretches: number[] = [];
      for (let at = 0, began = performance.now(); at < length; at += 3) {
        for (const event of stream.push(text.slice(at, at + 3)))
          if (event.type === "partial") visible += event.text.length;
        if (at % 999 === 0) mostHeld = Math.max(mostHeld, stream.state().deltaBuffer.length);
        if (at % 3000 === 2997) {
          stretches.push(performance.now() - began);
          began = performance.now();
        }
      }
      for (const event of stream.end()) if (event.type === "partial") visible += event.text.length;
      expect(visible).toBe(length);
      expect(mostHeld).toBeLessThan(300);
      // The shortest of many stretches of three thousand characters, in the second eighth and in the last: whatever else
      // the machine does only makes a stretch longer. Were any delta to look at all that came before, the late ones
      // would take about five times as long.
      const shortest = (from: number, to: number) => Math.min(...stretches.slice(from, to));
      expect(shortest(292, 333)).toBeLessThan(3 * shortest(42, 84));
    },
    60_000,
  );

  it("holds back no more than a paragraph's worth for a backtick or a tag that never closes", () => {
    for (const opening of ["`", "``` a ` ", "<", "[[reply_to:"]) {
      const stream = createReplyStream({ reasoning: "off", blockBreak: "none" });
      stream.push(opening);
      for (let at = 0; at < 3000; at++) stream.push("word ");
      expect(stream.state().deltaBuffer.length).toBeLessThan(2100);
    }
  });
});
