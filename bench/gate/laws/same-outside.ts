/**
 * Non-interference: two runs that differ only in a private text show every outsider the same content. A run may end up
 * elsewhere by what is counted or granted: which of the addresses that stand there is read, what is searched for, whether a
 * granted effect is made at all. The first thing that differs must be such a choice, never the content of an effect.
 */
import { actingTools } from "./law-tools.ts";
import type { OutsideEvent } from "./port.ts";
import type { Run } from "./run-program.ts";

/** Undefined: outsiders cannot tell them apart but for choices. */
export function firstDifference(one: Run, other: Run): string | undefined {
  const length = Math.max(one.outside.length, other.outside.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.outside[at], other.outside[at]];
    // One has made an effect or a read that the other has not: a choice.
    if (!a || !b || keyOf(a) !== keyOf(b)) return undefined;
    if (contentOf(a) === contentOf(b)) continue;
    // A search service hears whatever it is told, and a yes or a reading owner lets a text go as it was seen.
    if (a.type !== "act" || b.type !== "act") return undefined;
    if (wasSeen(a, one) && wasSeen(b, other)) return undefined;
    return `${a.recipients.join(", ")} can tell ${contentOf(a).slice(0, 200)} from ${contentOf(b).slice(0, 200)}`;
  }
  return undefined;
}

/** What happened, and to whom. */
const keyOf = (event: OutsideEvent): string =>
  event.type === "act"
    ? `${event.turn} act ${event.tool} ${event.recipients.join(" ")}`
    : event.type === "read"
      ? `${event.turn} read ${event.by} ${event.url}`
      : `${event.turn} search`;

const contentOf = (event: OutsideEvent): string =>
  event.type === "act"
    ? JSON.stringify(Object.entries(event.arguments).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : event.type === "search"
      ? event.query
      : "";

const wasSeen = (event: Extract<OutsideEvent, { type: "act" }>, { owner }: Run): boolean =>
  (actingTools[event.tool]?.content ?? []).every((name) => {
    const text = event.arguments[name] ?? "";
    return text === "" || owner.some((shown) => shown.text === text);
  });
