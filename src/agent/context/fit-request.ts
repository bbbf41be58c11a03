/**
 * Makes a request fit the window, whatever was said. It applies steps in a fixed order, from the least to the most
 * missed, until it fits; the same session gives the same request. Compaction keeps requests small; this keeps a
 * single one from being refused.
 */
import type { Message, UserMessage } from "@pincer/sdk";
import { messageTokens, uncertainty } from "./estimate-tokens.ts";
import { cutNotice, shortenOpening } from "./opening.ts";
import { changeResults } from "./prune-results.ts";
import { roundCut } from "./round-cut.ts";
import type { FitLevel, ViewSettings } from "./session-view.ts";
import { shortenMessage, shortenQuestion, withoutImages } from "./shorten-message.ts";
import { removeLongResult, shortenResult, trimResult } from "./shorten-result.ts";
import { smallerAs, type ShownEntry } from "./shown-entries.ts";

/** A request on its way to fit. */
export interface Draft {
  opening: UserMessage | undefined;
  /** That there is more, before what is shown. */
  notice: UserMessage | undefined;
  shown: readonly ShownEntry[];
  /** Entries without space. */
  leftOut: readonly ShownEntry[];
}

/** A few words about what is left out. */
export type Digest = (messages: readonly Message[]) => string;

/** The tokens, by our own count, that the messages may take; what we may have missed and the answer are allowed for. */
export function tokensForMessages(settings: Sizes, fixedTokens: number, level: FitLevel): number {
  return Math.floor(tokensForRequest(settings, level) / uncertainty) - fixedTokens;
}

/** The tokens, as the provider counts them, that a request may take: what the answer leaves. */
export function tokensForRequest({ limits, reserveTokens }: Sizes, level: FitLevel): number {
  const { contextWindow, maxTokens } = limits;
  const window = level === "smaller" ? Math.floor(contextWindow * smallerShare) : contextWindow;
  const wanted = Math.min(reserveTokens, maxTokens, Math.floor(window / 4));
  return window - Math.max(wanted, Math.ceil(window / 50));
}

type Sizes = Pick<ViewSettings, "limits" | "reserveTokens">;

/** Pairs stay whole, and the newest thing that a user said stays at least in part. Pure. */
export function fitRequest(draft: Draft, space: number, digest: Digest): Draft {
  let fitted = draft;
  for (const step of steps) {
    if (draftTokens(fitted) <= space) return fitted;
    fitted = step(fitted, space, digest);
  }
  return fitted;
}

export const draftMessages = ({ opening, notice, shown }: Draft): Message[] => [
  ...(opening ? [opening] : []),
  ...(notice ? [notice] : []),
  ...shown.map(({ message }) => message),
];

export const draftTokens = ({ opening, notice, shown }: Draft): number =>
  tokensOf(opening) + tokensOf(notice) + sum(shown);

const smallerShare = 0.6;

type Step = (draft: Draft, space: number, digest: Digest) => Draft;

const shortenTo =
  (limit: number): Step =>
  (draft) => ({ ...draft, shown: shortenAll(draft.shown, limit) });

const steps: readonly Step[] = [
  (draft) => ({ ...draft, shown: changeResults(draft.shown, firstOfTurn(draft), trimResult) }),
  (draft) => ({ ...draft, shown: changeResults(draft.shown, firstOfTurn(draft), removeLongResult) }),
  (draft) => ({ ...draft, shown: draft.shown.map(withoutOpened) }),
  (draft) => ({ ...draft, shown: shortenEarlierResults(draft.shown) }),
  shortenTo(64_000),
  shortenTo(32_000),
  leaveOutOldTurns,
  shortenTo(16_000),
  shortenTo(8000),
  shortenTo(4000),
  shortenTo(2000),
  shortenTo(1000),
  shortenTo(500),
  leaveOutOldSteps,
  shortenTo(120),
  leaveOutOldSteps,
  keepTheQuestion,
];

function firstOfTurn({ shown }: Draft): number {
  const first = shown.findIndex(({ isTurn }) => isTurn);
  return first < 0 ? shown.length : first;
}

/** It can be opened by its handle. */
function withoutOpened({ plain, ...entry }: ShownEntry): ShownEntry {
  return plain ? { ...entry, message: plain, tokens: messageTokens(plain) } : entry;
}

const earlierResultChars = 2000;

