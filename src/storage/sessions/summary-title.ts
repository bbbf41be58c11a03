/** The title of a summary in a session's memory: when, how many messages, and whose. */
import type { Origin } from "@pincer/sdk";

export interface SummaryTitle {
  /** RFC 3339, of the entry. */
  time: string;
  /** How many messages it stands for. */
  count: number;
  /** Kinds of untrusted texts that it was made of; left out if unknown. */
  strangers?: readonly Origin[] | undefined;
}

/** A summary of the owner's words alone says so; without that it is older, or somebody else's. Pure. */
export function summaryTitle({ time, count, strangers }: SummaryTitle): string {
  const when = `${time.slice(0, 16).replace("T", " ")} UTC`;
  return `## ${when}, ${count} ${count === 1 ? "message" : "messages"}${labelOf(strangers)}`;
}

const ownersMark = " [of the owner's words]";

function labelOf(strangers: readonly Origin[] | undefined): string {
  if (!strangers) return "";
  return strangers.length === 0 ? ownersMark : ` [unconfirmed: made of ${strangers.join(", ")} too]`;
}

export const ownTitle = /^## (?=\d{4}-\d\d-\d\d \d\d:\d\d UTC)/gm;

/** Those of the summaries that say that they are made of the owner's words alone. Pure. */
export function ownSummaries(summaries: string): string {
  const starts = Array.from(summaries.matchAll(ownTitle), ({ index }) => index);
  return starts
    .map((start, index) => summaries.slice(start, starts[index + 1]).trim())
    .filter(isFromOwnerAlone)
    .join("\n\n");
}

/** Whether there are summaries, and each says that it is made of the owner's words alone. Pure. */
export function isFromOwnerAlone(summaries: string): boolean {
  const lines = summaries.trim().split("\n");
  const titles = lines.filter((line) => line.search(ownTitle) === 0);
  return titles[0] === lines[0] && titles.every((title) => title.endsWith(ownersMark));
}
