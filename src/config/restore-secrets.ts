/**
 * Puts secrets back into a text of the history, which has `***` in their place. They come from the present text and
 * only from the same key. The items of a list have no names, so nobody knows which literal belongs to which of them:
 * a list that held secrets stays as it is now, whole. `***` itself never gets into a config.
 */
import { isDeepStrictEqual } from "node:util";
import type { ValueNode } from "@humanwhocodes/momoa";
import { formatPath, readPath, type ConfigPath } from "@pincer/sdk";
import { maskText } from "./config-history.ts";
import { parseOrRefuse, putSource, rangeOf, sourceAt, splice, unsetInText } from "./edit-config.ts";
import { memberOf, nameOf, parseConfig } from "./parse-config.ts";
import { parsePath } from "./parse-path.ts";

export interface RestoredText {
  text: string;
  /** Keys whose secret nobody has any more; they are left out. */
  lost: string[];
  /** Keys that stay as they are now although the wanted text had something else there. */
  kept: string[];
}

/** `present` is the text to take secrets from; one that cannot be parsed has none. */
export function restoreSecrets(wanted: { text: string; masked: string[] }, present: string): RestoredText {
  const isLiteralNow = new Set(maskText(present)?.masked);
  let text = withoutIdleMasks(wanted);
  const paths = wanted.masked.filter((name) => !isForbidden(name)).map(parsePath);
  const lost: ConfigPath[] = [];
  const kept: string[] = [];

  for (const list of outermostLists(paths)) {
    const source = Array.isArray(valueAt(present, list)) ? sourceAt(present, list) : undefined;
    if (source === undefined) lost.push(...paths.filter((path) => isInside(path, list)));
    else {
      if (!isDeepStrictEqual(maskedAt(present, list), valueAt(text, list))) kept.push(formatPath(list));
      text = putSource(text, list, source);
    }
  }
  for (const path of paths.filter((candidate) => indexOfList(candidate) === -1)) {
    const source = sourceAt(present, path);
    if (source === undefined) lost.push(path);
    else {
      if (!isLiteralNow.has(formatPath(path))) kept.push(formatPath(path));
      text = putSource(text, path, source);
    }
  }
  // From the last to the first, since each item that goes moves those behind it.
  for (const path of lost.toReversed()) text = unsetInText(text, path).text;
  return { text, lost: lost.map(formatPath), kept };
}

const indexOfList = (path: ConfigPath) => path.findIndex((segment) => typeof segment === "number");

function outermostLists(paths: ConfigPath[]): ConfigPath[] {
  const lists = paths
    .filter((path) => indexOfList(path) !== -1)
    .map((path) => path.slice(0, indexOfList(path)));
  return [...new Map(lists.map((list) => [formatPath(list), list])).values()];
}

const isInside = (path: ConfigPath, list: ConfigPath) =>
  indexOfList(path) === list.length && list.every((segment, index) => path[index] === segment);

function valueAt(text: string, path: ConfigPath): unknown {
  const parsed = parseConfig(text);
  return parsed.type === "parsed" ? readPath(parsed.value, path) : undefined;
}

const maskedAt = (text: string, path: ConfigPath) => valueAt(maskText(text)?.text ?? "", path);

/** A key that stands again further down, or may not be used, does not count: there the mask is just taken out. */
function withoutIdleMasks({ text, masked }: { text: string; masked: string[] }): string {
  const names = new Set(masked);
  const idle: ValueNode[] = [];
  const visit = (node: ValueNode, path: ConfigPath, counts: boolean): void => {
    if (node.type === "Object")
      for (const member of node.members) {
        const name = nameOf(member.name);
        const isUsed = name !== "__proto__" && memberOf(node, name) === member;
        visit(member.value, [...path, name], counts && isUsed);
      }
    else if (node.type === "Array")
      for (const [index, element] of node.elements.entries()) visit(element.value, [...path, index], counts);
    else if (!counts && names.has(formatPath(path))) idle.push(node);
  };
  visit(parseOrRefuse(text).document.body, [], true);
  return splice(
    text,
    idle.map((node) => ({ range: rangeOf(node), text: '""' })),
  );
}

const isForbidden = (name: string) => /(^|[.])__proto__($|[.[])/.test(name);
