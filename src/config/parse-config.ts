/** JSON5 text to a value whose every part can be found again in the text. Never throws, whatever the text. */
import { parse, type DocumentNode, type Location, type ValueNode } from "@humanwhocodes/momoa";
import type { ConfigPath } from "./config-path.ts";

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
  message: string;
  place: Place;
}

const maxCharacters = 1_000_000;
const maxDepth = 60;

export function parseConfig(text: string): ParsedConfig | UnparsableConfig {
  if (text.length > maxCharacters) return unparsable("the file is larger than a million characters");
  let document: DocumentNode;
  try {
    // The parser reads on for ever after a backslash that ends the text inside quotes, as a half-written file may.
    const ending = hasOnlyComments(text) ? "\n{}" : text.endsWith("\\") ? "\n" : "";
    document = parse(text + ending, {
      mode: "json5",
      ranges: true,
      tokens: true,
      allowTrailingCommas: true,
    });
  } catch (thrown) {
    return describe(thrown);
  }
  const remarks: ParsedConfig["remarks"] = [];
  const tooDeep = { place: undefined as Place | undefined };
  const value = evaluate(document.body, [], remarks, tooDeep);
  if (tooDeep.place) return unparsable(`groups are nested deeper than ${maxDepth} levels`, tooDeep.place);
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

function describe(thrown: unknown): UnparsableConfig {
  if (thrown instanceof RangeError) return unparsable(`groups are nested deeper than ${maxDepth} levels`);
  const error = thrown as { message?: unknown; line?: unknown; column?: unknown };
  const place = {
    line: typeof error.line === "number" ? error.line : 1,
    column: typeof error.column === "number" ? error.column : 1,
  };
  // The parser's message may quote the text, and the text may hold a secret: only its kind is repeated.
  const message = String(error.message);
  if (message.startsWith("Unexpected end"))
    return unparsable("the text ends too early (a bracket or quote is open)", place);
  const token = /^Unexpected token (\w+) found/.exec(message)?.[1];
  if (token) return unparsable(`did not expect ${tokenNames[token] ?? "this"} here`, place);
  return unparsable("did not expect this character here", place);
}

const tokenNames: Record<string, string> = {
  LBrace: '"{"',
  RBrace: '"}"',
  LBracket: '"["',
  RBracket: '"]"',
  Comma: "a comma",
  Colon: "a colon",
  String: "a text",
  Number: "a number",
  Boolean: "true or false",
  Null: "null",
  Identifier: "a word without quotes",
};

const unparsable = (message: string, place: Place = { line: 1, column: 1 }): UnparsableConfig => ({
  type: "unparsable",
  message,
  place,
});
