/**
 * The messages of a request, in this order: summary of the past, notice of omissions, history, current turn. The same
 * entries give the same bytes, and added entries change nothing before them, except if a cut moves or a pause drops
 * old results: the providers' caches depend on it.
 */
import type { Message, MessageEntry } from "@pincer/sdk";
import { labelOfMark } from "../../gate/labels/entry-label.ts";
import { cleanStart } from "./clean-start.ts";
import { contextUsed, isKnownToFit } from "./context-used.ts";
import { messageTokens } from "./estimate-tokens.ts";
import {
  draftMessages,
  draftTokens,
  fitRequest,
  noticeTokens,
  tokensForMessages,
  tokensForRequest,
  type Digest,
  type Draft,
} from "./fit-request.ts";
import { cutNotice, openingOf, type Opening } from "./opening.ts";
import { pruneResults } from "./prune-results.ts";
import type { BuiltMessages, FitLevel, SessionView, ViewPart, ViewSettings } from "./session-view.ts";
import { showEntries, type ShownEntry } from "./shown-entries.ts";
import { firstShown, windowOf } from "./view-window.ts";

export interface MessagesRequest {
  /** With as many messages as `messagesToRead` says. */
  view: SessionView;
  /** The present turn so far; its calls are settled. */
  turn: readonly MessageEntry[];
  /** Everything counts as earlier, whatever came without a turn. */
  isOver?: boolean;
  settings: ViewSettings;
  /** What prompt and tools take. */
  fixedTokens: number;
  level: FitLevel;
  digest: Digest;
  /** Whether the prompt shows the memory of this session. */
  hasSessionMemory: boolean;
}

/** Fits the window whatever was said, as long as prompt and tools leave space for a question. Pure. */
export function buildMessages(request: MessagesRequest): BuiltMessages {
  const { view, settings, fixedTokens, level, digest } = request;
  const window = windowOf(view, settings);
  const start = cleanStart(view, request.turn, settings, request.isOver);
  const turn = shownOfTurn(request.turn, firstShown(view), view);
  const whole = showEntries(start.show(window.shown), turn, settings, start.opened);
  const shown = pruneResults(whole, settings.pruning, settings.limits.contextWindow);

  const opening = openingOf(start.mark, request.hasSessionMemory && isInMemory(view, settings));
  const before = shown[0]?.seq ?? 0;
  const told =
    window.isCut && window.before.length > 0
      ? digest(start.show(window.before).map(({ message }) => message))
      : "";
  const notice = window.isCut ? cutNotice({ before, digest: told, tokens: noticeTokens }) : undefined;
  const draft: Draft = { opening: opening?.message, notice, shown, leftOut: [] };

  const space = tokensForMessages(settings, fixedTokens, level);
  const markSeq = view.mark?.seq;
  const isWhole =
    level === "normal" &&
    isKnownToFit({
      shown,
      markSeq,
      server: fixedTokens + draftTokens({ ...draft, shown: [] }),
      space: fixedTokens + space,
      limit: tokensForRequest(settings, level),
    });
  const fitted = isWhole ? draft : fitRequest(draft, space, digest);
  return {
    messages: draftMessages(fitted),
    tokens: draftTokens(fitted),
    used: contextUsed({ shown, markSeq, estimate: fixedTokens + draftTokens(draft) }),
    isFitted: fitted !== draft,
    leavesOut: fitted.leftOut.length > 0,
    parts: partsOf({
      draft,
      fitted,
      opening,
      isMarkCollapsed: start.isMarkCollapsed,
      collapsed: start.collapsed(window.shown),
      pruned: countPruned(whole, shown),
    }),
  };
}

/** The prompt shows of the session's memory what nobody else wrote in. */
const isInMemory = ({ mark }: SessionView, { handles }: ViewSettings): boolean =>
  !handles || !mark || !labelOfMark(mark, "owner").untrusted;

/** What a summary covers is not shown again, except for the question of the turn. */
function shownOfTurn(
  turn: readonly MessageEntry[],
  first: number,
  { mark }: SessionView,
): readonly MessageEntry[] {
  if (mark?.type !== "compaction" || (turn[0]?.seq ?? 0) >= first) return turn;
  const question = turn.findLast(({ message }) => message.role === "user");
  return turn.filter((entry) => entry.seq >= first || entry === question);
}

const countPruned = (whole: readonly ShownEntry[], shown: readonly ShownEntry[]): number =>
  whole === shown ? 0 : whole.filter(({ message }, index) => message !== shown[index]?.message).length;

interface PartFacts {
  draft: Draft;
  fitted: Draft;
  opening: Opening | undefined;
  isMarkCollapsed: boolean;
  /** What is shown as handles. */
  collapsed: readonly MessageEntry[];
  pruned: number;
}

function partsOf({ draft, fitted, opening, isMarkCollapsed, collapsed, pruned }: PartFacts): ViewPart[] {
  const parts: ViewPart[] = [];
  if (opening && fitted.opening) {
    const { name, from, to } = opening;
    const range = from === undefined || to === undefined ? {} : { from, to };
    const why = isMarkCollapsed ? "view.mark-handle" : (`view.${name}` as const);
    parts.push({ name, tokens: messageTokens(fitted.opening), why, ...range });
  }
  if (fitted.notice) parts.push({ name: "cut", tokens: messageTokens(fitted.notice), why: "view.cut" });
  const history = fitted.shown.filter(({ isTurn }) => !isTurn);
  const turn = fitted.shown.filter(({ isTurn }) => isTurn);
  if (history.length > 0) parts.push({ name: "history", why: "view.history", ...extent(history) });
  const [first, last] = [collapsed.at(0), collapsed.at(-1)];
  if (first && last) {
    const count = new Set(collapsed.map(({ runId }) => runId)).size;
    parts.push({ name: "handles", tokens: 0, why: "view.handles", from: first.seq, to: last.seq, count });
  }
  if (pruned > 0) parts.push({ name: "pruned", tokens: 0, why: "view.pruned", count: pruned });
  if (fitted.leftOut.length > 0)
    parts.push({ name: "left-out", why: "view.left-out", ...extent(fitted.leftOut), tokens: 0 });
  const shortened = countShortened(draft, fitted);
  if (shortened > 0) parts.push({ name: "left-out", tokens: 0, why: "view.shortened", count: shortened });
  const opened = fitted.shown.find(({ plain, message }) => plain !== undefined && plain !== message);
  if (opened?.plain) {
    const tokens = opened.tokens - messageTokens(opened.plain);
    parts.push({ name: "opened", tokens, why: "view.opened" });
  }
  if (turn.length > 0) parts.push({ name: "turn", why: "view.turn", ...extent(turn) });
  return parts;
}

function countShortened(draft: Draft, fitted: Draft): number {
  if (draft === fitted) return 0;
  const whole = new Set<Message>(draft.shown.map(({ message }) => message));
  return fitted.shown.filter(({ message }) => !whole.has(message)).length;
}

function extent(shown: readonly ShownEntry[]): Pick<ViewPart, "tokens" | "from" | "to" | "count"> {
  const tokens = shown.reduce((sum, entry) => sum + entry.tokens, 0);
  const [from, to] = [shown[0]?.seq ?? 0, shown.at(-1)?.seq ?? 0];
  return { tokens, from, to, count: shown.length };
}
