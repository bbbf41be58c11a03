/** A list of runs that was read page by page, newest first. Pure. */
interface Listed {
  position: number;
}

/** What was read anew counts; behind it stays what was read before. `isFull`: there may be more behind what was read anew. */
export function refreshed<Run extends Listed>(
  known: readonly Run[],
  fresh: readonly Run[],
  isFull: boolean,
): Run[] {
  return isFull ? withFurther(fresh, known) : [...fresh];
}

/** Only what lies behind the last: the same page twice is there once. */
export function withFurther<Run extends Listed>(runs: readonly Run[], page: readonly Run[]): Run[] {
  const last = runs.at(-1)?.position ?? Infinity;
  return [...runs, ...page.filter(({ position }) => position < last)];
}
