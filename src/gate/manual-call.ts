import type { ToolCallBlock } from "@pincer/sdk";

/** A call that a person wrote. Arguments that are not a JSON object pass unchanged, for the executor to refuse. */
export function manualCall({ name, arguments: args }: { name: string; arguments: unknown }): ToolCallBlock {
  const block = { type: "toolCall" as const, id: "manual", name, arguments: {} };
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return isObject
    ? { ...block, arguments: args as Record<string, unknown> }
    : { ...block, invalidArguments: JSON.stringify(args) ?? "" };
}
