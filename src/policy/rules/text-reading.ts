/** The possible readings of a text in which something may hide. Each is computed once, on first use. */
import { posix } from "node:path";

export interface TextReading {
  /** A quick check: false only if no reading can contain this. */
  mayHold(part: string): boolean;
  /** As written, and decoded: percent signs, quotes and backslashes resolved. */
  spellings(): readonly string[];
  /** These, and their normalised paths: `a//b`, `a/./b` and `a/x/../b` are `a/b`. */
  paths(): readonly string[];
  /** The same for texts short enough to be a relative path, resolved against a directory. */
  under(directory: string): readonly string[];
  /** Hosts of the addresses in it, as a browser would read them. */
  hosts(): readonly string[];
  /** Digit sequences, without separators. */
  numbers(): readonly string[];
}

export function readText(text: string): TextReading {
  const folded = once(() => fold(text));
  const decoded = once(() => decode(folded()));
  const bare = once(() => withoutQuotes(decoded()));
  const spellings = once(() => distinct([folded(), decoded(), decoded().replaceAll("\\", "/"), bare()]));
  const paths = once(() => distinct(spellings().flatMap((each) => [each, withoutDetours(each)])));
  const under = new Map<string, readonly string[]>();
  return {
    // This reading covers all others, except for parts written with a percent sign.
    mayHold: (part) => part.includes("%") || bare().includes(withoutQuotes(part)),
    spellings,
    paths,
    under(directory) {
      const found = under.get(directory) ?? joined(directory, paths());
      under.set(directory, found);
      return found;
    },
    hosts: once(() => hostsIn(spellings())),
    numbers: once(() => numbersIn(spellings()[0] ?? "")),
  };
}

/** Drops invisible characters, so that they cannot split a word, and unifies full stops. */
export function fold(text: string): string {
  // oxlint-disable-next-line no-control-regex -- plain text is the usual case, and quick to tell
  const isPlain = /^[\x00-\x7f]*$/.test(text);
  const composed = isPlain
    ? text
    : text
        .normalize("NFKC")
        .replaceAll(/\p{Cf}/gu, "")
        .replaceAll(/[。｡]/g, ".");
  return composed.toLowerCase().replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, " ");
}

/** In one pass, however many detours there are. */
export function straight(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else kept.push(segment);
  }
  return `${path.startsWith("/") ? "/" : ""}${kept.join("/")}`;
}

const withoutQuotes = (text: string): string =>
  /['"\\]/.test(text) ? text.replaceAll(/\\\r?\n|['"\\]/g, "") : text;

function withoutDetours(text: string): string {
  const detour = /\/[./]/g;
  const pieces: string[] = [];
  let done = 0;
  for (let found = detour.exec(text); found; found = detour.exec(text)) {
    let start = found.index;
    while (start > done && !isBreak(text.charCodeAt(start - 1))) start--;
    let end = found.index;
    while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
    pieces.push(text.slice(done, start), straight(text.slice(start, end)));
    done = end;
    detour.lastIndex = end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(done);
}

/** White space, quotes, `=` and `:`. */
const breaks = new Set([..." \n\r\t\v\f'\"=:"].map((sign) => sign.charCodeAt(0)));
const isBreak = (code: number): boolean => breaks.has(code);

const longestRelative = 300;

const joined = (directory: string, paths: readonly string[]): string[] =>
  distinct(
    paths
      .filter((path) => path.length <= longestRelative)
      .map((path) =>
        path
          .split("\n")
          .map((line) => (line.startsWith("/") ? line : posix.join(directory, line)))
          .join("\n"),
      ),
  );

function decode(text: string): string {
  if (!text.includes("%")) return text;
  return text.replaceAll(/(%[0-9a-f]{2})+/g, (whole) => {
    try {
      return fold(decodeURIComponent(whole));
    } catch {
      // Not a valid percent encoding: it stays as written.
      return whole;
    }
  });
}

const mostHosts = 1000;

function hostsIn(spellings: readonly string[]): string[] {
  const hosts = new Set<string>();
  for (const spelling of spellings)
    for (const [address] of spelling.matchAll(/\b[a-z][a-z0-9+.-]{0,10}:[/\\]{1,4}[^\s'"<>]{1,2000}/g)) {
      if (hosts.size >= mostHosts) return [...hosts];
      if (URL.canParse(address)) hosts.add(new URL(address).hostname);
    }
  return [...hosts];
}

const numbersIn = (text: string): string[] =>
  [...text.matchAll(/\d(?:[ ().-]{0,3}\d){5,40}/g)].map(([whole]) => whole.replaceAll(/\D/g, ""));

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
