/** All tools, by name and alias. */
import type { Tool } from "@pincer/sdk";

export interface ToolSet {
  /** In the order of registration. */
  all(): readonly Tool[];
  find(nameOrAlias: string): Tool | undefined;
}

export function createToolSet(tools: readonly Tool[]): ToolSet {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.name, ...tool.aliases]) {
      const other = byName.get(name);
      if (other) throw new Error(`two tools answer to ${name}: ${other.name} and ${tool.name}`);
      byName.set(name, tool);
    }
  }
  return { all: () => tools, find: (name) => byName.get(name.trim()) };
}
