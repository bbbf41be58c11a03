import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { walk } from "./walk.ts";

/**
 * Parses CommonMark with tables, task lists, strikethrough, bare links and footnotes. Never throws; a text that is
 * too long, too deep or too full of marks becomes one paragraph of plain text.
 */
export function parseMarkdown(text: string): Root {
  if (text.length > longestText || isTooIntricate(text)) return plainText(text);
  try {
    const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    let deepest = 0;
    walk(root, (_, depth) => {
      deepest = Math.max(deepest, depth);
    });
    return deepest > deepestTree ? plainText(text) : root;
  } catch {
    // The parser's stack has an end that no look at the text foresees; its words are still worth showing.
    return plainText(text);
  }
}

const plainText = (text: string): Root => ({
  type: "root",
  children: text.trim() === "" ? [] : [{ type: "paragraph", children: [{ type: "text", value: text }] }],
});

const longestText = 262_144;
const deepestTree = 100;
const deepestContainers = 48;
const mostMarks = 2000;

/** In code blocks marks mean nothing and cost nothing. */
function isTooIntricate(text: string): boolean {
  const prose = text.replaceAll(codeBlock, "");
  return nestsTooDeep(prose) || prose.split(/\n[ \t]*\r?\n/).some(hasTooManyMarks);
}

/** The parser looks again at every container for every line and every item, which takes time beyond reason. */
function nestsTooDeep(text: string): boolean {
  for (const [line] of text.matchAll(containerMarks)) {
    const marks = line.match(/>|[-*+]|\d+[.)]/g)?.length ?? 0;
    const indentation = /^[ \t]*/.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
    if (marks > 0 && marks + indentation / 2 > deepestContainers) return true;
  }
  return false;
}

/** Within a paragraph it tries every mark of emphasis and every bracket with those before it. */
const hasTooManyMarks = (paragraph: string): boolean =>
  paragraph.length > mostMarks && (paragraph.match(/[*_~]+|[[\]]/g)?.length ?? 0) > mostMarks;

const codeBlock = /^ {0,3}(`{3,}(?![^\n]*`)|~{3,})[^\n]*(?:\n(?! {0,3}\1)[^\n]*)*(?:\n[^\n]*)?/gm;

/** What stands at the beginning of each line: indentation, quotation marks, list markers. */
const containerMarks = /^(?:[ \t]+|>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/gm;
