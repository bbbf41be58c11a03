/**
 * The text for the agent about a hook call: the owner's words from the config, and separate from them the content of
 * the call. The owner's words contain only a number for each piece of content, so that a caller cannot write in the
 * owner's name.
 */

export interface HookInput {
  /** What was read out of the body: any JSON value, or its text. */
  body: unknown;
  /** The body as it came. */
  text: string;
  headers: Readonly<Record<string, unknown>>;
}

export interface RenderedHook {
  /** The owner's words. */
  words: string;
  /** What came from outside, each piece under its number; empty where the words ask for none. */
  outside: string;
}

const mostPieces = 50;
const longestPiece = 16_000;
const longestOutside = 64_000;
const deepestPath = 20;

/** Pure, bounded in what it makes, and never throws. What stands between braces and is no piece of a call stays as it is. */
export function renderTemplate(template: string, input: HookInput): RenderedHook {
  const numbers = new Map<string, number>();
  const words = template.replace(piecePattern, (whole, path: string) => {
    const known = numbers.get(path) ?? numbers.size + 1;
    if (known > mostPieces) return whole;
    numbers.set(path, known);
    return mark(known);
  });
  let left = longestOutside;
  const pieces: string[] = [];
  for (const [path, number] of numbers) {
    const text = cut(withoutMarks(textAt(path, input)), Math.min(longestPiece, left));
    left -= text.length;
    pieces.push(`${mark(number)} ${path}:\n${text}`);
  }
  return { words, outside: pieces.join("\n") };
}

/** A name, then the names below it. */
const piecePattern = /\{\{\s*((?:body|headers)(?:\.[\w$-]+)*)\s*\}\}/g;

const mark = (number: number): string => `⟦${number}⟧`;

/** What came from outside must not look like the number of another piece. */
const withoutMarks = (text: string): string => text.replaceAll("⟦", "[").replaceAll("⟧", "]");

function textAt(path: string, { body, text, headers }: HookInput): string {
  const [root, ...names] = path.split(".");
  if (root === "body" && names.length === 0) return text;
  if (names.length > deepestPath) return "";
  return asText(valueAt(root === "body" ? body : shownHeaders(headers), names));
}

/** Only what a value has itself: nothing of what every object of the language has. */
function valueAt(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function asText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nested so deeply that it cannot be written: the sender gets no details.
    return "";
  }
}

/** Those that prove who calls are nobody's business. */
const hidden =
  /^(?:authorization|proxy-authorization|cookie|x-pincer-signature|x-hub-signature.*|.*token.*|.*secret.*|.*api-?key.*)$/;

const shownHeaders = (headers: HookInput["headers"]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hidden.test(name)));

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const words = most <= 0 ? "" : text.slice(0, most).toWellFormed();
  return `${words}… (cut; ${text.length} characters in all)`;
}
