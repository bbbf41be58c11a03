/** The arguments of a call as fields that people read, in the order in which its tool declares them. */
import type { Tool } from "@pincer/sdk";
import type { CallField } from "../../storage/approvals/approvals.ts";

/** Deeper parts are shown as JSON. */
const deepest = 4;

/** Pure. */
export function fieldsOf({ input: schema }: Pick<Tool, "input">, input: unknown): CallField[] {
  if (typeof input !== "object" || input === null) return [];
  const given = input as Readonly<Record<string, unknown>>;
  const declared = Object.entries(schema.properties as Record<string, { description?: unknown }>);
  const about = new Map(
    declared.flatMap(([name, { description }]) =>
      typeof description === "string" ? [[name, description] as const] : [],
    ),
  );
  const names = [...new Set([...declared.map(([name]) => name), ...Object.keys(given)])];
  return names.flatMap((name) =>
    given[name] === undefined
      ? []
      : partsOf(name, given[name], 1).map((field) => {
          const words = about.get(name);
          return words === undefined ? field : { ...field, about: words };
        }),
  );
}

function partsOf(name: string, value: unknown, depth: number): CallField[] {
  if (typeof value === "string") return [{ name, value }];
  const isOpen = typeof value === "object" && value !== null && depth < deepest;
  const parts = isOpen ? Object.entries(value) : [];
  if (parts.length === 0) return [{ name, value: JSON.stringify(value) ?? "" }];
  return parts.flatMap(([part, each]) =>
    partsOf(Array.isArray(value) ? `${name}[${Number(part) + 1}]` : `${name}.${part}`, each, depth + 1),
  );
}
