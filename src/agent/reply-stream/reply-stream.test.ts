import { describe, expect, it } from "vitest";
import type { BlockBreak } from "./block-breaker.ts";
import { createReplyStream, type ReasoningMode, type ReplyEvent } from "./reply-stream.ts";

function run(deltas: string[], reasoning: ReasoningMode = "off", blockBreak: BlockBreak = "text_end") {
  const stream = createReplyStream({ reasoning, blockBreak });
  const events = [...deltas.flatMap((delta) => stream.push(delta)), ...stream.end()];
  return summarise(events);
}

function summarise(events: ReplyEvent[]) {
  const textsOf = (type: "partial" | "block" | "reasoning") =>
    events.flatMap((event) => (event.type === type ? [event.text] : []));
  const complete = events.find((event) => event.type === "complete");
  return {
    partials: textsOf("partial"),
    visible: textsOf("partial").join(""),
    blocks: textsOf("block"),
    streamed: textsOf("reasoning").join(""),
    texts: complete?.assistantTexts ?? [],
    reasoning: complete?.reasoning ?? "",
    replyTo: complete?.replyTo,
  };
}

const characters = (text: string) => Array.from({ length: text.length }, (_, at) => text.charAt(at));

describe("the reply stream", () => {
  it("STREAM-08 tracks code over five deltas", () => {
    const stream = createReplyStream({ reasoning: "off", blockBreak: "text_end" });
    const after = (delta: string) => {
      stream.push(delta);
      return stream.state().blockState.inlineCode;
    };
    expect(after("Here is some `cod")).toEqual({ inCodeSpan: true, inCodeBlock: false, backtickCount: 1 });
    expect(after("e` in the text")).toEqual({ inCodeSpan: false, inCodeBlock: false, backtickCount: 0 });
    const inPython = { inCodeSpan: false, inCodeBlock: true, codeBlockLang: "python", backtickCount: 3 };
    expect(after("\n```python\ndef")).toEqual(inPython);
    expect(after(" hello():\n  pass\n")).toEqual(inPython);
    expect(after("```\nDone!")).toEqual({ inCodeSpan: false, inCodeBlock: false, backtickCount: 0 });
    expect(summarise(stream.end()).texts).toEqual([
      "Here is some `code` in the text\n```python\ndef hello():\n  pass\n```\nDone!",
    ]);
  });

  it("STREAM-01 shows its state: texts, tools, both buffers, the block state and what tools have sent", () => {
    const stream = createReplyStream({
      reasoning: "off",
      blockBreak: "sentence",
      sentTextOf: ({ name, input }) => (name === "message" ? (input as { text: string }).text : undefined),
    });
    stream.push("Hello world");
    stream.toolCall({ id: "1", name: "message", input: { text: "Hi, all" } });
    stream.toolStart({ id: "1", name: "message", input: { text: "Hi, all" } });
    stream.toolEnd({ id: "1", result: "sent" });
    stream.push("<final>One. Two <thi");
    expect(stream.state()).toEqual({
      assistantTexts: ["Hello world"],
      toolMetas: [{ id: "1", name: "message", input: { text: "Hi, all" }, status: "done", result: "sent" }],
      deltaBuffer: "<thi",
      blockBuffer: "Two ",
      blockState: {
        thinking: false,
        final: true,
        inlineCode: { inCodeSpan: false, inCodeBlock: false, backtickCount: 0 },
      },
      messagingToolSentTexts: ["Hi, all"],
    });
    stream.push("nk>");
    expect(stream.state().blockState.thinking).toBe(true);
  });

  it("STREAM-02 recognises a tag however it is cut, and never shows a piece of it", () => {
    const text = "Before < THINK >secret</thinking > after <final>42</final>!";
    for (const deltas of [
      [text],
      characters(text),
      ["Before < TH", "INK >sec", "ret</thin", "king > after <f", "inal>42</final>!"],
    ]) {
      const { partials, visible, reasoning } = run(deltas);
      expect(visible).toBe("Before after 42!");
      expect(reasoning).toBe("secret");
      expect(partials.join("|")).not.toMatch(/[<>]/);
    }
  });

  it("STREAM-02 hands on at once what only looks like the beginning of a tag", () => {
    const stream = createReplyStream({ reasoning: "off", blockBreak: "none" });
    expect(stream.push("a < b, x<thi")).toEqual([{ type: "partial", text: "a < b, x" }]);
    expect(stream.push("s")).toEqual([{ type: "partial", text: "<this" }]);
    expect(stream.push("[")).toEqual([]);
    expect(stream.push("link](x)")).toEqual([{ type: "partial", text: "[link](x)" }]);
  });

  it.each(["think", "thinking", "thought", "reasoning"])("STREAM-02 knows <%s>", (name) => {
    expect(run([`<${name}>why</${name}>because`])).toMatchObject({ visible: "because", reasoning: "why" });
  });

  it("STREAM-03 leaves reasoning out, shows it, or streams it", () => {
    const text = "Let me see.\n\n<think>analysing\nthe problem</think>\n\nDone.";
    expect(run([text], "off")).toMatchObject({ visible: "Let me see.\n\nDone.", streamed: "" });
    expect(run([text], "on")).toMatchObject({
      visible: "Let me see.\n\n> analysing\n> the problem\n\nDone.",
      streamed: "",
    });
    expect(run([text], "stream")).toMatchObject({
      visible: "Let me see.\n\nDone.",
      streamed: "analysing\nthe problem",
    });
    for (const mode of ["off", "on", "stream"] as const)
      expect(run([text], mode).reasoning).toBe("analysing\nthe problem");
  });

  it("STREAM-03 treats reasoning that came apart from the text in the same three ways", () => {
    const through = (mode: ReasoningMode) => {
      const stream = createReplyStream({ reasoning: mode, blockBreak: "text_end" });
      return summarise([
        ...stream.thinking("first <final>"),
        ...stream.thinking(" thoughts"),
        ...stream.push("Answer."),
        ...stream.thinking("second"),
        ...stream.push("More."),
        ...stream.end(),
      ]);
    };
    const reasoning = "first <final> thoughts\n\nsecond";
    expect(through("off")).toMatchObject({ blocks: ["Answer.", "More."], streamed: "", reasoning });
    expect(through("stream").streamed).toBe("first <final> thoughtssecond");
    expect(through("on").blocks).toEqual(["> first <final> thoughts\n\nAnswer.", "> second\n\nMore."]);
  });

  it("STREAM-03 shows nothing of reasoning that is never closed", () => {
    expect(run(["Hm. <think>I had better not s"])).toMatchObject({
      visible: "Hm. ",
      reasoning: "I had better not s",
    });
    expect(run(["<think>all of it"])).toMatchObject({ visible: "", blocks: [], texts: [] });
  });

  it("STREAM-03 takes back what stood before a closing tag that nothing opened, though it was shown already", () => {
    const stream = createReplyStream({ reasoning: "off", blockBreak: "text_end" });
    expect(stream.push("They want 4.\n")).toEqual([{ type: "partial", text: "They want 4.\n" }]);
    expect(stream.push("</think>\n\nFour.")).toEqual([
      { type: "taken-back", text: "They want 4.\n" },
      { type: "partial", text: "Four." },
    ]);
    expect(summarise(stream.end())).toMatchObject({
      blocks: ["Four."],
      texts: ["Four."],
      reasoning: "They want 4.",
    });
    expect(run(["<think>a<think>b</think>c</think>d"])).toMatchObject({
      texts: ["d"],
      reasoning: "a<think>b\n\nc",
    });
    expect(run(["<think>a</think>b</think>c"], "on").texts).toEqual(["> a\n\n> b\n\nc"]);
    expect(run(["a</think>b"], "stream")).toMatchObject({ texts: ["b"], streamed: "a" });
    expect(run(["\n</think>\n\nFour."])).toMatchObject({ visible: "Four.", reasoning: "" });
  });

  it("STREAM-02 knows tags with attributes, however they are cut", () => {
    for (const tag of [
      '<think type="x">',
      "< Thinking a='b c' d = e >",
      '<think type="a > b">'.replace(">", ""),
    ])
      for (const deltas of [[`${tag}why</think>So.`], characters(`${tag}why</think>So.`)])
        expect(run(deltas)).toMatchObject({ visible: "So.", reasoning: "why" });
    const words = 'I was <thinking about> it, <think a, <think a="<b>, and <thinker a="b"> too';
    expect(run(characters(words))).toMatchObject({ visible: words, reasoning: "" });
  });

  it("STREAM-03 ends reasoning at an answer on a line of its own, not at one that is mentioned", () => {
    expect(run(["<think>I use the <final> tag.\n<final>Yes.</final>"])).toMatchObject({
      visible: "Yes.",
      reasoning: "I use the <final> tag.",
    });
  });

  it("STREAM-10 takes tags in code for text", () => {
    for (const text of [
      "Write `<think>` and `` a`</think> ``.",
      "```html\n<think>x</think>\n[[reply_to_current]]\n```\nthere",
      "- item\n\n  ~~~\n  <final>\n  ~~~\n",
      "> ```\n> <think>\n> ```\n",
      "never closed:\n```\n<think>",
      "escaped \\<think> it is",
    ])
      expect(run(characters(text))).toMatchObject({ visible: text, reasoning: "" });
    expect(run(["<think>the tag `</think>` and\n```\n</think>\n```\nof course</think>Yes"])).toMatchObject({
      visible: "Yes",
      reasoning: "the tag `</think>` and\n```\n</think>\n```\nof course",
    });
  });

  it("STREAM-10 knows where a code block ends: at its own marks, or with the quotation around it", () => {
    expect(run(["> ```\n> a\n<think>b</think>c"])).toMatchObject({
      visible: "> ```\n> a\nc",
      reasoning: "b",
    });
    expect(run(["- ```\n  a\n  ```\n<think>b</think>c"])).toMatchObject({ visible: "- ```\n  a\n  ```\nc" });
    expect(run(["1. - ```\n     a\n     ```\n<think>b</think>c"])).toMatchObject({ reasoning: "b" });
    const open = "````\n```\n~~~~\n    ````\n````x\n<think>b</think>";
    expect(run([open])).toMatchObject({ visible: open, reasoning: "" });
  });

  it("STREAM-10 does not take a lone backtick for code", () => {
    expect(run(["a ` here\n\n<think>b ` c</think>d"])).toMatchObject({
      visible: "a ` here\n\nd",
      reasoning: "b ` c",
    });
    expect(run(["a ` here <think>b</think>d"])).toMatchObject({ visible: "a ` here d", reasoning: "b" });
    expect(run(["a \\` here <think>b</think>` d"])).toMatchObject({ visible: "a \\` here ` d" });
    expect(run(["- one `\n- two <think>b</think>`"])).toMatchObject({ visible: "- one `\n- two `" });
  });

  it("STREAM-10 does not let a code block that is never closed swallow the answer after reasoning", () => {
    expect(run(["<think>try\n```\nlet a</think>\n\nThe answer."])).toMatchObject({
      visible: "The answer.",
      reasoning: "try\n```\nlet a",
    });
    for (const answer of ["Here:\n\n```python\nprint(2)\n```\n\nDone.", "Here:\n```\nx\n```\nmore"])
      for (const deltas of [[answer], characters(answer)])
        expect(run(["<think>\nPlan:\n```python\nprint(1)\n</think>\n", ...deltas])).toMatchObject({
          visible: answer,
          reasoning: "Plan:\n```python\nprint(1)",
        });
    expect(run(["<think>\nso\n```</think>\nYes."])).toMatchObject({ visible: "Yes.", reasoning: "so\n```" });
  });

  it("STREAM-10 does not let a backtick that is never closed swallow the answer after reasoning", () => {
    for (const [reasoning, answer] of [
      ["They ask about `ls, which lists files.", "Use `ls -la` for that."],
      ["use ` here", "Answer `x` done"],
      ["use `", "`ls` lists files"],
      ["a `b ", "Answer with ` tick and more words"],
      ["so \\", "Yes."],
    ] as const) {
      const text = `<think>${reasoning}</think>${answer}`;
      for (const deltas of [[text], characters(text)])
        expect(run(deltas)).toMatchObject({ visible: answer, reasoning: reasoning.trim() });
    }
    const stream = createReplyStream({ reasoning: "off", blockBreak: "none" });
    expect(stream.push("<think>use ` here</think>Answer")).toEqual([{ type: "partial", text: "Answer" }]);
  });

  it("shows what follows a lone backtick at once, as far as no tag is in it", () => {
    const stream = createReplyStream({ reasoning: "off", blockBreak: "sentence" });
    expect(stream.push("a ` be. See <b> [d] ")).toEqual([{ type: "partial", text: "a ` be. See <b> [d] " }]);
    expect(stream.push("e <think>")).toEqual([{ type: "partial", text: "e " }]);
    expect(stream.push("f")).toEqual([]);
    expect(stream.push(".\n\nG")).toEqual([{ type: "block", text: "a ` be. " }]);
    expect(summarise(stream.end()).texts).toEqual(["a ` be. See <b> [d] e "]);
    const code = createReplyStream({ reasoning: "off", blockBreak: "sentence" });
    expect(code.push("a `be. See <think>")).toEqual([{ type: "partial", text: "a `be. See " }]);
    expect(code.push("` D")).toEqual([{ type: "partial", text: "<think>` D" }]);
    expect(summarise(code.end()).blocks).toEqual(["a `be. See <think>` D"]);
  });

  it("STREAM-04 breaks at the end of texts, of sentences, of paragraphs, or not at all", () => {
    const text = "One. Two!\n\nThree?";
    expect(run([text], "off", "text_end").blocks).toEqual([text]);
    expect(run([text], "off", "sentence").blocks).toEqual(["One. ", "Two!\n\n", "Three?"]);
    expect(run([text], "off", "paragraph").blocks).toEqual(["One. Two!\n\n", "Three?"]);
    expect(run([text], "off", "none").blocks).toEqual([text]);
  });

  it("STREAM-04 ends a text at a tool call, and keeps all of them for the end with none", () => {
    const through = (blockBreak: BlockBreak) => {
      const stream = createReplyStream({ reasoning: "off", blockBreak });
      const call = { id: "a", name: "read", input: {} };
      const before = [...stream.push("I look."), ...stream.toolCall(call)];
      const after = [...stream.toolStart(call), ...stream.toolEnd({ id: "a", result: 1 })];
      return [before, after, stream.push("Here."), stream.end()].map((events) => summarise(events).blocks);
    };
    expect(through("text_end")).toEqual([["I look."], [], [], ["Here."]]);
    expect(through("none")).toEqual([[], [], [], ["I look.\n\nHere."]]);
  });

  it("STREAM-04 knows where a sentence does not end", () => {
    const whole = [
      "It is 3.14 or so, e.g. this, i.e. that, by Dr. J. Smith.",
      "See https://example.org/a.b?c=d!e for more.",
      "Call `a. b` and ``c! d`` now.",
      "1. first",
    ];
    for (const text of whole) expect(run([text], "off", "sentence").blocks).toEqual([text]);
    expect(run(['He said "No." She left… (Why?) **Well.** So'], "off", "sentence").blocks).toEqual([
      'He said "No." ',
      "She left… ",
      "(Why?) ",
      "**Well.** ",
      "So",
    ]);
  });

  it("STREAM-04 knows the ends of Chinese sentences, with their closing quotes", () => {
    expect(run(["他说：“好。”然后走了！真的？！**重要。**好。*也许。*完"], "off", "sentence").blocks).toEqual(
      ["他说：“好。”", "然后走了！", "真的？！", "**重要。**", "好。", "*也许。*", "完"],
    );
  });

  it("STREAM-04 never breaks within code", () => {
    const code = "```js\nfirst. Second.\n\nthird! Fourth?\n```";
    for (const mode of ["sentence", "paragraph"] as const)
      expect(run(characters(`Look.\n\n${code}\n\nDone.`), "off", mode).blocks).toEqual([
        "Look.\n\n",
        `${code}\n\n`,
        "Done.",
      ]);
    expect(run(["- a\n\n      code\n\n      more\n\nend"], "off", "paragraph").blocks).toEqual([
      "- a\n\n      code\n\n      more\n\n",
      "end",
    ]);
  });

  it("LOOP-11 takes reply tags out, and shows no half of one", () => {
    const { visible, replyTo, partials } = run(
      characters("[[reply_to_current]] Sure [[a]] [[ reply_to: 17 ]]!"),
    );
    expect(visible).toBe("Sure [[a]] !");
    expect(replyTo).toEqual({ id: "17" });
    expect(partials).not.toContain("[");
    expect(run(["<think>[[reply_to_current]]</think>Hi"]).replyTo).toBeUndefined();
    const long = `[[reply_to:${"x".repeat(80)}`;
    const stream = createReplyStream({ reasoning: "off", blockBreak: "none" });
    expect(stream.push(long)).toEqual([{ type: "partial", text: long }]);
  });

  it("STREAM-05 follows each call from pending to running to done or error", () => {
    const stream = createReplyStream({ reasoning: "off", blockBreak: "text_end" });
    const call = { id: "a", name: "exec", input: { command: "ls" } };
    expect(stream.toolCall(call)).toEqual([{ type: "tool", meta: { ...call, status: "pending" } }]);
    expect(stream.toolCall(call)).toEqual([]);
    expect(stream.toolStart(call)).toEqual([{ type: "tool", meta: { ...call, status: "running" } }]);
    expect(stream.toolStart(call)).toEqual([]);
    expect(stream.toolEnd({ id: "a", result: "x" })).toEqual([
      { type: "tool", meta: { ...call, status: "done", result: "x" } },
    ]);
    expect(stream.toolEnd({ id: "a", result: "y" })).toEqual([]);
    // The same id in a later step is another call; one that was never announced begins all the same.
    stream.toolStart(call);
    stream.toolEnd({ id: "a", result: undefined, error: "no such file" });
    expect(stream.state().toolMetas.map(({ status }) => status)).toEqual(["done", "error"]);
    expect(stream.toolEnd({ id: "unknown", result: 1 })).toEqual([]);
  });

  it("forgets what was said since the request began when the model starts over", () => {
    const stream = createReplyStream({ reasoning: "stream", blockBreak: "text_end" });
    const call = { id: "a", name: "read", input: {} };
    stream.push("<think>one</think>[[reply_to:1]]I look.");
    stream.toolCall(call);
    stream.toolStart(call);
    stream.toolEnd({ id: "a", result: 1 });
    stream.push("[[reply_to:2]]Half an ans");
    stream.thinking("two");
    stream.push("`wer");
    stream.toolCall({ ...call, id: "b" });
    expect(stream.startOver()).toEqual([{ type: "start-over" }]);
    stream.push("Whole.");
    expect(stream.end().at(-1)).toMatchObject({
      type: "complete",
      assistantTexts: ["I look.", "Whole."],
      toolMetas: [{ id: "a" }],
      reasoning: "one",
      replyTo: { id: "1" },
    });
    expect([...stream.push("late"), ...stream.end()]).toEqual([]);
  });
});
