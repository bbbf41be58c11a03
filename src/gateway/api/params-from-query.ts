/** The parameters of a method from a query string. */
import { methods as methodTable, type MethodName } from "@pincer/sdk";

/**
 * Numbers and flags are read as the method's schema has them; whatever does not fit stays text, and is refused with the method's own words.
 * Of a name that is there twice the last one counts. Pure, and never throws.
 */
export function paramsFromQuery(method: MethodName, query: URLSearchParams): Record<string, unknown> {
  const properties = methodTable[method].params.properties as Record<string, { type?: unknown }>;
  return Object.fromEntries(
    [...query].map(([name, text]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
      return [name, read(type, text)];
    }),
  );
}

function read(type: unknown, text: string): unknown {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text))
    return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
