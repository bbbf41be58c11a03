/**
 * What a model was shown, as spans. Read from the stored entries of its session, so that a restart changes nothing.
 */
import type { AnchorEntryBody, AssistantMessage, Entry, MessageEntry, Origin, TextBlock } from "@pincer/sdk";
import { ownWords } from "./own-words.ts";
import type { Span } from "./span.ts";

export interface ReadSpans {
  /** Our own parts of the prompt. */
  prompt: string;
  /** Parts of the prompt by others: skills, summaries. */
  others?: ReadonlyArray<{ origin: Origin; text: string }> | undefined;
  /** Where the shown history begins: a summary, a handoff, or what another session left. */
  mark: Entry | undefined;
  /** Before the turn. */
  said: readonly MessageEntry[];
  /** Of the turn. */
  turn: readonly MessageEntry[];
}

/** Excludes the model's own words, which all come from elsewhere. Pure. */
export function readSpans({ prompt, others = [], mark, said, turn }: ReadSpans): Span[] {
  const spans: Array<Omit<Span, "at">> = [
    { origin: "prompt", from: "the prompt", text: prompt, turn: "before" },
    ...others.map((span) => ({ ...span, from: "the prompt", turn: "before" as const })),
    ...markSpans(mark),
    ...said.flatMap((entry) => messageSpans(entry, "before")),
    ...turn.flatMap((entry) => messageSpans(entry, "now")),
  ];
  return spans.filter(({ text }) => text !== "").map((span, at) => ({ ...span, at }));
}

function messageSpans({ message }: MessageEntry, turn: Span["turn"]): Array<Omit<Span, "at">> {
  switch (message.role) {
    case "assistant":
      return toldAnswer(message, turn);
    case "user":
      return message.content.flatMap((block): Array<Omit<Span, "at">> => {
        // Nobody here has read the text in a picture.
        if (!isText(block)) return [{ origin: "quoted", from: "a picture", text: "[picture]", turn }];
        const { text, origin, from = "" } = block;
        if (origin === "owner") return ownWords(text).map((piece) => ({ ...piece, from, turn }));
        // Stored before texts had labels: neither an instruction nor untrusted.
        return [{ origin: origin ?? "system", from, text, turn }];
      });
    case "toolResult": {
      const { toolName, origin = "tool", from = toolName } = message;
      const text = message.content
        .filter(isText)
        .map((block) => block.text)
        .join("\n");
      return [{ origin: message.isError && origin === "system" ? "tool" : origin, from, text, turn }];
    }
  }
}

/** An answer that the client claims was given: it could contain anything, calls as well as words. */
function toldAnswer(
  { origin, from = "", content }: AssistantMessage,
  turn: Span["turn"],
): Array<Omit<Span, "at">> {
  if (origin === undefined) return [];
  const texts = content.flatMap((block) => {
    if (block.type === "toolCall") return [JSON.stringify(block.arguments)];
    return [block.type === "text" ? block.text : block.thinking];
  });
  return texts.map((text) => ({ origin, from, text, turn }));
}

/** A summary is as trustworthy as its least trusted source; without sources it is untrusted. */
function markSpans(mark: Entry | undefined): Array<Omit<Span, "at">> {
  if (mark?.type === "compaction") {
    const isOwn = mark.origins?.every((origin) => isTrusted(origin)) ?? false;
    return [{ origin: isOwn ? "system" : "summary", from: "a summary", text: mark.summary, turn: "before" }];
  }
  if (mark?.type === "anchor") {
    const text = JSON.stringify(mark.state ?? {});
    return [{ origin: originOfHandoff(mark), from: "a handoff", text, turn: "before" }];
  }
  if (mark?.type === "event" && typeof mark.data["summary"] === "string") {
    const origins: unknown = mark.data["origins"];
    const isOwn = Array.isArray(origins) && origins.every((origin) => isTrusted(origin as Origin));
    const text = mark.data["summary"];
    return [{ origin: isOwn ? "system" : "summary", from: "an earlier session", text, turn: "before" }];
  }
  return [];
}

/** Written by hand, in the words of the person who handed over. Pure. */
export const originOfHandoff = ({ state }: Pick<AnchorEntryBody, "state">): Origin =>
  state?.["origin"] === "peer" ? "peer" : "system";

/** The origins of a summary of these texts. Pure. */
export function originsOf(said: readonly MessageEntry[], previous: readonly Origin[] | undefined): Origin[] {
  const found = said.flatMap(({ message }) => {
    if (message.role === "assistant") return message.origin === undefined ? [] : [message.origin];
    if (message.role === "toolResult") return [message.origin ?? "tool"];
    return message.content.map((block) => (isText(block) ? (block.origin ?? "system") : "quoted"));
  });
  return [...new Set([...found, ...(previous ?? [])])].sort();
}

const isTrusted = (origin: Origin): boolean => origin === "owner" || origin === "system";

const isText = (block: { type: string }): block is TextBlock => block.type === "text";
