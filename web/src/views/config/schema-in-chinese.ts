/** The config's schema with its keys described in Chinese, as it brings them along. Pure; what has no Chinese line stays as it is. */
import { isTable } from "@pincer/sdk";

type Table = Record<string, unknown>;

export function inChinese(schema: unknown): unknown {
  if (!isTable(schema)) return schema;
  const node: Table = schema;
  const tables = ["properties", "patternProperties"].flatMap((name) => {
    const table = node[name];
    return isTable(table) ? [[name, mapValues(table)] as const] : [];
  });
  return {
    ...node,
    ...Object.fromEntries(tables),
    ...("items" in node && { items: inChinese(node["items"]) }),
    ...(Array.isArray(node["anyOf"]) && { anyOf: node["anyOf"].map(inChinese) }),
    ...(typeof node["descriptionZh"] === "string" && { description: node["descriptionZh"] }),
  };
}

const mapValues = (table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, inChinese(value)]));
