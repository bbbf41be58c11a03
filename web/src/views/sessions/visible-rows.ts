/** Which rows of a long list are worth drawing, when all rows are equally high. */
export interface Sight {
  /** How far the list has been scrolled past the upper edge of what is seen; negative: it begins further down. */
  scrolled: number;
  /** How much of the window there is to see rows in. */
  height: number;
  rowHeight: number;
  count: number;
}

export interface RowRange {
  /** The first row that is drawn, and the first one that is not. */
  first: number;
  end: number;
}

/** Rows beyond both edges, so that a quick finger never sees an empty place. */
const beyond = 12;

export function visibleRows({ scrolled, height, rowHeight, count }: Sight): RowRange {
  const top = Math.floor(scrolled / rowHeight);
  const bottom = Math.ceil((scrolled + height) / rowHeight);
  const first = Math.min(Math.max(0, top - beyond), count);
  return { first, end: Math.max(first, Math.min(count, bottom + beyond)) };
}

/** Whether the end of what is loaded comes near, so that more should be asked for. */
export const isNearEnd = ({ scrolled, height, rowHeight, count }: Sight): boolean =>
  scrolled + height > (count - 4 * beyond) * rowHeight;