/** Those of the present turn, but for what the model has not seen yet. */
function shortenEarlierResults(shown: readonly ShownEntry[]): ShownEntry[] {
  const newest = shown.findLastIndex(({ said }) => said.role === "assistant");
  return shown.map((entry, index) => {
    if (!entry.isTurn || index >= newest || entry.said.role !== "toolResult") return entry;
    return smallerAs(entry, shortenResult(entry.said, entry.seq, earlierResultChars));
  });
}

/** The share of the history comes in few sizes, so that it does not change with every step of the turn. */
function leaveOutOldTurns(draft: Draft, space: number, digest: Digest): Draft {
  const border = firstOfTurn(draft);
  const opening = fittedOpening(draft, space);
  const free = space - sum(draft.shown.slice(border)) - noticeShare(space) - tokensOf(opening);
  const share = historyShares.find((each) => each * space <= free) ?? 0;
  return leaveOut(
    { ...draft, opening },
    roundCut(draft.shown.slice(0, border), share * space),
    space,
    digest,
  );
}

const historyShares = [3 / 4, 1 / 2, 1 / 4, 1 / 8, 1 / 16];

/** Of the present turn too; never its question, and not all of the rest. */
function leaveOutOldSteps(draft: Draft, space: number, digest: Digest): Draft {
  const opening = fittedOpening(draft, space);
  const taken = tokensOf(opening) + (questionOf(draft.shown)?.tokens ?? 0);
  const first = roundCut(draft.shown, space - taken - noticeShare(space));
  return first === draft.shown.length ? draft : leaveOut({ ...draft, opening }, first, space, digest);
}

function keepTheQuestion(draft: Draft, space: number, digest: Digest): Draft {
  const question = questionOf(draft.shown);
  const { notice, ...bare } = leaveOut(
    { ...draft, opening: fittedOpening(draft, space) },
    draft.shown.length,
    0,
    digest,
  );
  const server =
    space > leastTokens ? { ...bare, notice } : { ...bare, opening: undefined, notice: undefined };
  if (question?.message.role !== "user") return { ...server, shown: [] };
  const left = space - draftTokens({ ...server, shown: [] });
  const message = shortenQuestion(question.message, question.seq, left);
  return { ...server, shown: [{ ...question, message, tokens: messageTokens(message) }] };
}

/** With less space than this the question stands alone. */
const leastTokens = 500;

function leaveOut(draft: Draft, first: number, space: number, digest: Digest): Draft {
  const { shown } = draft;
  const question = questionOf(shown);
  const kept = shown.slice(first);
  const stays = question && !kept.includes(question) ? [question] : [];
  const gone = shown.slice(0, first).filter((entry) => !stays.includes(entry));
  if (gone.length === 0) return draft;
  const leftOut = [...draft.leftOut, ...gone];
  const before = kept[0]?.seq ?? (shown.at(-1)?.seq ?? 0) + 1;
  const told = leftOut.slice(-mostShown).map(({ said }) => said);
  const tokens = noticeShare(space);
  const notice = cutNotice({ before, digest: space > 0 ? digest(told) : "", tokens });
  return { ...draft, notice, leftOut, shown: [...stays, ...kept] };
}

const mostShown = 40;
export const noticeTokens = 600;
const noticeShare = (space: number): number => Math.min(noticeTokens, Math.floor(space / 8));

/** A summary that takes a quarter of everything is too long. */
const fittedOpening = ({ opening }: Draft, space: number): UserMessage | undefined =>
  opening && tokensOf(opening) > space / 4 ? shortenOpening(opening, space / 4) : opening;

/** The newest thing that a user said. */
const questionOf = (shown: readonly ShownEntry[]): ShownEntry | undefined =>
  shown.findLast(({ said }) => said.role === "user");

/** The question keeps more than the rest, and its images longer. */
function shortenAll(shown: readonly ShownEntry[], limit: number): ShownEntry[] {
  const question = questionOf(shown);
  return shown.map((entry) => {
    const most = entry === question ? limit * 4 : limit;
    const message = shortenMessage(wholeOf(entry), entry.seq, most);
    return smallerAs(entry, most <= 500 ? withoutImages(message) : message);
  });
}

/** As it was said, with its note: what was shortened before would be counted wrongly. */
const wholeOf = ({ said, message }: ShownEntry): Message =>
  said.role === "user" && message.role === "user" ? { ...message, content: said.content } : said;

const tokensOf = (message: Message | undefined): number => (message ? messageTokens(message) : 0);

const sum = (shown: readonly ShownEntry[]): number => shown.reduce((total, { tokens }) => total + tokens, 0);
