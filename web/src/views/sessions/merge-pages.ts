/** A list that was read page by page, brought up to date with a fresh first page. */
interface Listed {
  sessionId: string;
  updatedAt: string;
}

/**
 * What the fresh page tells counts; of the old rows only those stay that belong behind it. One that should have been on the page and is
 * not there any more is gone, or has moved up into it. `isWhole`: there is nothing behind the fresh page.
 */
export function mergeFirstPage<Row extends Listed>(
  old: readonly Row[],
  fresh: readonly Row[],
  isWhole: boolean,
): Row[] {
  const last = fresh.at(-1);
  if (!last || isWhole) return [...fresh];
  const told = new Set(fresh.map(({ sessionId }) => sessionId));
  return [...fresh, ...old.filter((row) => !told.has(row.sessionId) && isBehind(row, last))];
}

/** Rows of further pages, without those that have come up meanwhile. */
export function addPage<Row extends Listed>(rows: readonly Row[], page: readonly Row[]): Row[] {
  const told = new Set(rows.map(({ sessionId }) => sessionId));
  return [...rows, ...page.filter(({ sessionId }) => !told.has(sessionId))];
}

const isBehind = (row: Listed, last: Listed): boolean =>
  row.updatedAt < last.updatedAt || (row.updatedAt === last.updatedAt && row.sessionId < last.sessionId);
