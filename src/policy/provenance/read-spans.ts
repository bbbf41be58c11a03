/** What a model was shown, as spans: from the entries of its session as they are stored, so that a restart changes nothing. */
import type { AnchorEntryBody, AssistantMessage, Entry, MessageEntry, Origin, TextBlock } from "@pincer/sdk";
import { ownWords } from "./own-words.ts";
import type { Span } from "./span.ts";

export interface ReadSpans {
  /** What the prompt says; the house's own words. */
  prompt: string;
  /** What the prompt says in the words of others: skills, summaries. */
  others?: ReadonlyArray<{ origin: Origin; text: string }> | undefined;
  /** Where what is shown begins: a summary, a handoff, or what another session left. */
  mark: Entry | undefined;
  /** Before the turn. */
  said: readonly MessageEntry[];
  /** Of the turn. */
  turn: readonly MessageEntry[];
}

/** The model's own words are none of them: whatever it says, it has from somewhere else. Pure. */
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
        // What stands in a picture, nobody here has read.
        if (!isText(block)) return [{ origin: "quoted", from: "a picture", text: "[picture]", turn }];
        const { text, origin, from = "" } = block;
        if (origin === "owner") return ownWords(text).map((piece) => ({ ...piece, from, turn }));
        // Stored before texts had labels: nobody's orders, and no stranger's either.
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

/** An answer that somebody says was given: whoever tells it could write anything into it, calls as well as words. */
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

/** A summary is as trustworthy as the least of what it was made of; one that does not say is a stranger's. */
function markSpans(mark: Entry | undefined): Array<Omit<Span, "at">> {
  if (mark?.type === "compaction") {
    const isOwn = mark.origins?.every((origin) => isOfTheHouse(origin)) ?? false;
    return [{ origin: isOwn ? "system" : "summary", from: "a summary", text: mark.summary, turn: "before" }];
  }
  if (mark?.type === "anchor") {
    const text = JSON.stringify(mark.state ?? {});
    return [{ origin: originOfHandoff(mark), from: "a handoff", text, turn: "before" }];
  }
  if (mark?.type === "event" && typeof mark.data["summary"] === "string") {
    const origins: unknown = mark.data["origins"];
    const isOwn = Array.isArray(origins) && origins.every((origin) => isOfTheHouse(origin as Origin));
    const text = mark.data["summary"];
    return [{ origin: isOwn ? "system" : "summary", from: "an earlier session", text, turn: "before" }];
  }
  return [];
}

/** Made by hand: in the words of whoever handed over. Pure. */
export const originOfHandoff = ({ state }: Pick<AnchorEntryBody, "state">): Origin =>
  state?.["origin"] === "peer" ? "peer" : "system";

/** Which origins a summary that is made of these texts has. Pure. */
export function originsOf(said: readonly MessageEntry[], previous: readonly Origin[] | undefined): Origin[] {
  const found = said.flatMap(({ message }) => {
    if (message.role === "assistant") return message.origin === undefined ? [] : [message.origin];
    if (message.role === "toolResult") return [message.origin ?? "tool"];
    return message.content.map((block) => (isText(block) ? (block.origin ?? "system") : "quoted"));
  });
  return [...new Set([...found, ...(previous ?? [])])].sort();
}

const isOfTheHouse = (origin: Origin): boolean => origin === "owner" || origin === "system";

const isText = (block: { type: string }): block is TextBlock => block.type === "text";
