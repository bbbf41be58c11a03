/**
 * Changes one value in the JSON5 text and leaves everything else as its author wrote it: comments, quotes,
 * indentation, order. The text is cut at the places where the parser found the value, never printed anew.
 */
import type { DocumentNode, ElementNode, MemberNode, ValueNode } from "@humanwhocodes/momoa";
import { isDeepStrictEqual } from "node:util";
import { formatPath, isTable, readPath, type ConfigPath } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { hasOnlyComments, memberOf, parseConfig, type ParsedConfig } from "./parse-config.ts";
import { printJson5, printName, type Manner } from "./print-json5.ts";

const skeleton = `{
  configVersion: 1,
}
`;
const greeting =
  "// Configuration of Pincer. `pincer config schema` describes every key; comments survive `pincer config set`.";

/** The text with the value (any JSON value) at the path. Throws PincerError config/unparsable or config/bad-value. */
export function setInText(text: string | undefined, path: ConfigPath, value: unknown): string {
  const present = begun(text);
  const parsed = parseOrRefuse(present);
  const { node, depth } = descend(parsed.document, path);
  if (depth < path.length) return insert(present, parsed.document, node, path, depth, value);

  const before = readPath(parsed.value, path);
  if (isDeepStrictEqual(before, value)) return present;
  if (isTable(before) && isTable(value)) return setEach(present, path, before, value);
  const manner = mannerOf(present, parsed.document);
  // Comments inside what is replaced are kept, in front of the new value.
  const kept = commentsWithin(present, parsed.document, rangeOf(node));
  const printed = printJson5(value, manner, indentOfLine(present, node.range?.[0] ?? 0), "lines");
  return splice(present, [{ range: rangeOf(node), text: kept + printed }]);
}

function begun(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return `${greeting}\n${skeleton}`;
  return hasOnlyComments(text) ? `${text.trimEnd()}\n${skeleton}` : text;
}

/** The text without the path, every repetition of it included. Throws PincerError config/unparsable. */
export function unsetInText(
  text: string,
  path: ConfigPath,
  commentsInside: "drop" | "keep" = "drop",
): { text: string; found: boolean } {
  let present = text;
  for (let found = false; ; found = true) {
    const { document } = parseOrRefuse(present);
    const { node, depth } = descend(document, path.slice(0, -1));
    const member = depth === path.length - 1 ? memberOf(node, path.at(-1) ?? "") : undefined;
    if (!member) return { text: present, found };
    const range = itemRange(member);
    const kept = commentsInside === "keep" ? commentsWithin(present, document, range) : "";
    present = remove(present, document, range, kept);
    if (node.type === "Array") return { text: present, found: true };
  }
}

/** The literal as it stands in the text, quotes included; undefined where there is none. */
export function sourceAt(text: string, path: ConfigPath): string | undefined {
  const parsed = parseConfig(text);
  if (parsed.type === "unparsable") return undefined;
  const { node, depth } = descend(parsed.document, path);
  return depth === path.length ? sliceOf(text, node.range) : undefined;
}

/** Puts a literal, as another text had it, in place of the value at the path. */
export function putSource(text: string, path: ConfigPath, source: string): string {
  const { node, depth } = descend(parseOrRefuse(text).document, path);
  return depth === path.length ? splice(text, [{ range: rangeOf(node), text: source }]) : text;
}

/** Throws PincerError config/unparsable, with the line to look at. */
export function parseOrRefuse(text: string): ParsedConfig {
  const parsed = parseConfig(text);
  if (parsed.type === "parsed") return parsed;
  const { line, column } = parsed.place;
  throw failure(
    "config/unparsable",
    "config.unparsable",
    { line, column, ...inBothLanguages("reason", parsed.reason) },
    { hint: "config.unparsable.hint" },
  );
}

interface Cut {
  range: [number, number];
  text: string;
}

/** Cuts must not overlap; those at the same place are applied in the order given. */
export function splice(text: string, cuts: Cut[]): string {
  let result = "";
  let at = 0;
  for (const cut of cuts.toSorted((a, b) => a.range[0] - b.range[0])) {
    result += text.slice(at, cut.range[0]) + cut.text;
    at = cut.range[1];
  }
  return result + text.slice(at);
}

export const rangeOf = (node: { range?: [number, number] | undefined }): [number, number] =>
  node.range ?? [0, 0];

/** Items of lists have no range of their own: it is that of their value. */
const itemRange = (item: MemberNode | ElementNode): [number, number] =>
  rangeOf(item.type === "Element" ? item.value : item);

function descend(document: DocumentNode, path: ConfigPath): { node: ValueNode; depth: number } {
  let node: ValueNode = document.body;
  for (const [depth, segment] of path.entries()) {
    const member = memberOf(node, segment);
    if (!member) return { node, depth };
    node = member.value;
  }
  return { node, depth: path.length };
}

function setEach(
  text: string,
  path: ConfigPath,
  before: Record<string, unknown>,
  value: Record<string, unknown>,
): string {
  let present = text;
  for (const name of Object.keys(before))
    if (!Object.hasOwn(value, name)) present = unsetInText(present, [...path, name], "keep").text;
  for (const [name, item] of Object.entries(value)) present = setInText(present, [...path, name], item);
  return present;
}

