/**
 * Whether the arguments of a call contain words that a rule forbids. It errs on the side of the rule: a path matches
 * in every readable spelling (dots, doubled slashes, quotes, percent signs); for programs its last part alone matches
 * as well, since a program can change the directory first. What a program composes at run time is invisible here.
 */
import { posix } from "node:path";
import { domainToASCII } from "node:url";
import type { SimpleCommand } from "../../sandbox/shell/command-reading.ts";
import { runsCommand } from "./command-match.ts";
import { fold, readText, straight, type TextReading } from "./text-reading.ts";

export interface CallFacts {
  arguments: unknown;
  /** The base of relative paths, if known. */
  workdir?: string | undefined;
  /** The call runs a program: its words may name files anywhere, however long the command is. */
  isProgram?: boolean | undefined;
  /** The shell commands in the arguments. */
  commands?: readonly SimpleCommand[] | undefined;
  /** Paths that the call touches without naming them. */
  touches?: readonly string[] | undefined;
}

export interface ArgumentReader {
  /** Whether the call contains one of these. Results are cached across questions. */
  holds(match: readonly string[]): boolean;
}

/** Reads lazily, and nothing twice. */
export function createArgumentReader(facts: CallFacts): ArgumentReader {
  let readings: TextReading[] | undefined;
  const call: Call = {
    facts,
    here: facts.workdir === undefined ? undefined : fold(facts.workdir).replaceAll("\\", "/"),
    texts: () => (readings ??= packed([...textsOf(facts)]).map(readText)),
  };
  return { holds: (match) => match.some((each) => holdsOne(call, fold(each).trim())) };
}

/**
 * Whether a rule can match it: something must remain without invisible characters, and `../` is a different place
 * each time.
 */
export function isMatchable(match: string): boolean {
  const wanted = fold(match).trim();
  if (/^@?$/.test(wanted)) return false;
  return !isPath(wanted) || isWhole(wanted) || segmentsOf(wanted).length > 0;
}

interface Call {
  facts: CallFacts;
  here: string | undefined;
  texts(): readonly TextReading[];
}

function holdsOne(call: Call, wanted: string): boolean {
  if (!isMatchable(wanted)) return false;
  if (wanted.startsWith("@")) return holdsWords(call, wanted.slice(1));
  if (isPath(wanted)) return holdsPath(call, wanted);
  if (/^[+\d][\d ().-]{5,}$/.test(wanted) && /\D/.test(wanted)) return holdsNumber(call, wanted);
  if (call.facts.commands && runsCommand(call.facts.commands, wanted)) return true;
  return holdsWords(call, wanted) || holdsHost(call, wanted) || touchesPath(call, wanted);
}

/** All texts of the call: its arguments, and the words a shell would make of them. */
function* textsOf({ arguments: given, commands = [] }: CallFacts): Generator<string> {
  yield* stringsIn(given);
  for (const { words, redirects } of commands) {
    yield words.map(({ text }) => text).join(" ");
    for (const { target } of redirects) if (target) yield target.text;
  }
}

function* stringsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number" || typeof value === "bigint") yield String(value);
  else if (Array.isArray(value)) for (const each of value) yield* stringsIn(each, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) {
      // The names of a tool's own arguments do not count.
      if (depth > 0) yield key;
      yield* stringsIn(each, depth + 1);
    }
}

/** Joins many short texts; no match crosses from one into the next. */
function packed(texts: readonly string[]): readonly string[] {
  if (texts.length <= 1000) return texts;
  const packs: string[] = [];
  let pack: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (size + text.length > shortText && pack.length > 0) {
      packs.push(pack.join("\n;\n"));
      pack = [];
      size = 0;
    }
    pack.push(text);
    size += text.length + 3;
  }
  return [...packs, pack.join("\n;\n")];
}

/** A letter or digit of a script that separates words. */
const letter = "(?!\\p{Script=Han})[\\p{L}\\p{N}_]";
const isLetter = new RegExp(`^${letter}$`, "u");

/** Only whole words: `Al` is not in `also`, `example.com` not in `example.com.org`. */
function holdsWords({ texts }: Call, wanted: string): boolean {
  const [first = "", last = ""] = [[...wanted][0], [...wanted].at(-1)];
  const isDotted = isHost(wanted);
  const left = isLetter.test(first) ? `(?<!${letter}${isDotted ? "|-" : ""})` : "";
  // A command may continue: `rm -rf` is in `rm -rfv`.
  const isOneWord = isLetter.test(last) && !wanted.includes(" ");
  const right = isOneWord ? `(?!${letter}${isDotted ? `|-|\\.${letter}` : ""})` : "";
  const pattern = new RegExp(`${left}${escaped(wanted)}${right}`, "u");
  return texts().some(
    (text) =>
      text.mayHold(wanted) &&
      text.spellings().some((spelling) => spelling.includes(wanted) && pattern.test(spelling)),
  );
}

