/** What a failure says: every value of it on its own for the table, and the one that tells people most. */
import type { FailureEvidence } from "./failure-evidence.ts";
import { titleOfPage } from "./without-markup.ts";

export interface FailureWords {
  /** As the server meant it: of the answer, or, where the answer claims success, of what it says. */
  status: number | undefined;
  /** As it came, for what is written beside the words. */
  source: string;
  said: readonly Said[];
  /** The value to show, as it came. */
  reason: string;
  /** A page for browsers came instead of an answer: something stands before the provider. */
  isPage: boolean;
}

/** One value. A word under `message` may be both. */
export interface Said {
  text: string;
  /** A code or a type: one word, made for programs. */
  isName: boolean;
  /** Made for people. */
  isSentence: boolean;
}

export function readFailureWords({ status, body, text, error }: FailureEvidence): FailureWords {
  const source = body?.trim() || text?.trim() || saidBy(error);
  const refused = status !== undefined && status >= 400 ? status : undefined;
  const title = titleOfPage(source);
  if (title !== undefined)
    return { status: refused, source, said: [sentence(title)], reason: title, isPage: true };
  const parsed = jsonIn(source);
  const found: Found[] = [];
  if (parsed !== undefined) gather(parsed, found);
  return {
    status: refused ?? statusIn(source, parsed),
    source,
    said: parsed === undefined ? plainWords(source) : found.map(asSaid),
    reason: (found.findLast(({ key }) => messageKeys.has(key)) ?? found[0])?.value ?? source,
    isPage: false,
  };
}

const sentence = (text: string): Said => ({ text, isName: false, isSentence: true });

const messageKeys = new Set(
  "message detail error_description msg error error_msg errmsg status_msg".split(" "),
);
const nameKeys = new Set(
  "code type status reason error_code errorcode errcode error_type errortype status_code __type".split(" "),
);
/** Where servers repeat what was asked, or what the model said: not their words. */
const foreignKeys = new Set(
  "param params input flagged_input failed_generation loc choices candidates output content messages prompt request_id requestid id @type domain provider_name user_id ctx url".split(
    " ",
  ),
);

interface Found {
  key: string;
  value: string;
}

const mostValues = 200;

/** The deepest last: gateways wrap what the provider behind them said, often as text. */
function gather(value: unknown, found: Found[], key = "", depth = 0): void {
  if (depth > 6 || found.length >= mostValues || foreignKeys.has(key)) return;
  if (typeof value === "string") {
    const inner = value.includes("{") ? jsonIn(value) : undefined;
    if (inner === undefined) found.push({ key, value });
    else gather(inner, found, key, depth + 1);
  } else if (typeof value === "number") {
    if (nameKeys.has(key)) found.push({ key, value: `${key}=${value}` });
  } else if (Array.isArray(value)) {
    for (const item of value.slice(0, 10)) gather(item, found, key, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).slice(0, mostValues);
    entries.sort(([, left], [, right]) => Number(isNested(left)) - Number(isNested(right)));
    for (const [name, item] of entries) gather(item, found, name.toLowerCase(), depth + 1);
  }
}

const isNested = (item: unknown): boolean =>
  typeof item === "object" || (typeof item === "string" && item.includes("{"));

function asSaid({ key, value }: Found): Said {
  const isWord = /^\S{1,120}$/.test(value);
  return {
    text: value,
    isName: isWord && (nameKeys.has(key) || messageKeys.has(key)),
    isSentence: !isWord || !nameKeys.has(key),
  };
}

/** Without structure: libraries put the code before the message. */
function plainWords(source: string): Said[] {
  if (/^[{[]/.test(source)) return brokenOff(source);
  const name = /^[A-Za-z][\w.]{2,60}(?=: |$)/.exec(source)?.[0];
  return [...(name === undefined ? [] : [{ text: name, isName: true, isSentence: false }]), sentence(source)];
}

/** Of a structure that never ends, what stands between quotes, under the key before it. */
const brokenOff = (source: string): Said[] =>
  source
    .split('"', mostValues)
    .map((value, at, parts) => {
      const key = parts[at - 1]?.trim() === ":" ? (parts[at - 2] ?? "").toLowerCase() : "";
      return { key, value };
    })
    .filter(({ key }) => key !== "" && !foreignKeys.has(key))
    .map(asSaid);

/** The object in a text, which may begin with a status or a prefix, or be one line of an event. */
function jsonIn(text: string): object | undefined {
  const start = text.search(/[{[]/);
  if (start < 0) return undefined;
  const brace = text.indexOf("{", start);
  const lineEnd = text.indexOf("\n", brace);
  return (
    parse(text.slice(start)) ??
    (brace > start ? parse(text.slice(brace)) : undefined) ??
    (brace >= 0 && lineEnd > 0 ? parse(text.slice(brace, lineEnd)) : undefined)
  );
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Words with a bracket in them.
    return undefined;
  }
}

/** Libraries put it before the message; Google and the gateways put it into the body. */
function statusIn(text: string, parsed: unknown): number | undefined {
  const written = /^(?:[\w .-]{0,40}\()?([45]\d\d)\)?(?=[\s:,]|$)/.exec(text)?.[1];
  if (written !== undefined) return Number(written);
  const whole: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return [nested(whole, "error"), whole]
    .flatMap((part) => ["code", "http_code", "status"].map((key) => Number(nested(part, key))))
    .find((code) => code >= 400 && code < 600);
}

const nested = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

function saidBy(error: unknown): string {
  const texts: string[] = [];
  for (let one = error; one instanceof Error && texts.length < 5; one = one.cause) texts.push(one.message);
  return texts.join(": ") || (error === undefined ? "" : String(error));
}