function insert(
  text: string,
  document: DocumentNode,
  node: ValueNode,
  path: ConfigPath,
  depth: number,
  value: unknown,
): string {
  const [segment = "", ...rest] = path.slice(depth);
  const isList = node.type === "Array";
  const manner = mannerOf(text, document);
  const nested = rest.reduceRight<unknown>((inner, name) => wrap(name, inner, path), value);
  if (node.type === "Null") {
    const printed = printJson5(
      wrap(segment, nested, path),
      manner,
      indentOfLine(text, rangeOf(node)[0]),
      "lines",
    );
    return splice(text, [{ range: rangeOf(node), text: printed }]);
  }
  const key = formatPath(path.slice(0, depth));
  if (node.type !== "Object" && !isList)
    throw failure("config/bad-value", "config.no-keys", { key }, { hint: "config.no-keys.hint" });
  if (isList && Number(segment) !== node.elements.length)
    throw failure(
      "config/bad-value",
      "config.no-item",
      { key, count: node.elements.length, item: segment },
      { hint: "config.no-item.hint" },
    );

  const [start, end] = rangeOf(node);
  const inside = (document.tokens ?? []).filter(
    ({ range }) => range !== undefined && range[0] > start && range[1] < end,
  );
  const last = inside.at(-1);
  const lastItem = node.type === "Object" ? node.members.at(-1) : node.elements.at(-1);
  const isLines = /[\n\r]/.test(text.slice(start, end)) || (inside.length === 0 && node === document.body);
  const lineIndent = indentOfLine(text, lastItem ? itemRange(lastItem)[0] : start);
  const startsItsLine =
    lastItem &&
    text.slice(0, itemRange(lastItem)[0]).endsWith(lineIndent) &&
    isFirstOnLine(text, itemRange(lastItem)[0]);
  const indent = startsItsLine ? lineIndent : indentOfLine(text, start) + manner.step;
  const printed = printJson5(nested, manner, indent, isLines ? "lines" : "one-line");
  const member = isList ? printed : `${printName(String(segment), manner)}: ${printed}`;

  const cuts: Cut[] = [];
  const endsWithComma = inside.findLast(({ type }) => !type.endsWith("Comment"))?.type === "Comma";
  if (lastItem && !endsWithComma)
    cuts.push({ range: [itemRange(lastItem)[1], itemRange(lastItem)[1]], text: "," });
  const comma = endsWithComma || (!lastItem && isLines) ? "," : "";
  const at = last?.range?.[1] ?? start + 1;
  if (isLines) {
    const closing =
      inside.length === 0 && !/[\n\r]/.test(text.slice(start, end))
        ? manner.newline + indentOfLine(text, start)
        : "";
    cuts.push({
      range: [at, closing ? end - 1 : at],
      text: `${manner.newline}${indent}${member}${comma}${closing}`,
    });
  } else if (inside.length === 0) {
    cuts.push({ range: [start + 1, end - 1], text: isList ? member : ` ${member} ` });
  } else cuts.push({ range: [at, at], text: ` ${member}${comma}` });
  return splice(text, cuts);
}

function wrap(name: string | number, inner: unknown, path: ConfigPath): unknown {
  if (typeof name === "string") return { [name]: inner };
  if (name === 0) return [inner];
  const key = formatPath(path);
  throw failure("config/bad-value", "config.no-list", { key }, { hint: "config.no-list.hint" });
}

function remove(text: string, document: DocumentNode, [start, end]: [number, number], kept: string): string {
  const tokens = (document.tokens ?? []).filter(({ type }) => !type.endsWith("Comment"));
  const next = tokens.find((token) => rangeOf(token)[0] >= end);
  const previous = tokens.findLast((token) => rangeOf(token)[1] <= start);
  const comma = next?.type === "Comma" ? next : previous?.type === "Comma" ? previous : undefined;
  const isRightBehind =
    comma !== undefined && comma === next && text.slice(end, rangeOf(comma)[0]).trim() === "";
  const last = isRightBehind ? rangeOf(comma)[1] : end;
  const cuts: Cut[] = [{ range: kept ? [start, last] : tidy(text, start, last), text: kept }];
  if (comma && !isRightBehind) cuts.push({ range: rangeOf(comma), text: "" });
  return splice(text, cuts);
}

/** Takes the line along when nothing else stands on it, otherwise the blanks that followed. */
function tidy(text: string, start: number, end: number): [number, number] {
  const rest = /^[ \t]*(\r\n|\n|\r)?/.exec(text.slice(end));
  if (isFirstOnLine(text, start) && rest?.[1] !== undefined)
    return [start - indentOfLine(text, start).length, end + rest[0].length];
  return [start, end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0)];
}

const lineStart = (text: string, at: number) =>
  Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;
const isFirstOnLine = (text: string, at: number) =>
  at > 0 && text.slice(lineStart(text, at), at).trim() === "" && lineStart(text, at) > 0;
const indentOfLine = (text: string, at: number) => /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? "";
const sliceOf = (text: string, range: [number, number] | undefined) => text.slice(...(range ?? [0, 0]));

/** Written one after another; a line comment brings its line end along. */
function commentsWithin(text: string, document: DocumentNode, [start, end]: [number, number]): string {
  const inside = (document.tokens ?? []).filter((token) => {
    const [from, to] = rangeOf(token);
    return token.type.endsWith("Comment") && from >= start && to <= end;
  });
  return inside
    .map((token) => text.slice(...rangeOf(token)) + (token.type === "LineComment" ? newlineOf(text) : " "))
    .join("");
}

const newlineOf = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");

function mannerOf(text: string, document: DocumentNode): Manner {
  const tokens = document.tokens ?? [];
  const quoteOf = (token: { range?: [number, number] | undefined }) => text[rangeOf(token)[0]];
  const names = tokens.filter((_, index) => tokens[index + 1]?.type === "Colon");
  const firstText =
    tokens.find((token, index) => token.type === "String" && tokens[index + 1]?.type !== "Colon") ??
    tokens.find((token) => token.type === "String");
  return {
    quote: firstText && quoteOf(firstText) === "'" ? "'" : '"',
    quotesNames: names.length > 0 && names.every((token) => token.type === "String"),
    step: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ",
    newline: newlineOf(text),
  };
}
