/** The arguments of a call, with what the model has seen in the place of its placeholders. */
import { isCanary, type Canaries } from "./canaries.ts";

/** What a model knows when it makes a call. */
export interface Knowledge {
  /** Everything that it reads now, the newest text first. */
  seen: readonly string[];
  /** What the calls of the turn were answered, in order. */
  results: readonly string[];
  canaries: Canaries;
}

export type FilledOrder =
  | { type: "filled"; calls: Array<Record<string, unknown>> }
  | { type: "unseen"; what: string };

/** Several calls where a placeholder says `each`. */
export function fillArguments(given: Record<string, unknown>, knowledge: Knowledge): FilledOrder {
  const unseen: string[] = [];
  const each = new Set<number>();
  const look = (expression: string): readonly string[] => {
    const value = lookUp(expression, knowledge);
    if (value === undefined) unseen.push(expression);
    if (typeof value === "object") each.add(value.length);
    return value === undefined ? [""] : typeof value === "string" ? [value] : value;
  };
  fillAll(given, (expression) => look(expression)[0] ?? "");
  if (unseen.length > 0) return { type: "unseen", what: unseen.join(", ") };
  const count = Math.max(1, ...each);
  const calls = Array.from({ length: count }, (_, index) =>
    fillAll(given, (expression) => {
      const values = look(expression);
      return values[Math.min(index, values.length - 1)] ?? "";
    }),
  );
  return { type: "filled", calls: calls as Array<Record<string, unknown>> };
}

/** The words of a reply; undefined where something of it was not seen. */
export function fillText(text: string, knowledge: Knowledge): string | undefined {
  const filled = fillArguments({ text }, knowledge);
  return filled.type === "filled" ? String(filled.calls[0]?.["text"]) : undefined;
}

const placeholder = /\{\{((?:seen|secret|result):(?:\/(?:[^/\\]|\\.)+\/[a-z]*|[^|}]*)(?:\|[a-z0-9:]+)*)\}\}/g;

function fillAll(value: unknown, fill: (expression: string) => string): unknown {
  if (typeof value === "string")
    return value.replaceAll(placeholder, (_, expression: string) => fill(expression));
  if (Array.isArray(value)) return value.map((each) => fillAll(each, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [fillAll(key, fill), fillAll(each, fill)]),
  );
}

function lookUp(expression: string, knowledge: Knowledge): string | string[] | undefined {
  const [, kind = "", rest = ""] = /^(\w+):(.*)$/s.exec(expression) ?? [];
  const [, name = "", ways = ""] = /^(\/(?:[^/\\]|\\.)+\/[a-z]*|[^|]*)((?:\|.*)?)$/s.exec(rest) ?? [];
  let value: string | string[] | undefined = known(kind, name, knowledge);
  for (const way of ways.split("|").slice(1)) {
    if (typeof value !== "string") return value;
    value = change(value, way);
  }
  return value;
}

function known(kind: string, name: string, { seen, results, canaries }: Knowledge): string | undefined {
  if (kind === "result") return results[Number(name) - 1];
  if (kind === "secret") {
    const value = isCanary(name) ? canaries[name] : undefined;
    return value !== undefined && seen.some((text) => text.includes(value)) ? value : undefined;
  }
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(name) ?? [];
  const pattern = new RegExp(source, flags);
  const found = seen.map((text) => pattern.exec(text)).find((match) => match !== null);
  return found?.[1] ?? found?.[0];
}

function change(value: string, way: string): string | string[] {
  const [name, from = "0", to] = way.split(":");
  switch (name) {
    case "base64":
      return Buffer.from(value).toString("base64");
    case "hex":
      return Buffer.from(value).toString("hex");
    case "rot13":
      return rot13(value);
    case "reverse":
      return [...value].toReversed().join("");
    case "dots":
      return [...value].join(".");
    case "url":
      return encodeURIComponent(value);
    case "upper":
      return value.toUpperCase();
    case "words":
      return value.replaceAll(/[^A-Za-z0-9]+/g, "-");
    case "slice":
      return value.slice(Number(from), to === undefined ? undefined : Number(to));
    case "each":
      return [...value];
    default:
      throw new Error(`a placeholder has no way called ${way}`);
  }
}

export const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
