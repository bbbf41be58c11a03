/** Paths into the config, and the values at them: `gateway.port`, `agents.list[0].name`, `contacts["a b"]`. Pure. */
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

/** Undefined for what is no path, and where it has a name that JavaScript treats specially. */
export function parsePath(text: string): ConfigPath | undefined {
  const path: Array<string | number> = [];
  const segment = /\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]|(\.?)([^.[\]"']+)/gy;
  while (segment.lastIndex < text.length) {
    const at = segment.lastIndex;
    const [, index, doubleQuoted, singleQuoted, dot, plain] = segment.exec(text) ?? [];
    const name = doubleQuoted === undefined ? singleQuoted : unquote(doubleQuoted);
    if (index !== undefined) path.push(Number(index));
    else if (name !== undefined) path.push(name);
    else if (plain !== undefined && (dot === ".") === at > 0) path.push(plain);
    else return undefined;
  }
  return path.length === 0 || path.includes("__proto__") ? undefined : path;
}

function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined; // Such as "\\x": it ends where it should, but JSON knows no such escape.
  }
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

/** A copy in which the path has the value, with groups and lists made along the way; undefined takes it out. */
export function withPath(value: unknown, path: ConfigPath, replacement: unknown): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return replacement;
  if (Array.isArray(value)) return withItem(value, Number(segment), rest, replacement);
  if (isTable(value)) return withName(value, segment, rest, replacement);
  return typeof segment === "number"
    ? withItem([], segment, rest, replacement)
    : withName({}, segment, rest, replacement);
}

function withItem(list: unknown[], index: number, rest: ConfigPath, replacement: unknown): unknown[] {
  const next = withPath(list[index], rest, replacement);
  if (next === undefined) return list.filter((_, position) => position !== index);
  return index < list.length ? list.with(index, next) : [...list, next];
}

function withName(
  table: Record<string, unknown>,
  name: string | number,
  rest: ConfigPath,
  replacement: unknown,
): Record<string, unknown> {
  const next = withPath(Object.hasOwn(table, name) ? table[name] : undefined, rest, replacement);
  if (next !== undefined) return { ...table, [name]: next };
  const { [name]: _gone, ...others } = table;
  return others;
}

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the path leads to what `above` leads to, or to something in it. */
export const isWithin = (path: ConfigPath, above: ConfigPath): boolean =>
  above.length <= path.length && above.every((segment, index) => path[index] === segment);
