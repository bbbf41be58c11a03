/**
 * What a model says, on its way to people: deltas go in, and words, blocks, reasoning and tool states come out. A pure machine: it
 * knows no clock and does nothing by itself. However the same text is cut into deltas, the same comes out, and the blocks of a text
 * together are its visible words.
 *
 * A closing tag of reasoning that nothing opened makes reasoning of what stood before it in its text, though that has been shown.
 */
import { createBlockBreaker, type BlockBreak } from "./block-breaker.ts";
import type { InlineCodeState } from "./inline-code-state.ts";
import { createReasoningText } from "./reasoning-text.ts";
import type { ReplyTarget } from "./tags.ts";
import { createTextReader, type TextReader } from "./text-reader.ts";
import { createToolMetas, type ToolCallEnd, type ToolCallStart, type ToolMeta } from "./tool-metas.ts";
import { createVisibleText } from "./visible-text.ts";

/** off: left out; on: shown as a quotation before what it led to; stream: told as events of its own. */
export type ReasoningMode = "off" | "on" | "stream";

export type ReplyEvent =
  /** More of the visible words of the present text. */
  | { type: "partial"; text: string }
  | { type: "block"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool"; meta: ToolMeta }
  /** The visible words of the present text so far, which turned out to be reasoning; blocks of it may have gone out. */
  | { type: "taken-back"; text: string }
  /** The words since the request began count no more; blocks of it may have gone out. */
  | { type: "start-over" }
  | ReplySummary;

export interface ReplySummary {
  type: "complete";
  /** One for each text, without blank ones: a tool call or thinking between them ends one. */
  assistantTexts: string[];
  toolMetas: ToolMeta[];
  /** All of it, whatever the mode. */
  reasoning: string;
  /** What the reply tags said; a named message counts more than the current one. */
  replyTo: ReplyTarget | undefined;
}

export interface ReplyStreamState {
  assistantTexts: string[];
  toolMetas: ToolMeta[];
  /** Words that are held back, because what follows decides what they are. */
  deltaBuffer: string;
  /** Visible words that are in no block yet. */
  blockBuffer: string;
  blockState: { thinking: boolean; final: boolean; inlineCode: InlineCodeState };
  /** What the turn has sent by calling tools. */
  messagingToolSentTexts: string[];
}

export interface ReplyStreamOptions {
  reasoning: ReasoningMode;
  blockBreak: BlockBreak;
  /** The words that a call which went well has sent to somebody; undefined for calls that send none. */
  sentTextOf?: (call: ToolCallStart) => string | undefined;
}

/** No method throws; after `end` all of them answer with no events. */
export interface ReplyStream {
  push(delta: string): ReplyEvent[];
  /** Reasoning that came apart from the text; tags mean nothing in it. */
  thinking(delta: string): ReplyEvent[];
  /** The model asks for a call; the text before it is over. */
  toolCall(call: ToolCallStart): ReplyEvent[];
  /** The call begins, announced or not; the request that made it is over. */
  toolStart(call: ToolCallStart): ReplyEvent[];
  toolEnd(end: ToolCallEnd): ReplyEvent[];
  /** Forgets what was said since the request began, and the calls that did not begin. */
  startOver(): ReplyEvent[];
  end(): ReplyEvent[];
  state(): ReplyStreamState;
}

export function createReplyStream(options: ReplyStreamOptions): ReplyStream {
  const tools = createToolMetas();
  const assistantTexts: string[] = [];
  const sentTexts: string[] = [];
  const reasoning = createReasoningText({
    show(text) {
      if (options.reasoning === "stream") tell({ type: "reasoning", text });
      if (options.reasoning === "on") shownNow().visible.quote(text);
    },
    ended: () => shown?.visible.quoteEnd(),
  });
  let events: ReplyEvent[] = [];
  // Of the present text. Made when something of it comes: most answers are one text, and after the last there is none.
  let shown: ReturnType<typeof openShown> | undefined;
  let reader: TextReader | undefined;
  /** The reasoning that was there before it. */
  let passagesBefore = 0;
  let replyTo: ReplyTarget | undefined;
  /** Half of a character, waiting for the other. */
  let half = "";
  let request = { texts: 0, passages: 0, replyTo };
  let isOver = false;

  function tell(event: ReplyEvent): void {
    const last = events.at(-1);
    if (last && last.type === event.type && (last.type === "partial" || last.type === "reasoning"))
      events[events.length - 1] = { ...last, text: last.text + (event as typeof last).text };
    else events.push(event);
  }

  const shownNow = () => (shown ??= openShown());
  const readerNow = () => (reader ??= openReader());
  const saidNow = () => shown?.said() ?? "";

  function beginText(): void {
    shown = undefined;
    reader = undefined;
    passagesBefore = reasoning.count();
  }

  /** What people see of the present text. */
  function openShown() {
    let said = "";
    const breaker = createBlockBreaker(options.blockBreak, (text) => tell({ type: "block", text }));
    const visible = createVisibleText({
      show(words) {
        if (words === "") return;
        said += words;
        tell({ type: "partial", text: words });
      },
      sort: breaker.write,
    });
    return { visible, breaker, said: () => said };
  }

  function openReader(): TextReader {
    const passages = passagesBefore;
    let words = "";
    return createTextReader({
      visible(text, isCode) {
        words += text;
        shownNow().visible.write(text, isCode);
      },
      undecided(text) {
        words += text;
        shownNow().visible.writeUndecided(text);
      },
      decided: (text, isCode) => shownNow().visible.decide(text, isCode),
      reasoningBefore() {
        const thought = words;
        words = "";
        if (thought.trim() === "") return;
        tell({ type: "taken-back", text: saidNow() });
        shown = openShown();
        for (const passage of options.reasoning === "on" ? reasoning.since(passages) : []) {
          shown.visible.quote(passage);
          shown.visible.quoteEnd();
        }
        reasoning.write(thought);
        reasoning.end();
      },
      reasoning: (text) => reasoning.write(text),
      reasoningEnd: () => reasoning.end(),
      replyTo(target) {
        if (target !== "current" || replyTo === undefined) replyTo = target;
      },
      seam: () => shownNow().visible.seam(),
      isAtLineStart: () => shownNow().visible.isAtLineStart(),
    });
  }

  function endText(): void {
    if (half !== "") readerNow().push(half);
    half = "";
    reader?.end();
    reasoning.end();
    const rest = shown?.breaker.flush() ?? "";
    if (saidNow() !== "") assistantTexts.push(saidNow());
    if (rest !== "" && options.blockBreak !== "none") tell({ type: "block", text: rest });
    beginText();
  }

  /** The answers of the model so far are settled: what follows belongs to its next request. */
  function settle(): void {
    endText();
    request = { texts: assistantTexts.length, passages: reasoning.count(), replyTo };
  }

  const telling =
    <Input extends unknown[]>(work: (...input: Input) => void) =>
    (...input: Input): ReplyEvent[] => {
      if (isOver) return [];
      events = [];
      work(...input);
      return events;
    };
  const tellTool = (meta: ToolMeta | undefined): void => {
    if (meta) tell({ type: "tool", meta: { ...meta } });
  };

  /** Which of the two ways the model is speaking: the other begins a new passage. */
  let speaking: "text" | "thinking" = "text";

  return {
    push: telling((delta) => {
      if (delta === "") return;
      if (speaking === "thinking") reasoning.end();
      speaking = "text";
      const whole = half + delta;
      half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? "";
      readerNow().push(half === "" ? whole : whole.slice(0, -1));
    }),
    thinking: telling((delta) => {
      if (delta === "") return;
      // A text that has begun is over; one that has not may begin with this reasoning as a quotation.
      if (speaking === "text" && (saidNow() !== "" || (reader?.held() ?? "") !== "")) endText();
      speaking = "thinking";
      reasoning.write(delta);
    }),
    toolCall: telling((call) => {
      endText();
      tellTool(tools.call(call));
    }),
    toolStart: telling((call) => {
      settle();
      tellTool(tools.start(call));
    }),
    toolEnd: telling((end) => {
      settle();
      const meta = tools.end(end);
      const sent = meta?.status === "done" ? options.sentTextOf?.(meta) : undefined;
      if (sent !== undefined) sentTexts.push(sent);
      tellTool(meta);
    }),
    startOver: telling(() => {
      half = "";
      assistantTexts.length = request.texts;
      reasoning.forget(request.passages);
      beginText();
      replyTo = request.replyTo;
      tools.dropPending();
      tell({ type: "start-over" });
    }),
    end: telling(() => {
      settle();
      const whole = assistantTexts.join("\n\n");
      if (options.blockBreak === "none" && whole !== "") tell({ type: "block", text: whole });
      tell({
        type: "complete",
        assistantTexts: [...assistantTexts],
        toolMetas: tools.all(),
        reasoning: reasoning.text(),
        replyTo,
      });
      isOver = true;
    }),
    state: () => ({
      assistantTexts: [...assistantTexts],
      toolMetas: tools.all(),
      deltaBuffer: (reader?.held() ?? "") + half,
      blockBuffer: shown?.breaker.buffer() ?? "",
      blockState: readerNow().state(),
      messagingToolSentTexts: [...sentTexts],
    }),
  };
}
