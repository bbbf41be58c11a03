/**
 * The labels of what a session stores, from the entries alone: a turn that resumes after a crash is judged alike. What
 * is unknown is untrusted.
 */
import {
  clean,
  joinLabels,
  labelOfOrigin,
  origins,
  type AssistantMessage,
  type Entry,
  type Label,
  type Message,
  type MessageEntry,
  type Origin,
  type ToolResultMessage,
  type UserMessage,
} from "@pincer/sdk";

/** Whose turn it is: their own typed words are theirs to give. Others than the owner only in their own direct chat. */
export type Speaker = "owner" | "peer";

type UserBlock = UserMessage["content"][number];

/** Of one block of what a person or a program said. Pure. */
export function labelOfBlock(block: UserBlock, speaker: Speaker): Label {
  // Nobody here has read the text in a picture.
  if (block.type !== "text") return foreign;
  const { label, origin, from, typed, pasted } = block;
  const isOwn = origin === "owner" || (origin === "peer" && speaker === "peer");
  const known = label ?? (isOwn ? clean : labelOfOrigin(origin, from));
  // Words that may hold a paste, and those that a program sent, may be anybody's.
  const isTyped = typed !== false && pasted === undefined;
  return isTyped ? known : { ...known, untrusted: true };
}

/** Of a message as it is stored. Pure. */
export function labelOfMessage(message: Message, speaker: Speaker): Label {
  switch (message.role) {
    case "user":
      return joinLabels(message.content.map((block) => labelOfBlock(block, speaker)));
    case "assistant":
      return labelOfAnswer(message);
    case "toolResult":
      return labelOfResult(message);
  }
}

/** Of a turn: everything that it stored, and what was shown to it from before. Pure. */
export const labelOfTurn = (entries: readonly MessageEntry[], speaker: Speaker, before = clean): Label =>
  joinLabels([before, ...entries.map(({ message }) => labelOfMessage(message, speaker))]);

/** Of what stands for what was said before: a summary, a handoff, what an earlier session left. Pure. */
export function labelOfMark(mark: Entry, speaker: Speaker): Label {
  switch (mark.type) {
    case "compaction":
      return mark.label ?? labelOfOrigins(mark.origins);
    case "anchor":
      // Written by hand, in the words of the person who handed over.
      return mark.state?.["origin"] === "peer" && speaker !== "peer" ? foreign : clean;
    case "event":
      return labelIn(mark.data["label"]) ?? labelOfOrigins(originsIn(mark.data["origins"]));
    default:
      return labelOfOrigins(undefined);
  }
}

/** An account is one source, whichever of its tools reads it: `mail_list` and `mail_read` are of `mail`. Pure. */
export const accountOf = (toolName: string): string => toolName.split(/[._]/u, 1)[0] ?? toolName;

/** The kinds of texts that these are made of, and those of what was there before. Pure. */
export function originsOf(said: readonly MessageEntry[], previous: readonly Origin[] = []): Origin[] {
  const found = said.flatMap(({ message }): Origin[] => {
    if (message.role === "assistant") return message.origin === undefined ? [] : [message.origin];
    if (message.role === "toolResult") return [message.origin ?? "tool"];
    return message.content.map((block) => (block.type === "text" ? (block.origin ?? "system") : "quoted"));
  });
  return [...new Set([...found, ...previous])].sort();
}

const foreign: Label = { untrusted: true, sources: [] };

/** What was answered before answers had labels may be made of anything. */
const labelOfAnswer = ({ label, origin, from }: AssistantMessage): Label =>
  label ?? labelOfOrigin(origin ?? "summary", from);

function labelOfResult({ label, origin = "tool", from, toolName }: ToolResultMessage): Label {
  return label ?? labelOfOrigin(origin, origin === "tool" ? accountOf(toolName) : from);
}

/** Made before labels were. */
const labelOfOrigins = (madeOf: readonly Origin[] = ["summary"]): Label =>
  joinLabels(madeOf.map((origin) => labelOfOrigin(origin)));

/** Data of events is not checked when it is read. */
function labelIn(value: unknown): Label | undefined {
  const { untrusted, sources } = (value ?? {}) as Partial<Label>;
  if (typeof untrusted !== "boolean" || !Array.isArray(sources)) return undefined;
  return sources.every((source) => typeof source === "string") ? { untrusted, sources } : undefined;
}

const originsIn = (value: unknown): Origin[] | undefined =>
  Array.isArray(value) ? origins.filter((origin) => value.includes(origin)) : undefined;
