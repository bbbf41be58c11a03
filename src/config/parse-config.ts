/** JSON5 text to a value whose every part can be found again in the text. Never throws, whatever the text. */
import { parse, tokenize, type DocumentNode, type Location, type ValueNode } from "@humanwhocodes/momoa";
import type { ConfigPath } from "@pincer/sdk";
import { inBothLanguages, inEnglish, type Wording } from "./in-both-languages.ts";

export interface Place {
  line: number;
  column: number;
}

export interface ParsedConfig {
  type: "parsed";
  value: unknown;
  document: DocumentNode;
  /** Keys that a careful reader would stumble over: repeated ones (the last counts) and `__proto__` (dropped). */
  remarks: Array<{ path: ConfigPath; what: "repeated" | "dropped"; place: Place }>;
  /** Where the path stands, or the nearest part above it that stands anywhere. */
  locate(path: ConfigPath): Place;
}

export interface UnparsableConfig {
  type: "unparsable";
  reason: Wording;
  /** The reason in English. */
  message: string;
  place: Place;
}

const maxCharacters = 1_000_000;
const maxDepth = 60;

export function parseConfig(text: string): ParsedConfig | UnparsableConfig {
  if (text.length > maxCharacters) return unparsable("config.parse.too-large");
  let document: DocumentNode;
  // The parser reads on for ever after a backslash that ends the text inside quotes, as a half-written file may.
  const whole = text + (hasOnlyComments(text) ? "\n{}" : text.endsWith("\\") ? "\n" : "");
  try {
    document = parse(whole, {
      mode: "json5",
      ranges: true,
      tokens: true,
      allowTrailingCommas: true,
    });
  } catch (thrown) {
    return describe(thrown, whole);
  }
  const remarks: ParsedConfig["remarks"] = [];
  const tooDeep = { place: undefined as Place | undefined };
  const value = evaluate(document.body, [], remarks, tooDeep);
  if (tooDeep.place) return tooDeepAt(tooDeep.place);
  return { type: "parsed", value, document, remarks, locate: (path) => locate(document, path) };
}

/** Such a text is an empty config: its author has commented everything out, or not begun yet. */
export function hasOnlyComments(text: string): boolean {
  const next = /[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[^]*?\*\//y;
  let found = false;
  while (next.lastIndex < text.length) {
    const piece = next.exec(text)?.[0];
    if (piece === undefined) return false;
    found ||= piece.startsWith("/");
  }
  return found;
}

/** The last member wins, as JSON5 has it. */
export function memberOf(node: ValueNode | undefined, segment: string | number) {
  if (node?.type === "Object")
    return node.members.findLast((member) => nameOf(member.name) === String(segment));
  if (node?.type === "Array" && /^\d+$/.test(String(segment))) return node.elements[Number(segment)];
  return undefined;
}

export const nameOf = (
  name: { type: "String"; value: string } | { type: "Identifier"; name: string },
): string => (name.type === "String" ? name.value : name.name);

function locate(document: DocumentNode, path: ConfigPath): Place {
  let place = placeOf(document.body.loc.start);
  let node: ValueNode | undefined = document.body;
  for (const segment of path) {
    const member = memberOf(node, segment);
    if (!member) break;
    place = placeOf(member.loc.start);
    node = member.value;
  }
  return place;
}

function evaluate(
  node: ValueNode,
  path: Array<string | number>,
  remarks: ParsedConfig["remarks"],
  tooDeep: { place: Place | undefined },
): unknown {
  if (path.length > maxDepth) {
    tooDeep.place ??= placeOf(node.loc.start);
    return null;
  }
  switch (node.type) {
    case "Object": {
      const table: Record<string, unknown> = {};
      for (const member of node.members) {
        const name = nameOf(member.name);
        const here = [...path, name];
        if (name === "__proto__")
          remarks.push({ path: here, what: "dropped", place: placeOf(member.loc.start) });
        else {
          if (Object.hasOwn(table, name))
            remarks.push({ path: here, what: "repeated", place: placeOf(member.loc.start) });
          table[name] = evaluate(member.value, here, remarks, tooDeep);
        }
      }
      return table;
    }
    case "Array":
      return node.elements.map((element, index) =>
        evaluate(element.value, [...path, index], remarks, tooDeep),
      );
    case "Null":
      return null;
    case "NaN":
      return Number.NaN;
    case "Infinity":
      return node.sign === "-" ? -Infinity : Infinity;
    default:
      return node.value;
  }
}

const placeOf = ({ line, column }: Location): Place => ({ line, column });

function describe(thrown: unknown, text: string): UnparsableConfig {
  if (thrown instanceof RangeError) return tooDeepAt(lookAtBrackets(text).tooDeep);
  const error = thrown as { message?: unknown; line?: unknown; column?: unknown; offset?: unknown };
  const place = {
    line: typeof error.line === "number" ? error.line : 1,
    column: typeof error.column === "number" ? error.column : 1,
  };
  // The parser's message may quote the text, and the text may hold a secret: only its kind is repeated.
  const message = String(error.message);
  const { areOpen, last, lastStart } = lookAtBrackets(text);
  if (message.startsWith("Unexpected end")) return unparsable("config.parse.too-early", {}, last ?? place);
  const token = /^Unexpected token (\w+) found/.exec(message)?.[1];
  if (!token) return unparsable("config.parse.character", {}, place);
  // The parser stumbles over the last thing there is when what should follow it is missing.
  if (areOpen && Number(error.offset) >= lastStart) return unparsable("config.parse.too-early", {}, last);
  const name = tokenNames[token] ?? word("config.token.other");
  return unparsable("config.parse.token", inBothLanguages("token", name), place);
}

/** Without the parser's recursion, and as far as the text can be cut into tokens at all. */
function lookAtBrackets(text: string) {
  let depth = 0;
  let tooDeep: Place | undefined;
  let last: Place | undefined;
  let lastStart = Infinity;
  try {
    for (const { type, loc } of tokenize(text, { mode: "json5" })) {
      if (type.endsWith("Comment")) continue;
      last = placeOf(loc.start);
      lastStart = loc.start.offset;
      if (type === "LBrace" || type === "LBracket") depth += 1;
      if (type === "RBrace" || type === "RBracket") depth -= 1;
      if (depth > maxDepth + 1) tooDeep ??= last;
    }
  } catch {
    // An open quote or the like: the parser's own words are the best there are.
    lastStart = Infinity;
  }
  return { areOpen: depth > 0, last, lastStart, tooDeep };
}

const sign = (text: string): Wording => ({ key: "config.token.sign", parameters: { sign: text } });
const word = (key: Wording["key"]): Wording => ({ key, parameters: {} });
const tokenNames: Record<string, Wording> = {
  LBrace: sign("{"),
  RBrace: sign("}"),
  LBracket: sign("["),
  RBracket: sign("]"),
  Comma: word("config.token.comma"),
  Colon: word("config.token.colon"),
  String: word("config.token.text"),
  Number: word("config.token.number"),
  Boolean: word("config.token.switch"),
  Null: word("config.token.null"),
  Identifier: word("config.token.word"),
};

const tooDeepAt = (place: Place | undefined) =>
  unparsable("config.parse.too-deep", { levels: maxDepth }, place);

function unparsable(
  key: Wording["key"],
  parameters: Wording["parameters"] = {},
  place: Place = { line: 1, column: 1 },
): UnparsableConfig {
  const reason = { key, parameters };
  return { type: "unparsable", reason, message: inEnglish(reason), place };
}
