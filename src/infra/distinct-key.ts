/**
 * One text for a list of values, another one for every other list: a text says its length first, and whatever is no text ends before the next
 * begins. For maps that are asked with every turn; JSON would do, and takes several times as long.
 */
export function distinctKey(values: readonly KeyValue[]): string {
  let key = "";
  for (const value of values) key += typeof value === "string" ? `${value.length}:${value}` : `${value};`;
  return key;
}

export type KeyValue = string | number | boolean | null | undefined;
