/** Which of the points are walked: few of each kind, or many, as the seed draws them. */
import { shuffled } from "../../scripts/test-seed.ts";
import { formatPoint, type Point } from "./point.ts";

/** Points that differ only in their place. */
const groupOf = ({ call, file, manner, lasts }: Point): string =>
  `${call} ${file} ${manner.type === "lie" ? "lie" : manner.code} ${lasts}`;

/**
 * As many as are wanted, where there are as many: one of each group after the other, so that the few places of a small file are all walked
 * before the many of the database's log. Other seeds draw other places.
 */
export function drawPoints(points: readonly Point[], count: number): Point[] {
  const groups = new Map<string, Point[]>();
  for (const point of shuffled(points, formatPoint))
    groups.set(groupOf(point), [...(groups.get(groupOf(point)) ?? []), point]);
  const inTurn = shuffled([...groups.keys()], (key) => key).map((key) => groups.get(key) ?? []);
  const drawn: Point[] = [];
  for (let round = 0; drawn.length < count; round++) {
    const next = inTurn.flatMap((group) => group[round] ?? []);
    if (next.length === 0) break;
    drawn.push(...next);
  }
  return drawn.slice(0, count);
}
