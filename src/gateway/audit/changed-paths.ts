/** The paths at which two configs differ, sorted; never the values. A list that differs is one path. */
export function changedPaths(before: unknown, after: unknown): string[] {
  return [...differences(before, after, [])].sort();
}

function* differences(before: unknown, after: unknown, path: readonly string[]): Generator<string> {
  if (isTable(before) && isTable(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(ownOf(before, name), ownOf(after, name), [...path, name]);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) yield path.map(shown).join(".") || "(all)";
}

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const ownOf = (table: Table, name: string): unknown => (Object.hasOwn(table, name) ? table[name] : undefined);

/** Names are those of keys, and of what people called things; one that is very long is neither. */
const shown = (name: string): string => (name.length > 64 ? `${name.slice(0, 61)}…` : name);
