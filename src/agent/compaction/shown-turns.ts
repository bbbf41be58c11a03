/**
 * What a summary is made of: earlier turns as later ones see them, so that a summary of past turns is as clean as they
 * are; the turn that goes on as it is.
 */
import { clean, type Label, type MessageEntry } from "@pincer/sdk";
import { earlierTurns, isMarkCollapsed, startsClean } from "../../gate/labels/earlier-turns.ts";
import { labelOfMark, labelOfTurn } from "../../gate/labels/entry-label.ts";
import { markForLater } from "../context/clean-start.ts";
import { withHandles } from "../context/handles.ts";
import { told } from "../context/opening.ts";
import type { Mark, ViewSettings } from "../context/session-view.ts";
import type { CompactionInput, ShownTurns } from "./compaction.ts";

/** The turn in which a summary is made. */
export interface SummingTurn {
  /** What it has stored. */
  turn: readonly MessageEntry[];
  /** It ends with this: it is summed up like those before it. */
  isOver: boolean;
}

/** Where earlier turns are shown as they are, and nothing is known of later ones. */
export const allShown: ShownTurns = {
  now: (entries) => entries,
  later: () => [],
  labelOf: (entries) => labelOfTurn(entries, "owner"),
};

type Settings = Pick<ViewSettings, "handles" | "timezone">;

/** Pure. */
export function shownTurns(
  said: readonly MessageEntry[],
  summing: SummingTurn,
  { handles, timezone }: Settings,
): ShownTurns {
  const style = { tools: handles?.tools ?? new Set<string>(), timezone, numbered: true };
  const all = earlierTurns(said, { all: true }).collapsed;
  const earlier = startsClean(summing.turn, handles) ? withoutPresent(all, summing) : new Set<MessageEntry>();
  const now = (entries: readonly MessageEntry[]) => withHandles(entries, earlier, style);
  return {
    now,
    later: (entries) => withHandles(entries, all, style),
    labelOf: (entries) => labelOfTurn(now(entries), "owner"),
  };
}

function withoutPresent(
  all: ReadonlySet<MessageEntry>,
  { turn, isOver }: SummingTurn,
): ReadonlySet<MessageEntry> {
  const present = new Set(isOver ? [] : turn.map(({ seq }) => seq));
  return new Set([...all].filter(({ seq }) => !present.has(seq)));
}

/** The summary that the next one continues: of an earlier turn only what this one may see of it. Pure. */
export function previousSummary(
  mark: Mark | undefined,
  { turn, isOver }: SummingTurn,
  { handles, timezone }: Settings,
): CompactionInput["previous"] {
  if (!mark) return undefined;
  const isHidden = startsClean(turn, handles) && isMarkCollapsed(mark, isOver ? [] : turn, handles);
  const style = { tools: handles?.tools ?? new Set<string>(), timezone, numbered: true };
  const shown = isHidden ? markForLater(mark, style) : mark;
  const label = isHidden ? clean : labelOfMark(mark, "owner");
  const hidden = isHidden ? { origins: [] } : {};
  if (shown.type === "compaction") return { ...shown, ...hidden, label };
  const summary = shown.type === "anchor" ? told(shown.state ?? {}) : shown.data["summary"];
  if (typeof summary !== "string" || summary === "") return undefined;
  return { summary, label, ...hidden };
}

export const labelOfPrevious = (previous: CompactionInput["previous"]): Label =>
  previous ? (previous.label ?? { untrusted: true, sources: ["session"] }) : clean;
