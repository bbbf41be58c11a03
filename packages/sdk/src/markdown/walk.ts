import type { Nodes } from "mdast";

/** Visits a node and all below it, parents first, in the order of the text. Needs no stack, however deep the tree. */
export function walk(root: Nodes, visit: (node: Nodes, depth: number) => void): void {
  const waiting: Array<{ node: Nodes; depth: number }> = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    visit(node, depth);
    if (!("children" in node)) continue;
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child) waiting.push({ node: child, depth: depth + 1 });
    }
  }
}
