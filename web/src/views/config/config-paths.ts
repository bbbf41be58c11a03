/** Paths into the config, as the gateway writes and reads them: `gateway.port`, `agents.list[0].name`, `contacts["a b"]`. */
export type Path = ReadonlyArray<string | number>;

export function formatPath(path: Path): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (/^[^.[\]"'\s]+$/.test(segment)) text += text === "" ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** Undefined where there is none. */
export function readPath(value: unknown, path: Path): unknown {
  let present = value;
  for (const segment of path) {
    if (typeof present !== "object" || present === null || !Object.hasOwn(present, segment)) return undefined;
    present = (present as Record<string | number, unknown>)[segment];
  }
  return present;
}

/** A copy in which the path has the value, with groups and lists made along the way; undefined takes it out. */
export function withPath(value: unknown, path: Path, replacement: unknown): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return replacement;
  if (typeof segment === "number") {
    const list: unknown[] = Array.isArray(value) ? value : [];
    const next = withPath(list[segment], rest, replacement);
    if (next === undefined) return list.toSpliced(segment, 1);
    return segment < list.length ? list.with(segment, next) : [...list, next];
  }
  const table = isTable(value) ? value : {};
  const next = withPath(Object.hasOwn(table, segment) ? table[segment] : undefined, rest, replacement);
  if (next !== undefined) return { ...table, [segment]: next };
  const { [segment]: _gone, ...others } = table;
  return others;
}

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isWithin = (path: Path, above: Path): boolean =>
  above.length <= path.length && above.every((segment, index) => path[index] === segment);
