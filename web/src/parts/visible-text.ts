/**
 * A text without hidden parts: invisible characters, and characters that change the text direction, appear as code
 * points.
 */
import { html, type TemplateResult } from "lit";

export type VisiblePart = { type: "text"; text: string } | { type: "mark"; name: string };

/**
 * Controls, format characters (those that turn the direction and those without width among them), separators, spaces other than the usual one,
 * variation selectors, fillers that look like nothing, private use and halves of pairs. Line ends and tabs are what they look like.
 */
const hidden =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]|(?! )\p{Zs}/gu;

/** In order; together they are the text. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const found of text.matchAll(hidden)) {
    if (found.index > end) parts.push({ type: "text", text: text.slice(end, found.index) });
    parts.push({ type: "mark", name: nameOf(found[0]) });
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ type: "text", text: text.slice(end) });
  return parts;
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

export const visibleText = (text: string): TemplateResult =>
  html`${visibleParts(text).map((part) =>
    part.type === "text" ? part.text : html`<mark class="hidden-mark">${part.name}</mark>`,
  )}`;
