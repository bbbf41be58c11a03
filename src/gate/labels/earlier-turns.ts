/**
 * Clean starts: of earlier turns that read texts of others, a request shows the owner's own words and handles, so that
 * most turns begin untainted. Which turns those are, what is opened again, and the label of what is shown: from the
 * stored entries alone.
 */
import { clean, joinLabels, type Entry, type Label, type MessageEntry, type TextBlock } from "@pincer/sdk";
import { labelOfBlock, labelOfMark, labelOfTurn, type Speaker } from "./entry-label.ts";
import { opensLast } from "./opens-last.ts";

/** How a request shows earlier turns. */
export interface HandleSettings {
  /** Names of contacts, as the owner writes them. */
  contacts: readonly string[];
  /** Whether the owner asks, and not Pincer itself or somebody else. */
  isOwners: boolean;
  /** Others read the answer: what was looked up before is not shown again by itself, only what was answered here. */
  isGroup: boolean;
  hides: HiddenTurns;
}

/**
 * Which turns become handles: those that others wrote in, those that hold private things (for somebody else), or both
 * (for the owner, where others read along).
 */
export type HiddenTurns = "others" | "private" | "both";

export interface EarlierTurns {
  /** What is shown as handles; of what people said, only the words that are not their own. */
  collapsed: ReadonlySet<MessageEntry>;
  /** Of the turn before this one, if that is among them. */
  last: readonly MessageEntry[];
}

export interface ShownContext {
  /** Of the prompt and what else is the same in every request. */
  prompt: Label;
  mark: Entry | undefined;
  /** Before the turn. */
  said: readonly MessageEntry[];
  turn: readonly MessageEntry[];
  /** Undefined: earlier turns are shown whole. */
  handles: HandleSettings | undefined;
}

/** Of everything that a request of the turn shows. Pure. */
export function labelOfContext({ prompt, mark, said, turn, handles }: ShownContext): Label {
  const speaker = speakerOf(handles);
  const earlier = startsClean(turn, handles) ? earlierTurns(said, handles) : nothingCollapsed;
  const whole = said.filter((entry) => !earlier.collapsed.has(entry));
  const opened = handles && reopened(earlier, turn, handles);
  return joinLabels([
    labelOfTurn(turn, speaker, prompt),
    mark && !isMarkCollapsed(mark, turn, handles) ? labelOfMark(mark, speaker) : clean,
    labelOfTurn(whole, speaker),
    labelOfTurn(opened ? earlier.last : [], speaker),
  ]);
}

/**
 * Where the owner typed nothing, as a program speaks for them, a turn is tainted from the start and grants nothing: it
 * sees earlier turns as they are. Pure.
 */
export function startsClean(
  turn: readonly MessageEntry[],
  handles: HandleSettings | undefined,
): handles is HandleSettings {
  if (!handles?.isOwners) return handles !== undefined;
  const blocks = openingBlocks(turn);
  return blocks.length === 0 || blocks.some((block) => !labelOfBlock(block, "owner").untrusted);
}

/** Handles are for turns that others than the speaker have a say in: the owner's, Pincer's own, and those of groups. */
export const speakerOf = (handles: HandleSettings | undefined): Speaker => (handles ? "owner" : "peer");

/**
 * What came without a turn right before this one came with it, such as the conversation that a program tells: it is
 * shown. `all`: everything counts as earlier. Pure.
 */
export function earlierTurns(
  said: readonly MessageEntry[],
  { all = false, hides = "others" }: { all?: boolean; hides?: HiddenTurns } = {},
): EarlierTurns {
  const told = all ? said.length : said.findLastIndex(({ runId }) => runId !== undefined) + 1;
  const turns = turnsOf(said.slice(0, told));
  const hidden = turns.filter((entries) => isHidden(labelOfTurn(entries, "owner"), hides));
  const last = told === said.length ? said.at(-1) : undefined;
  return {
    collapsed: new Set(hidden.flat()),
    last: (last && hidden.find((entries) => entries.includes(last))) ?? [],
  };
}

const isHidden = ({ untrusted, sources }: Label, hides: HiddenTurns): boolean =>
  (untrusted && hides !== "private") || (sources.length > 0 && hides !== "others");

export const nothingCollapsed: EarlierTurns = { collapsed: new Set(), last: [] };

/** One that the turn made itself is shown: it stands for the turn's own beginning. Pure. */
export const isMarkCollapsed = (
  mark: Entry,
  turn: readonly MessageEntry[],
  handles: HandleSettings | undefined,
): boolean =>
  startsClean(turn, handles) &&
  (turn[0] === undefined || mark.seq < turn[0].seq) &&
  isHidden(labelOfMark(mark, speakerOf(handles)), handles.hides);

export interface Reopened {
  answer: MessageEntry | undefined;
  /** The newest first. */
  results: readonly MessageEntry[];
}

/** What is shown of the turn before this one, because the owner's words seem to be about it. Pure. */
export function reopened(
  { last }: EarlierTurns,
  turn: readonly MessageEntry[],
  { contacts, isGroup }: Pick<HandleSettings, "contacts" | "isGroup">,
): Reopened | undefined {
  if (last.length === 0) return undefined;
  const opens = opensLast(openingWords(turn), contacts);
  if (opens === "nothing") return undefined;
  const results =
    opens === "answer" || isGroup
      ? []
      : last.filter(({ message }) => message.role === "toolResult").reverse();
  return { answer: last.findLast(isAnswer), results };
}

/** Those that the turn began with: what is said while it works is about the work. Pure. */
export const openingMessages = (turn: readonly MessageEntry[]): readonly MessageEntry[] => {
  const first = turn.findIndex(({ message }) => message.role !== "user");
  return first < 0 ? turn : turn.slice(0, first);
};

const openingBlocks = (turn: readonly MessageEntry[]) =>
  openingMessages(turn).flatMap(({ message }) => (message.role === "user" ? message.content : []));

const openingWords = (turn: readonly MessageEntry[]): string =>
  openingBlocks(turn)
    .flatMap((block) =>
      block.type === "text" && block.origin === "owner" && !labelOfBlock(block, "owner").untrusted
        ? [withoutName(block)]
        : [],
    )
    .join("\n");

/** In a group a name stands before the words. */
const withoutName = ({ text, from }: TextBlock): string =>
  from !== undefined && text.startsWith(`${from}: `) ? text.slice(from.length + 2) : text;

const isAnswer = ({ message }: MessageEntry): boolean =>
  message.role === "assistant" &&
  message.content.some((block) => block.type === "text" && block.text.trim() !== "");

/** By turn, in the order in which they began. One that waited for the owner may have others in between. */
function turnsOf(said: readonly MessageEntry[]): MessageEntry[][] {
  const turns = new Map<string, MessageEntry[]>();
  let told = 0;
  let before: MessageEntry | undefined;
  for (const entry of said) {
    if (entry.runId === undefined && before?.runId !== undefined) told++;
    const id = entry.runId === undefined ? `told ${told}` : `turn ${entry.runId}`;
    const entries = turns.get(id);
    if (entries) entries.push(entry);
    else turns.set(id, [entry]);
    before = entry;
  }
  return [...turns.values()];
}
