/**
 * Session keys and paths know an agent by one spelling only, in lower case, but people bring other ones along. Those
 * are brought to that spelling wherever the schema says that a key names an agent, in lists and profiles too.
 */
import { isTable, normaliseAgentId, withPath, type ConfigPath } from "@pincer/sdk";
import { childShape } from "./check-config.ts";
import type { Shape } from "./schema/keys.ts";

export interface Respelled {
  value: unknown;
  changes: Array<{ path: ConfigPath; id: string }>;
}

/** What cannot be an agent id stays as it is, for the check to find. */
export function respellAgentIds(shape: Shape, value: unknown): Respelled {
  const changes = [...otherSpellings(shape, value, [])];
  return {
    value: changes.reduce<unknown>((before, { path, id }) => withPath(before, path, id), value),
    changes,
  };
}

function* otherSpellings(
  shape: Shape,
  value: unknown,
  path: ConfigPath,
): Generator<{ path: ConfigPath; id: string }> {
  if (shape.agentId && typeof value === "string") {
    const id = normaliseAgentId(value);
    if (id !== undefined && id !== value) yield { path, id };
  }
  const inner: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : isTable(value)
      ? Object.entries(value)
      : [];
  for (const [name, item] of inner) {
    const itemShape = childShape(shape, name);
    if (itemShape) yield* otherSpellings(itemShape, item, [...path, name]);
  }
}
