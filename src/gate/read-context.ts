/** Reads the context of a call from storage, so that a turn that resumes after a crash is judged alike. */
import {
  joinLabels,
  textOf,
  type Entry,
  type Label,
  type MessageEntry,
  type TextBlock,
  type Tool,
  type ToolCallBlock,
} from "@pincer/sdk";
import type { TenantStores } from "../storage/storage.ts";
import type { CallContext, ShownText, ToldByCall } from "./call-context.ts";
import { controlled, textsIn, type CallFacts } from "./call-facts.ts";
import { pageSource } from "./leaving/addresses-in.ts";
import {
  earlierTurns,
  isMarkCollapsed,
  nothingCollapsed,
  reopened,
  speakerOf,
  startsClean,
  type HandleSettings,
} from "./labels/earlier-turns.ts";
import { labelOfBlock, labelOfMark, labelOfMessage, type Speaker } from "./labels/entry-label.ts";

/** A turn whose calls are judged. */
export interface JudgedTurn {
  turnId: string;
  sessionId: string;
  firstSeq: number | null;
  /** The parts of the prompt, each with its label. */
  prompt(): readonly ShownText[];
  /** How its requests show earlier turns; undefined: whole. */
  handles(): HandleSettings | undefined;
  isOwners: boolean;
  isGroup: boolean;
  /** The most messages that a request may show. */
  maxMessages: number;
  tools: { find(name: string): Tool | undefined };
}

type View = Awaited<ReturnType<TenantStores["entries"]["view"]>>;

export interface ReadContextParts {
  stores: {
    entries: Pick<TenantStores["entries"], "view">;
    turns: Pick<TenantStores["turns"], "entries">;
  };
  /** The messages before each turn, read once. */
  views: WeakMap<JudgedTurn, Promise<View>>;
}

/** Old messages still count as read. */
const leastMessages = 400;

/** The state before `call`. Throws what the storage does. */
export async function readContext(
  { stores, views }: ReadContextParts,
  turn: JudgedTurn,
  call: Pick<ToolCallBlock, "id">,
): Promise<CallContext> {
  const limit = Math.max(leastMessages, turn.maxMessages);
  const reading =
    views.get(turn) ?? stores.entries.view(turn.sessionId, { before: turn.firstSeq ?? 0, limit });
  views.set(turn, reading);
  // A failed read is not cached.
  reading.catch(() => views.delete(turn));
  const [view, entries] = await Promise.all([reading, stores.turns.entries(turn.turnId)]);
  const present = entries.filter((entry): entry is MessageEntry => entry.type === "message");
  return contextOf(turn, { view, present }, call);
}

/** Pure. */
export function contextOf(
  turn: Pick<JudgedTurn, "prompt" | "handles" | "isOwners" | "isGroup" | "tools" | "sessionId">,
  { view, present: stored }: { view: View; present: readonly MessageEntry[] },
  call: Pick<ToolCallBlock, "id">,
): CallContext {
  const present = upTo(call.id, stored);
  const handles = turn.handles();
  const speaker = speakerOf(handles);
  const calls = callsOf(present);
  const shown = [
    ...turn.prompt(),
    ...shownHistory(view, present, handles),
    ...present.flatMap((entry) => shownEntry(entry, speaker, calls)),
  ];
  return {
    label: joinLabels(shown.map(({ label }) => label)),
    shown,
    typed: present.flatMap(typedWords),
    said: present.flatMap(saidBlocks),
    earlierWords: earlierWords(view, speaker),
    isOwners: turn.isOwners,
    isGroup: turn.isGroup,
    seen: view.said.flatMap((entry) => seenAnswer(entry, turn.sessionId)),
    pages: pagesIn(present, turn.tools),
    earlier: earlierEffects(present, turn.tools, call.id),
    earlierCalls: callsBefore([...view.said, ...present], turn.tools, call.id),
  };
}

