/** Who may find what: the owner everything, everybody else only what was said in their own conversation. */
import { memorySourceKinds, type MemoryScope, type MemorySourceKind } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { dayOfPath } from "../index/read-day.ts";
import { memoryFiles } from "../memory-files.ts";
import type { ChatPlace } from "./memory.ts";

/** What the config opens to a group, its search finds too; nothing of memory is for a stranger's direct chat. */
export function scopeOf(
  chat: ChatPlace,
  agentId: string,
  { sources, inject }: { sources: readonly ("memory" | "sessions")[]; inject: Config["memory"]["inject"] },
): MemoryScope {
  const kinds = memorySourceKinds.filter((kind) =>
    sources.includes(kind === "conversation" ? "sessions" : "memory"),
  );
  if (chat === "owner" || chat.chatType === "main") return { agentId, kinds };
  const open: MemorySourceKind[] = ["conversation"];
  if (chat.chatType === "group") {
    if (inject.group.memoryFile) open.push("memory");
    if (inject.group.days > 0) open.push("note");
  }
  return { agentId, kinds: kinds.filter((kind) => open.includes(kind)), sessionKey: chat.sessionKey };
}

/** Of files that a group's search reaches: the memory file itself, and notes of as many days as the config opens to it. */
export function isOpenTo(
  chat: ChatPlace,
  { kind, path }: { kind: MemorySourceKind; path: string },
  { days, now }: { days: number; now: number },
): boolean {
  if (chat === "owner" || chat.chatType === "main" || kind === "conversation") return true;
  if (kind === "memory") return memoryFiles.includes(path);
  const first = new Date(now - days * 86_400_000).toISOString().slice(0, 10);
  const day = dayOfPath(path);
  return day !== undefined && day >= first;
}
