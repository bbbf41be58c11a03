/** What a failure says: all of it for the table, one line of it for people. */
import type { FailureEvidence } from "./failure-evidence.ts";

export interface FailureWords {
  status: number | undefined;
  /** Codes, types and messages, of what is nested in them as well. */
  all: string;
  /** One line without markup. */
  message: string;
  /** A page for browsers came instead of an answer: something stands before the provider. */
  isPage: boolean;
}

const mostCharacters = 300;

export function readFailureWords({ status, body, text, error }: FailureEvidence): FailureWords {
  const source = body?.trim() || text?.trim() || saidBy(error);
  const page = /<(?:!doctype|html|head|body|title)\b/i.test(source.slice(0, 2000));
  if (page) {
    const title = withoutMarkup(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(source)?.[1] ?? source);
    return { status, all: withoutMarkup(source), message: line(status, title), isPage: true };
  }
  const parsed = jsonIn(source);
  const said = parsed === undefined ? [] : gather(parsed);
  const named = status ?? statusIn(source, parsed);
  const best =
    said.findLast(({ key }) => messageKeys.includes(key))?.value ??
    (said.length > 0 ? said[0]?.value : undefined);
  return {
    status: named,
    all: said.length > 0 ? `${source}\n${said.map(({ value }) => value).join("\n")}` : source,
    message: line(named, withoutMarkup(best ?? source)),
    isPage: false,
  };
}

const messageKeys: readonly string[] = ["message", "detail", "error_description", "msg", "error"];

interface Said {
  key: string;
  value: string;
}

/** Texts of the object, the deepest last: gateways wrap what the provider behind them said, often as text. */
function gather(value: unknown, key = "", depth = 0): Said[] {
  if (depth > 6) return [];
  if (typeof value === "string") {
    const inner = value.includes("{") ? jsonIn(value) : undefined;
    return inner === undefined ? [{ key, value }] : gather(inner, key, depth + 1);
  }
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((item) => gather(item, key, depth + 1));
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  const isNested = (item: unknown): boolean =>
    typeof item === "object" || (typeof item === "string" && item.includes("{"));
  entries.sort(([, left], [, right]) => Number(isNested(left)) - Number(isNested(right)));
  return entries.flatMap(([name, item]) => gather(item, name, depth + 1));
}

/** The object in a text, which may begin with a status or a prefix. */
function jsonIn(text: string): unknown {
  const start = text.search(/[{[]/);
  if (start < 0) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Words with a bracket in them.
    return undefined;
  }
}

/** Libraries put it before the message; Google puts it into the body. */
function statusIn(text: string, parsed: unknown): number | undefined {
  const written = /^(?:[\w .-]{0,40}\()?([45]\d\d)\)?(?=[\s:,]|$)/.exec(text)?.[1];
  if (written !== undefined) return Number(written);
  const error: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const code: unknown = nested(nested(error, "error"), "code") ?? nested(error, "code");
  return typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
}

const nested = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

function saidBy(error: unknown): string {
  const texts: string[] = [];
  for (let one = error; one instanceof Error && texts.length < 5; one = one.cause) texts.push(one.message);
  return texts.join(": ") || (error === undefined ? "" : String(error));
}

const withoutMarkup = (text: string): string =>
  text
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:nbsp|#160);/g, " ")
    .replace(/&amp;/g, "&");

function line(status: number | undefined, text: string): string {
  const clean = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const begun = status === undefined || clean.startsWith(String(status)) ? clean : `${status}: ${clean}`;
  const whole = begun.replace(/: $/, "") || "nothing was said about the reason";
  return whole.length <= mostCharacters ? whole : `${whole.slice(0, mostCharacters - 1)}…`;
}