const isHost = (wanted: string): boolean => /^[^\s/@.]+(?:\.[^\s/@.]+)+$/u.test(wanted);

function holdsHost({ texts }: Call, wanted: string): boolean {
  if (!isHost(wanted)) return false;
  const host = domainToASCII(wanted);
  if (host === "") return false;
  return texts().some((text) => text.hosts().some((each) => each === host || each.endsWith(`.${host}`)));
}

/** Compares digits only; the last nine identify a number with and without the country code. */
function holdsNumber({ texts }: Call, wanted: string): boolean {
  const digits = digitsOf(wanted).slice(-9);
  return texts().some((text) => text.numbers().some((number) => number.endsWith(digits)));
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

const isPath = (wanted: string): boolean => /[/\\]|^(?:~|\.{1,2})$/.test(wanted);

/** The root, or the whole home directory. */
const isWhole = (wanted: string): boolean => /^(?:[a-z]:)?[/\\]+$|^~[/\\]*$/.test(wanted);

function holdsPath(call: Call, wanted: string): boolean {
  const { texts, here, facts } = call;
  if (isWhole(wanted)) return texts().some((text) => text.paths().some(isRooted));
  const segments = segmentsOf(wanted);
  if (here !== undefined && liesIn(here, segments, wanted.startsWith("/"))) return true;
  if (touchesPath(call, wanted)) return true;
  const holds = facts.isProgram ? inProgram(segments) : inArgument(segments);
  const last = segments.at(-1) ?? "";
  const isForHome = facts.isProgram === true && isHome(wanted);
  return texts().some(
    (text) =>
      (isForHome && text.spellings().some((spelling) => homeName.test(spelling))) ||
      (text.mayHold(last) &&
        (text.paths().some(holds) ||
          (here !== undefined && !facts.isProgram && text.under(here).some(holds)))),
  );
}

/** A single word is a path in an argument, but not in the text of a document. */
function inArgument(segments: readonly string[]): (text: string) => boolean {
  const pattern = segments.map(escaped).join("/");
  const stands = new RegExp(`(?<=^|${border})(?<!,\\s*)${pattern}(?=$|${border})`, "u");
  const beside = new RegExp(
    `/${pattern}(?=$|${border}|[.](?:$|\\s|\\p{Script=Han}))|(?<=^|${border})${pattern}/`,
    "u",
  );
  const last = segments.at(-1) ?? "";
  return (text) =>
    text.includes(last) && (beside.test(text) || (text.length <= shortText && stands.test(text)));
}

function inProgram(segments: readonly string[]): (text: string) => boolean {
  const last = segments.at(-1) ?? "";
  const stands = new RegExp(`(?<=^|${border})${escaped(last)}(?=$|${border})`, "u");
  return (text) => text.includes(last) && stands.test(text);
}

/** Characters that end a name within a path or command. */
const border = "[\\s/'\"`;|&<>()$={}\\[\\]:,*?#!^]";

/** A command may refer to a home directory in several ways. */
const isHome = (wanted: string): boolean => /^\/(?:(?:home|users)\/[^/]+|root)\/?$/.test(wanted);
const homeName = new RegExp(`(?<=^|${border})~(?=$|${border})|\\$\\{?home\\b`, "u");

const shortText = 300;

const isRooted = (text: string): boolean => /(^|[\s'"=:])[/~]/.test(text);

/** The touched path lies in the forbidden one, or the other way round. */
function touchesPath({ facts: { touches = [] }, here }: Call, wanted: string): boolean {
  if (touches.length === 0) return false;
  const forbidden = `/${segmentsOf(wanted).join("/")}/`;
  return touches.some((each) => {
    const own = `/${segmentsOf(fold(each)).join("/")}/`;
    const touched = `${here === undefined ? "" : posix.normalize(here).replace(/\/$/, "")}${own}`;
    if (wanted.startsWith("/") && here !== undefined)
      return touched.startsWith(forbidden) || forbidden.startsWith(touched);
    return touched.includes(forbidden) || forbidden.includes(own);
  });
}

function liesIn(directory: string, segments: readonly string[], isAbsolute: boolean): boolean {
  const inside = `${posix.normalize(directory)}/`;
  const path = `/${segments.join("/")}/`;
  return isAbsolute ? inside.startsWith(path) : inside.includes(path);
}

function segmentsOf(path: string): string[] {
  const plain = path.replaceAll("\\", "/").replace(/^(file:\/\/|~|[a-z]:(?=\/))/, "");
  return straight(plain)
    .split("/")
    .filter((segment) => segment !== "" && segment !== "..");
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
