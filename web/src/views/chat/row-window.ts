/** Which rows are in the page: only a part of them, however long the conversation; it moves with scrolling. Pure. */

export interface RowWindow {
  /** The first row that is shown. */
  from: number;
  /** The one behind the last. */
  to: number;
}

export const mostShown = 160;
/** Few enough to be drawn within a frame. */
const step = 24;

/** The newest rows. */
export const windowAtEnd = (count: number): RowWindow => ({
  from: Math.max(0, count - mostShown),
  to: count,
});

/** Around one row. */
export function windowAround(index: number, count: number): RowWindow {
  const from = Math.max(0, Math.min(index - mostShown / 2, count - mostShown));
  return { from, to: Math.min(count, from + mostShown) };
}

export function moveUp({ from }: RowWindow, count: number): RowWindow {
  const next = Math.max(0, from - step);
  return { from: next, to: Math.min(count, next + mostShown) };
}

export function moveDown({ to }: RowWindow, count: number): RowWindow {
  const next = Math.min(count, to + step);
  return { from: Math.max(0, next - mostShown), to: next };
}

/** The same rows as before, when others came: `before` above them, so that what is looked at stays. */
export function keepPlace(
  { from, to }: RowWindow,
  rows: { before: number; count: number; isAtEnd: boolean },
): RowWindow {
  if (rows.isAtEnd) return windowAtEnd(rows.count);
  const first = Math.min(Math.max(0, from + rows.before), Math.max(0, rows.count - 1));
  return { from: first, to: Math.min(rows.count, Math.max(to + rows.before, first)) };
}
