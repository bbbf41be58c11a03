/**
 * `${NAME}` inside a text becomes the variable's value; `$${NAME}` stays a literal `${NAME}`. A key whose variable
 * is missing, or whose value does not fit the key, is left out so that its default holds.
 */
import { isTable, normaliseAgentId, type ConfigPath } from "@pincer/sdk";
import { checkConfig, childShape } from "./check-config.ts";
import type { Environment } from "./environment-layer.ts";
import type { Shape } from "./schema/keys.ts";

export interface Substituted {
  value: unknown;
  leftOut: Array<{ path: ConfigPath; variable: string; reason: "missing" | "bad-value" }>;
  /** Paths that took their value from a variable whose name says that it is a secret. */
  secretPaths: ConfigPath[];
}

const reference = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const nothing = Symbol("left out");

export function substituteVariables(shape: Shape, value: unknown, environment: Environment): Substituted {
  const found: Substituted = { value, leftOut: [], secretPaths: [] };
  const result = walk(shape, value, [], environment, found);
  found.value = result === nothing ? {} : result;
  return found;
}

function walk(
  shape: Shape,
  value: unknown,
  path: ConfigPath,
  environment: Environment,
  found: Substituted,
): unknown {
  if (typeof value === "string")
    return value.includes("${") ? fill(shape, value, path, environment, found) : value;
  const inside = (name: string | number, item: unknown) =>
    walk(childShape(shape, name) ?? {}, item, [...path, name], environment, found);
  if (Array.isArray(value))
    return value.map((item, index) => inside(index, item)).filter((item) => item !== nothing);
  if (!isTable(value)) return value;
  const table: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const item = inside(name, value[name]);
    if (item !== nothing) table[name] = item;
  }
  return table;
}

function fill(
  shape: Shape,
  text: string,
  path: ConfigPath,
  environment: Environment,
  found: Substituted,
): unknown {
  const used: string[] = [];
  let missing: string | undefined;
  const filled = text.replace(reference, (whole, escape: string, name: string) => {
    if (escape) return whole.slice(1);
    used.push(name);
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (!value) missing ??= name;
    return value ?? "";
  });
  const [variable] = used;
  if (variable === undefined) return filled;
  if (missing !== undefined) {
    found.leftOut.push({ path, variable: missing, reason: "missing" });
    return nothing;
  }
  const value = asWanted(shape, filled);
  if (checkConfig(shape, value, "partial").findings.length > 0) {
    found.leftOut.push({ path, variable, reason: "bad-value" });
    return nothing;
  }
  if (used.some((name) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i.test(name))) found.secretPaths.push(path);
  return value;
}

/** A variable is always text; a key that wants a number or a switch takes it as one, and an agent's id in its spelling. */
function asWanted(shape: Shape, text: string): unknown {
  if ((shape.type === "integer" || shape.type === "number") && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (shape.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return shape.agentId ? (normaliseAgentId(text) ?? text) : text;
}
