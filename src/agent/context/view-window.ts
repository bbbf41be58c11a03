/** Which of the messages that were read are in the request. */
import type { MessageEntry } from "@pincer/sdk";
import { limitHistoryTurns } from "../../models/history/limit-turns.ts";
import { roundnessOf } from "./round-cut.ts";
import type { SessionView, ViewSettings } from "./session-view.ts";

export interface ViewWindow {
  shown: readonly MessageEntry[];
  /** Whether there are earlier messages that no mark covers. */
  isCut: boolean;
  /** The last of those, for a digest: the same ones until the cut moves on. */
  before: readonly MessageEntry[];
}

/**
 * The newest messages up to the limit, and no more turns than a direct chat shows. If there are more, the window
 * keeps its beginning for half its length and then jumps: a window that moved with every turn would never be in the
 * provider's cache. It begins with a user's message, or in a long turn with an answer, never inside an exchange.
 * Pure.
 */
export function windowOf(
  view: SessionView,
  { maxMessages, historyTurns }: Pick<ViewSettings, "maxMessages" | "historyTurns">,
): ViewWindow {
  const border = firstShown(view);
  const isWhole = (view.said[0]?.seq ?? border) >= border;
  const said = isWhole ? view.said : view.said.filter(({ seq }) => seq >= border);
  const begins = beginOfWindow(said, maxMessages - 1, view.isCut);
  const first = historyTurns ? beginOfTurns(said, begins, historyTurns) : begins;
  // A chat that is to show little does not tell the rest in other words; and a digest of what happens to be read would change each time.
  const hasDigest = !historyTurns && (first >= digestMessages || !view.isCut);
  return {
    shown: said.slice(first),
    isCut: first > 0 || view.isCut,
    before: hasDigest ? said.slice(Math.max(0, first - digestMessages), first) : [],
  };
}

/** How many messages of the session a request needs: those that are shown, and those that the notice tells of. */
export const messagesToRead = (maxMessages: number): number => maxMessages - 1 + digestMessages;

/** The first entry that the mark leaves to be shown. */
export function firstShown({ mark }: Pick<SessionView, "mark">): number {
  if (mark?.type === "compaction") return mark.keepFrom;
  return mark ? mark.seq + 1 : 0;
}

const digestMessages = 40;

function beginOfWindow(said: readonly MessageEntry[], limit: number, isCut: boolean): number {
  if (limit <= 0) return said.length;
  if (said.length <= limit && !isCut) return 0;
  const jump = Math.max(1, Math.floor(limit / 2));
  const oldest = said[Math.max(0, said.length - limit)]?.seq ?? 0;
  const border = Math.ceil(oldest / jump) * jump;
  const user = said.findIndex(
    ({ seq, message }) => seq >= border && seq < border + jump && message.role === "user",
  );
  if (user >= 0) return user;
  const answer = said.findIndex(({ seq, message }) => seq >= border && message.role !== "toolResult");
  return answer < 0 ? said.length : answer;
}

/**
 * Keeps at most `turns` turns and, if there were more, at least half as many; starts at the roundest number, see
 * `roundCut`.
 */
function beginOfTurns(said: readonly MessageEntry[], begins: number, turns: number): number {
  const messages = said.map(({ message }) => message);
  const first = said.length - limitHistoryTurns(messages.slice(begins), turns).length;
  if (first === begins) return begins;
  const isStart = (index: number) => messages[index]?.role === "user" && messages[index - 1]?.role !== "user";
  const places = messages.flatMap((_, index) => (index >= first && isStart(index) ? [index] : []));
  let before = said[messages.findLastIndex((_, index) => index < first && isStart(index))]?.seq;
  let best = { place: first, roundness: -1 };
  for (const place of places.slice(0, Math.floor(turns / 2) + 1)) {
    const seq = said[place]?.seq ?? 0;
    const roundness = roundnessOf(before ?? seq - 1, seq);
    if (roundness > best.roundness) best = { place, roundness };
    before = seq;
  }
  return best.place;
}
