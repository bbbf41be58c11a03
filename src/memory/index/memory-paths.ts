/** Which files of a workdir are memory, and who may find them. */
import type { MemorySource, MemorySourceKind } from "@pincer/sdk";
import { dayOfPath } from "./read-day.ts";

/** `note` for the note of a day, `memory` for what lasts; undefined for a file that is no memory. */
export function memoryKindOf(path: string): MemorySourceKind | undefined {
  if (path === "MEMORY.md" || path === "memory.md") return "memory";
  const isBelow = path.startsWith("memory/") && path.toLowerCase().endsWith(".md");
  if (!isBelow || path.split("/").some((name) => name === "" || name === "." || name === ".."))
    return undefined;
  return dayOfPath(path) !== undefined || /^memory\/\d{6}\//.test(path) ? "note" : "memory";
}

/** The source that a memory file is. */
export function memorySourceAt(agentId: string, path: string): MemorySource {
  return { id: `${agentId}/${path}`, kind: memoryKindOf(path) ?? "memory", agentId, path };
}
