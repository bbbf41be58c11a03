/**
 * The messages of a request, in this order: summary of the past, notice of omissions, history, current turn. The same
 * entries give the same bytes, and added entries change nothing before them, except if a cut moves or a pause drops
 * old results: the providers' caches depend on it.
 */
import type { Message, MessageEntry } from "@pincer/sdk";
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
  const turn = shownOfTurn(request.turn, firstShown(view), view);
  const whole = showEntries(window.shown, turn, settings);
  const shown = pruneResults(whole, settings.pruning, settings.limits.contextWindow);

  const opening = openingOf(view.mark, request.hasSessionMemory);
  const before = shown[0]?.seq ?? 0;
  const told =
    window.isCut && window.before.length > 0 ? digest(window.before.map(({ message }) => message)) : "";
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
    parts: partsOf({ draft, fitted, opening, pruned: countPruned(whole, shown) }),
  };
}

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
  pruned: number;
}

function partsOf({ draft, fitted, opening, pruned }: PartFacts): ViewPart[] {
  const parts: ViewPart[] = [];
  if (opening && fitted.opening) {
    const { name, from, to } = opening;
    const range = from === undefined || to === undefined ? {} : { from, to };
    parts.push({ name, tokens: messageTokens(fitted.opening), why: `view.${name}`, ...range });
  }
  if (fitted.notice) parts.push({ name: "cut", tokens: messageTokens(fitted.notice), why: "view.cut" });
  const history = fitted.shown.filter(({ isTurn }) => !isTurn);
  const turn = fitted.shown.filter(({ isTurn }) => isTurn);
  if (history.length > 0) parts.push({ name: "history", why: "view.history", ...extent(history) });
  if (pruned > 0) parts.push({ name: "pruned", tokens: 0, why: "view.pruned", count: pruned });
  if (fitted.leftOut.length > 0)
    parts.push({ name: "left-out", why: "view.left-out", ...extent(fitted.leftOut), tokens: 0 });
  const shortened = countShortened(draft, fitted);
  if (shortened > 0) parts.push({ name: "left-out", tokens: 0, why: "view.shortened", count: shortened });
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
