import type { Nodes } from "mdast";
import { walk } from "./walk.ts";

/**
 * The visible text of a node: no marks, no addresses behind links, the description of an image; blocks, cells and
 * list items on separate lines. HTML is shown as written, since no network renders it.
 */
export function visibleText(root: Nodes): string {
  let text = "";
  walk(root, (node) => {
    if (startsLine.has(node.type) && text !== "" && !text.endsWith("\n")) text += "\n";
    if ("value" in node) text += node.value;
    else if (node.type === "image" || node.type === "imageReference") text += node.alt ?? "";
    else if (node.type === "break") text += "\n";
    else if (node.type === "footnoteReference") text += `[${node.label ?? node.identifier}]`;
    if (node.type === "code") text += "\n";
  });
  return text.trimEnd();
}

const startsLine: ReadonlySet<Nodes["type"]> = new Set<Nodes["type"]>([
  "blockquote",
  "code",
  "footnoteDefinition",
  "heading",
  "list",
  "listItem",
  "paragraph",
  "table",
  "tableCell",
  "tableRow",
  "thematicBreak",
]);
