/** Paths into the config, and what stands at them. */
export type ConfigPath = ReadonlyArray<string | number>;

/** As parsePath reads it back. */
export function formatPath(path: ConfigPath): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (/^[^.[\]"'\s]+$/.test(segment)) text += text === "" ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** The value at the path; undefined where there is none. */
export function readPath(value: unknown, path: ConfigPath): unknown {
  let present = value;
  for (const segment of path) {
    if (typeof present !== "object" || present === null || !Object.hasOwn(present, segment)) return undefined;
    present = (present as Record<string | number, unknown>)[segment];
  }
  return present;
}

/** A copy in which the path has the value, with groups made along the way; undefined removes it. */
export function withPath(value: unknown, path: ConfigPath, replacement: unknown): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return replacement;
  if (Array.isArray(value)) {
    const index = Number(segment);
    const next = withPath(value[index], rest, replacement);
    if (next === undefined) return value.filter((_, position) => position !== index);
    return index < value.length ? value.with(index, next) : [...value, next];
  }
  const table = isTable(value) ? value : {};
  const next = withPath(Object.hasOwn(table, segment) ? table[segment] : undefined, rest, replacement);
  const { [segment]: _replaced, ...others } = table;
  if (next === undefined) return others;
  return Object.hasOwn(table, segment) ? { ...table, [segment]: next } : { ...others, [segment]: next };
}

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
