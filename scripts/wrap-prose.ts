/** Wraps the prose of a Markdown page that is made by a program; what a formatter does for pages that people write. */

const widest = 120;

/** Pure. Paragraphs and items of lists are filled up to 120 columns; headings, tables, code and comments stay as they are. */
export function wrapProse(page: string): string {
  // Code between fences may have empty lines in it, so it is taken out of the page before that is cut at them.
  return page
    .split(/^(```[^]*?^```)$/gm)
    .map((part) => (part.startsWith("```") ? part : part.split("\n\n").map(wrapBlock).join("\n\n")))
    .join("");
}

function wrapBlock(block: string): string {
  const edges = /^(\n*)([^]*?)(\n*)$/.exec(block);
  const [, before = "", text = "", after = ""] = edges ?? [];
  if (text === "" || /^(?:[|#<>]| {4})/.test(text)) return block;
  const items = text.split(/\n(?=\s*(?:[-*]|\d+\.) )/);
  return before + items.map(fill).join("\n") + after;
}

/** One paragraph, or one item of a list, whose further lines stand under its first word. */
function fill(item: string): string {
  const mark = /^\s*(?:[-*]|\d+\.) /.exec(item)?.[0] ?? "";
  const indent = " ".repeat(mark.length);
  const lines: string[] = [];
  let line = mark;
  for (const word of wordsOf(item.slice(mark.length))) {
    const next = line === mark || line === indent ? line + word : `${line} ${word}`;
    if (next.length <= widest || line === mark || line === indent) line = next;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line].join("\n");
}

/** A word that a line may not begin with, because it would begin a list or a heading there, belongs to the one before it. */
const wordsOf = (text: string): string[] => text.trim().split(/\s+(?!(?:[-*+>#]+|\d+[.)])(?:\s|$))/);
