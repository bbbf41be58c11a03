/** What a request to the planner or the writer lists as JSON, wherever in its texts that stands. */
import { textOf, type ModelRequest } from "@pincer/sdk";

/** What a planner may choose from. */
export interface Listing {
  contacts: ReadonlyArray<{ id: string; name: string }>;
  tools: ReadonlyArray<{ name: string }>;
  sources: ReadonlyArray<{ id: string; what: string }>;
}

export const readable = ({ systemPrompt, messages }: ModelRequest): string =>
  [systemPrompt, ...messages.map((message) => textOf(message))].join("\n");

export function listingIn(read: string): Listing {
  const objects = objectsIn(read);
  const list = (key: string): Array<Record<string, unknown>> => {
    const own = objects.map((each) => each[key]).findLast((value) => Array.isArray(value));
    return tablesOf(own ?? arrayBehind(read, key));
  };
  return {
    contacts: list("contacts").map(({ id, name }) => ({ id: said(id), name: said(name) })),
    tools: list("tools").map(({ name }) => ({ name: said(name) })),
    sources: list("sources").map(({ id, what }) => ({ id: said(id), what: said(what) })),
  };
}

/** The names of the arguments that a writer is asked to word; those that messages have, where it does not say. */
export function wordedNames(read: string): string[] {
  const lists = objectsIn(read).flatMap((each) =>
    ["arguments", "args", "fields", "names"].flatMap((key) => namesOf(each[key])),
  );
  const listed = lists.length > 0 ? lists : namesOf(arrayBehind(read, "arguments"));
  if (listed.length > 0) return [...new Set(listed)];
  return ["text", "subject", "body", "title", "options"].filter((name) => read.includes(`"${name}"`));
}

const said = (value: unknown): string => (typeof value === "string" ? value : "");

const tablesOf = (value: unknown): Array<Record<string, unknown>> =>
  Array.isArray(value)
    ? value.filter((each): each is Record<string, unknown> => typeof each === "object" && each !== null)
    : [];

const namesOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.filter((each): each is string => typeof each === "string");
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
};

/** `Contacts: [ … ]`, where it is no part of an object. */
function arrayBehind(read: string, key: string): unknown {
  const at = read.search(new RegExp(`\\b${key}\\b[^[\\]{}]{0,20}\\[`, "i"));
  const from = at < 0 ? -1 : read.indexOf("[", at);
  const end = from < 0 ? undefined : endOf(read, from, "[", "]");
  return end === undefined ? undefined : parsed(read.slice(from, end));
}

/** The outermost JSON objects in a text. */
function objectsIn(text: string): Array<Record<string, unknown>> {
  const found: Array<Record<string, unknown>> = [];
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at)) {
    const end = endOf(text, at, "{", "}");
    const read = end === undefined ? undefined : parsed(text.slice(at, end));
    if (read !== undefined) found.push(read as Record<string, unknown>);
    at = read !== undefined && end !== undefined ? end : at + 1;
  }
  return found;
}

/** Behind the bracket that closes the one at `from`. */
function endOf(text: string, from: number, opening: string, closing: string): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let index = from; index < text.length; index++) {
    const letter = text[index];
    if (isQuoted && letter === "\\") index++;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === opening) depth++;
    else if (letter === closing && --depth === 0) return index + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A bracket in prose.
    return undefined;
  }
}