/** What the model had been shown when it wrote the call: results of calls beside it came later. */
function upTo(callId: string, present: readonly MessageEntry[]): readonly MessageEntry[] {
  const at = present.findLastIndex((entry) => callsIn([entry]).some(({ id }) => id === callId));
  return at < 0 ? present : present.slice(0, at + 1);
}

/** What requests show of earlier turns: of those that read texts of others, the owner's words and what is opened. */
function shownHistory(
  { mark, said }: View,
  present: readonly MessageEntry[],
  handles: HandleSettings | undefined,
): ShownText[] {
  const speaker = speakerOf(handles);
  const earlier = startsClean(present, handles) ? earlierTurns(said, handles) : nothingCollapsed;
  const opened = handles && reopened(earlier, present, handles);
  const calls = callsOf(said);
  return [
    ...(mark && !isMarkCollapsed(mark, present, handles) ? markText(mark, labelOfMark(mark, speaker)) : []),
    ...said.flatMap((entry) => {
      const texts = shownEntry(entry, speaker, calls);
      return earlier.collapsed.has(entry) ? texts.filter(({ label }) => isClean(label)) : texts;
    }),
    ...(opened ? earlier.last.flatMap((entry) => reopenedTexts(entry, speaker, calls)) : []),
  ];
}

function markText(mark: Entry, label: Label): ShownText[] {
  const text =
    mark.type === "compaction"
      ? mark.summary
      : mark.type === "anchor"
        ? JSON.stringify(mark.state ?? {})
        : mark.type === "event"
          ? String(mark.data["summary"] ?? "")
          : "";
  return text === ""
    ? []
    : [{ text, origin: label.untrusted ? "summary" : "system", from: "a summary", label }];
}

const reopenedTexts = (entry: MessageEntry, speaker: Speaker, calls: MadeCalls): ShownText[] => {
  const { message } = entry;
  if (message.role !== "assistant") return shownEntry(entry, speaker, calls);
  const label = labelOfMessage(message, speaker);
  return [{ text: textOf(message), origin: "session", from: "the last answer", label }];
};

/** Words that the owner typed, and answers written untainted. */
const earlierWords = ({ said }: View, speaker: Speaker): string[] => {
  const { collapsed } = earlierTurns(said);
  return said.flatMap((entry) => [
    ...typedWords(entry),
    ...(collapsed.has(entry) || labelOfMessage(entry.message, speaker).untrusted ? [] : answerWords(entry)),
  ]);
};

const answerWords = ({ message }: MessageEntry): string[] => {
  const text = message.role === "assistant" ? textOf(message) : "";
  return text === "" ? [] : [text];
};

const isClean = ({ untrusted, sources }: Label): boolean => !untrusted && sources.length === 0;

/** By id: what was called, and whether strangers had a say in it. */
type MadeCalls = ReadonlyMap<string, Pick<ToldByCall, "texts" | "isTainted">>;

const callsOf = (entries: readonly MessageEntry[]): MadeCalls =>
  new Map(
    entries.flatMap(({ message }) =>
      message.role === "assistant"
        ? message.content.flatMap((block) =>
            block.type === "toolCall"
              ? [
                  [
                    block.id,
                    {
                      texts: Object.values(block.arguments).flatMap(textsIn),
                      isTainted: message.label?.untrusted ?? true,
                    },
                  ],
                ]
              : [],
          )
        : [],
    ),
  );

