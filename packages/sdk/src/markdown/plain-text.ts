import type { List, Nodes, Parents } from "mdast";

/** What stands before and after such words; a network with marks of its own gives them. */
export interface TextMarks {
  strong: string;
  emphasis: string;
  delete: string;
  code: string;
}

const usualMarks: TextMarks = { strong: "", emphasis: "", delete: "~~", code: "`" };

/**
 * A tree as text for a network without markup: lists, quotations and tables as people type them, and addresses behind the words of their
 * links. Code blocks are their lines, as they are.
 */
export function plainText(node: Nodes, marks: TextMarks = usualMarks): string {
  const inside = (parent: Parents, between = "") =>
    parent.children.map((child) => plainText(child, marks)).join(between);
  const marked = (mark: string, text: string) => `${mark}${text}${mark}`;
  switch (node.type) {
    case "strong":
    case "heading":
      return marked(marks.strong, inside(node));
    case "emphasis":
      return marked(marks.emphasis, inside(node));
    case "delete":
      return marked(marks.delete, inside(node));
    case "inlineCode":
      return marked(marks.code, node.value);
    case "link":
      return addressed(inside(node), node.url);
    case "image":
      return addressed(node.alt ?? "", node.url);
    case "imageReference":
      return node.alt ?? "";
    case "footnoteReference":
      return `[${node.label ?? node.identifier}]`;
    case "break":
      return "\n";
    case "thematicBreak":
      return "---";
    case "blockquote":
      return inside(node, "\n").replaceAll(/^/gm, "> ");
    case "list":
      return node.children.map((item, at) => itemOf(plainText(item, marks), node, at)).join("\n");
    case "listItem":
      return `${taskMark(node.checked)}${inside(node, "\n")}`;
    case "tableRow":
      return inside(node, " | ");
    case "table":
      return inside(node, "\n");
    case "footnoteDefinition":
      return `[${node.label ?? node.identifier}] ${inside(node, "\n")}`;
    case "root":
      return inside(node, "\n\n");
    default:
      if ("children" in node) return inside(node);
      return "value" in node ? node.value : "";
  }
}

function addressed(words: string, url: string): string {
  if (words === "") return url;
  return words === url || `mailto:${words}` === url || `http://${words}` === url
    ? words
    : `${words} (${url})`;
}

function itemOf(text: string, { ordered, start }: Pick<List, "ordered" | "start">, at: number): string {
  const mark = ordered ? `${(start ?? 1) + at}. ` : "- ";
  return mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`);
}

const taskMark = (isDone: boolean | null | undefined): string =>
  typeof isDone === "boolean" ? (isDone ? "[x] " : "[ ] ") : "";
