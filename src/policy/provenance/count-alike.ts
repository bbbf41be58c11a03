/** How many of the others differ in one or two letters: a series of such texts can spell something out. Pure. */
export const countAlike = (wanted: string, others: readonly string[]): number =>
  new Set(others.filter((other) => other !== wanted && isAlike(wanted, other))).size;

function isAlike(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end))
    end++;
  return Math.max(one.length, other.length) - start - end <= 2;
}
