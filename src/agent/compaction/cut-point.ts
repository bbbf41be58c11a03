/** Finds what stays verbatim when a session is summarised. */
import type { Message, MessageEntry } from "@pincer/sdk";
import type { CompactionInput } from "./compaction.ts";
import { seamsOf } from "./seams.ts";

export interface Cut {
  /** Place of the first message that stays; at least 1. */
  firstKept: number;
  /** Where the turn of that message begins. Before `firstKept`, the turn is cut in two. */
  turnStart: number;
}

/**
 * Keeps the newest messages, as many as `keep` allows and at least one exchange. The cut is before a person's
 * message; by tokens also inside a turn, before an answer, if the turn is so large that otherwise little would stay.
 * Undefined if everything may stay, or no cut is possible.
 */
export function cutPoint(
  said: readonly MessageEntry[],
  keep: CompactionInput["keep"],
  tokensOf: (message: Message) => number,
): Cut | undefined {
  const seams = seamsOf(said);
  const places = said.flatMap((_, index) => (index > 0 && seams[index] ? [index] : []));
  const users = places.filter((place) => said[place]?.message.role === "user");
  const firstKept =
    "messages" in keep
      ? byCount(users, said.length - keep.messages)
      : bySize(places, users, keep.tokens, sizesFrom(said, tokensOf));
  return firstKept === undefined ? undefined : { firstKept, turnStart: turnStartOf(said, firstKept) };
}

/** A turn counts as a whole here: it is about how much was said, not about how large it is. */
function byCount(users: readonly number[], start: number): number | undefined {
  return start <= 0 ? undefined : (users.find((place) => place >= start) ?? users.at(-1));
}

function bySize(
  places: readonly number[],
  users: readonly number[],
  budget: number,
  sizes: readonly number[],
): number | undefined {
  const start = sizes.findIndex((size) => size <= budget);
  if (start === 0) return undefined;
  const user = users.find((place) => place >= start);
  if (user !== undefined && (sizes[user] ?? 0) >= budget / 2) return user;
  return places.find((place) => place >= start) ?? places.at(-1);
}

/** For each message the size of it and all that follow, and 0 for the place behind the last one. */
function sizesFrom(said: readonly MessageEntry[], tokensOf: (message: Message) => number): number[] {
  const sizes = [0];
  for (const { message } of said.toReversed()) sizes.push((sizes.at(-1) ?? 0) + tokensOf(message));
  return sizes.reverse();
}

function turnStartOf(said: readonly MessageEntry[], place: number): number {
  const { runId, message } = said[place] ?? {};
  let start = place;
  if (runId !== undefined) {
    while (start > 0 && said[start - 1]?.runId === runId) start--;
    return start;
  }
  if (message?.role === "user") return place;
  while (start > 0 && said[start]?.message.role !== "user") start--;
  // Several people, or one in several messages, may have asked at once.
  while (start > 0 && said[start - 1]?.message.role === "user") start--;
  return start;
}
