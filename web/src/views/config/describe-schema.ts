/** The config's schema with its keys described in another language. Pure. */
import { isTable } from "@pincer/sdk";

type Table = Record<string, unknown>;

/** `lines`: the sentences of that language by those of the schema; one that has none stays as it is. */
export function describeSchema(schema: unknown, lines: Readonly<Record<string, string>>): unknown {
  if (!isTable(schema)) return schema;
  const node: Table = schema;
  const within = (each: unknown) => describeSchema(each, lines);
  const tables = ["properties", "patternProperties"].flatMap((name) => {
    const table = node[name];
    return isTable(table) ? [[name, mapValues(table, within)] as const] : [];
  });
  return {
    ...node,
    ...Object.fromEntries(tables),
    ...("items" in node && { items: within(node["items"]) }),
    ...(Array.isArray(node["anyOf"]) && { anyOf: node["anyOf"].map(within) }),
    ...(typeof node["description"] === "string" && { description: inWords(node["description"], lines) }),
  };
}

/** A sentence, and behind that of a secret how it is written. */
function inWords(text: string, lines: Readonly<Record<string, string>>): string {
  const [, sentence = text, how] = /^(.*) (Write it as "secret:NAME"\.)$/s.exec(text) ?? [];
  const words = lines[sentence] ?? sentence;
  return how === undefined ? words : `${words}${lines[how] ?? ` ${how}`}`;
}

const mapValues = (table: Table, of: (value: unknown) => unknown): Table =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, of(value)]));
