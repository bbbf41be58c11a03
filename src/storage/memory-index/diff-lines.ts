/** What has to be written so that stored lines become the wanted ones: as little as possible. */
import type { MemoryLine } from "@pincer/sdk";

export interface StoredLine extends MemoryLine {
  lineId: number;
  position: number;
}

export interface LineDiff {
  added: Array<{ position: number; line: MemoryLine }>;
  removed: StoredLine[];
  /** Their words stay; their place, number or facts differ. */
  moved: Array<{ stored: StoredLine; position: number; line: MemoryLine }>;
}

/** `stored` in the order of positions. Lines are known again by their words and facts, then by their words alone. */
export function diffLines(stored: readonly StoredLine[], wanted: readonly MemoryLine[]): LineDiff {
  const start = countSame(stored, wanted, 0, (list, at) => list[at]);
  const end = countSame(stored, wanted, start, (list, at) => list[list.length - 1 - at + start]);
  const pairs = new Map<number, StoredLine>();
  const pairUp = (position: number, line: StoredLine | undefined) => line && pairs.set(position, line);
  for (let at = 0; at < start; at += 1) pairUp(at, stored[at]);
  for (let back = 1; back <= end; back += 1) pairUp(wanted.length - back, stored[stored.length - back]);

  let left = stored.slice(start, stored.length - end);
  for (const keyOf of [wholeKey, wordsKey]) {
    const queues = Map.groupBy(left, keyOf);
    for (let position = start; position < wanted.length - end; position += 1) {
      const line = wanted[position];
      if (line && !pairs.has(position)) pairUp(position, queues.get(keyOf(line))?.shift());
    }
    left = [...queues.values()].flat();
  }
  return { ...changesOf(pairs, wanted), removed: left };
}

function changesOf(
  pairs: ReadonlyMap<number, StoredLine>,
  wanted: readonly MemoryLine[],
): Pick<LineDiff, "added" | "moved"> {
  const changes: Pick<LineDiff, "added" | "moved"> = { added: [], moved: [] };
  for (const [position, line] of wanted.entries()) {
    const stored = pairs.get(position);
    if (!stored) changes.added.push({ position, line });
    else if (stored.position !== position || isRenumbered(stored, line))
      changes.moved.push({ stored, position, line });
  }
  return changes;
}

/** Whether people would see it elsewhere, or otherwise, than before. */
export const isRenumbered = (stored: MemoryLine, line: MemoryLine): boolean =>
  stored.line !== line.line || wholeKey(stored) !== wholeKey(line);

function countSame(
  stored: readonly StoredLine[],
  wanted: readonly MemoryLine[],
  start: number,
  pick: <Line>(list: readonly Line[], at: number) => Line | undefined,
): number {
  const most = Math.min(stored.length, wanted.length);
  let at = start;
  for (; at < most; at += 1) {
    const [a, b] = [pick(stored, at), pick(wanted, at)];
    if (!a || !b || wholeKey(a) !== wholeKey(b)) break;
  }
  return at - start;
}

const wordsKey = ({ text }: MemoryLine): string => text;
const wholeKey = ({ text, who, time, label }: MemoryLine): string =>
  JSON.stringify([text, who ?? null, time ?? null, label ?? null]);
