/** Writes values as JSON5 in the manner of the text they go into. */

export interface Manner {
  quote: '"' | "'";
  /** Whether names are quoted even where JSON5 does not ask for it. */
  quotesNames: boolean;
  /** One step of indentation. */
  step: string;
  newline: string;
}

/** On one line where it is short or `oneLine` says so; otherwise one item per line, indented below `indent`. */
export function printJson5(
  value: unknown,
  manner: Manner,
  indent: string,
  room: "one-line" | "lines",
): string {
  const inline = printInline(value, manner);
  const isNested = typeof value === "object" && value !== null && Object.values(value).some(isGroup);
  if (room === "one-line" || !isGroup(value) || (inline.length <= 60 && !isNested)) return inline;
  const inner = indent + manner.step;
  const line = (text: string) => `${manner.newline}${inner}${text},`;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const items = Array.isArray(value)
    ? value.map((item) => line(printJson5(item, manner, inner, room)))
    : Object.entries(value).map(([name, item]) =>
        line(`${printName(name, manner)}: ${printJson5(item, manner, inner, room)}`),
      );
  return `${open}${items.join("")}${manner.newline}${indent}${close}`;
}

export function printName(name: string, manner: Manner): string {
  const isPlain = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) && !reserved.has(name);
  return isPlain && !manner.quotesNames ? name : printText(name, manner);
}

/** Words that the parser takes for values even where a name stands. */
const reserved = new Set(["true", "false", "null", "Infinity", "NaN"]);

function printInline(value: unknown, manner: Manner): string {
  if (typeof value === "string") return printText(value, manner);
  if (Array.isArray(value)) return `[${value.map((item) => printInline(item, manner)).join(", ")}]`;
  if (!isGroup(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${printName(name, manner)}: ${printInline(item, manner)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function printText(text: string, { quote }: Manner): string {
  const json = JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  if (quote === '"') return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

const isGroup = (value: unknown): value is object => typeof value === "object" && value !== null;