/** The texts of one stored message, as the model was shown them. Pure. */
function shownEntry({ message }: MessageEntry, speaker: Speaker, calls: MadeCalls): ShownText[] {
  if (message.role === "assistant") {
    // Its own words come from what it was shown; what a caller says was answered is the caller's.
    if (message.origin === undefined) return [];
    const told = message.content.map((block) =>
      block.type === "text"
        ? block.text
        : block.type === "thinking"
          ? block.thinking
          : JSON.stringify(block.arguments),
    );
    const { origin, from = "" } = message;
    const label = labelOfMessage(message, speaker);
    return told.map((text) => ({ text, origin, from, label }));
  }
  if (message.role === "toolResult") {
    const { origin = "tool", toolName, from = toolName, isError: isFailure } = message;
    const { texts, isTainted } = calls.get(message.toolCallId) ?? { texts: [], isTainted: true };
    const told = { texts, isTainted, isFailure };
    return [{ text: textOf(message), origin, from, label: labelOfMessage(message, speaker), told }];
  }
  return message.content.map((block) => {
    const label = labelOfBlock(block, speaker);
    // Nobody here has read the text in a picture.
    if (block.type !== "text") return { text: "[picture]", origin: "quoted", from: "a picture", label };
    const { text, origin = "system", from = "" } = block;
    return { text, origin, from, label };
  });
}

/** What a person surely typed: no paste, no pipe, no program. */
const typedWords = (entry: MessageEntry): string[] =>
  saidBlocks(entry)
    .filter(({ pasted }) => pasted === undefined)
    .map(({ text }) => text);

/** What the owner said, with what was pasted into it. */
function saidBlocks({ message }: MessageEntry): TextBlock[] {
  if (message.role !== "user") return [];
  return message.content.filter(
    (block) =>
      block.type === "text" &&
      block.typed !== false &&
      (block.origin === "owner" || block.pasted === "certain"),
  ) as TextBlock[];
}

/** Answers that were delivered: the owner read them in full. */
function seenAnswer({ message, seq }: MessageEntry, sessionId: string): CallContext["seen"][number][] {
  if (message.role !== "assistant" || message.content.some(({ type }) => type === "toolCall")) return [];
  if (message.stopReason !== "stop") return [];
  const text = textOf(message);
  return text === "" ? [] : [{ source: `answer:${sessionId}#${seq}`, text }];
}

function pagesIn(
  present: readonly MessageEntry[],
  tools: JudgedTurn["tools"],
): CallContext["pages"][number][] {
  const calls = callsIn(present);
  return present.flatMap(({ message }) => {
    if (message.role !== "toolResult") return [];
    const call = calls.find(({ id }) => id === message.toolCallId);
    const tool = call && tools.find(call.name);
    if (!call || tool?.effect !== "read") return [];
    const text = textOf(message);
    return controlled({ controls: tool.controls, arguments: call.arguments }, "url").flatMap(({ value }) => {
      const source = pageSource(value);
      return source === undefined ? [] : [{ source, text }];
    });
  });
}

/**
 * Calls with effects before this one that were not refused. Those of the same answer that come first count too: they
 * run side by side.
 */
function earlierEffects(
  present: readonly MessageEntry[],
  tools: JudgedTurn["tools"],
  callId: string,
): CallFacts[] {
  const failed = new Set(
    present.flatMap(({ message }) =>
      message.role === "toolResult" && message.isError ? [message.toolCallId] : [],
    ),
  );
  return callBlocks(present, callId).flatMap((block) => {
    const tool = tools.find(block.name);
    if (!tool || tool.effect !== "act" || failed.has(block.id)) return [];
    const { name, effect, controls, leaves } = tool;
    return [{ tool: name, effect, controls, leaves, arguments: block.arguments }];
  });
}

const callsBefore = (
  entries: readonly MessageEntry[],
  tools: JudgedTurn["tools"],
  callId: string,
): CallContext["earlierCalls"] =>
  callBlocks(entries, callId).map(({ name, arguments: given }) => ({
    controls: tools.find(name)?.controls ?? {},
    arguments: given,
  }));

const callsIn = (entries: readonly MessageEntry[]): ToolCallBlock[] =>
  entries.flatMap(({ message }) =>
    message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [],
  );

function callBlocks(entries: readonly MessageEntry[], callId: string): ToolCallBlock[] {
  const calls = callsIn(entries);
  const at = calls.findLastIndex(({ id }) => id === callId);
  return at < 0 ? calls : calls.slice(0, at);
}
