/** Reads lines of a place that a search named: a file of memory, or a session. Only what a search from the same chat could have found. */
import { textOf, type MemoryScope, type MemorySourceKind } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import { memoryKindOf } from "../index/memory-paths.ts";
import type { MemoryWindow } from "@pincer/sdk";
import type { TenantStores } from "../../storage/storage.ts";
import { labelOf } from "./conversation-feed.ts";
import type { AgentPlace } from "./memory-surroundings.ts";

interface WindowParts {
  stores: Pick<TenantStores, "sessions" | "entries">;
  place: Pick<AgentPlace, "files"> | undefined;
  scope: MemoryScope;
  /** Of what the scope reaches, what may be read. */
  isOpen(place: { kind: MemorySourceKind; path: string }): boolean;
}

interface WindowRequest {
  path: string;
  startLine?: number;
  endLine?: number;
}

const mostFileBytes = 4 * 1024 * 1024;
const mostLines = 500;

/**
 * Throws PincerError `usage/not-found` if it does not exist or the caller may not see it; the error does not tell
 * which.
 */
export async function readWindow(parts: WindowParts, request: WindowRequest): Promise<MemoryWindow> {
  const path = request.path.replace(/^\.\//, "");
  const startLine = Math.max(1, request.startLine ?? 1);
  const endLine = Math.min(request.endLine ?? Infinity, startLine + mostLines - 1);
  const session = /^agents\/([^/]+)\/sessions\/([^/]+)\.jsonl$/.exec(path);
  const window = session
    ? await windowOfSession(
        parts,
        { agentId: session[1] ?? "", sessionId: session[2] ?? "" },
        startLine,
        endLine,
      )
    : await windowOfFile(parts, path, startLine, endLine);
  if (window) return { path, ...window };
  throw failure("usage/not-found", "failure.no-memory", { path }, { hint: "failure.no-memory.hint" });
}

async function windowOfFile(
  { place, scope, isOpen }: WindowParts,
  path: string,
  startLine: number,
  endLine: number,
) {
  const kind = memoryKindOf(path);
  if (!place || !kind || !scope.kinds.includes(kind) || !isOpen({ kind, path })) return undefined;
  if (place.files.stamp(path) === "") return undefined;
  // A file that is none, or that lies elsewhere, says so itself.
  const { text } = await place.files.read(path, mostFileBytes);
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  const shown = lines.slice(startLine - 1, endLine);
  return windowOf(shown, startLine, lines.length);
}

async function windowOfSession(
  { stores, scope }: WindowParts,
  { agentId, sessionId }: { agentId: string; sessionId: string },
  startLine: number,
  endLine: number,
) {
  if (!scope.kinds.includes("conversation") || agentId !== scope.agentId) return undefined;
  const session = await stores.sessions.get(sessionId);
  if (!session || session.agentId !== agentId) return undefined;
  if (scope.sessionKey !== undefined && session.sessionKey !== scope.sessionKey) return undefined;
  const last = Math.min(endLine, session.lastSeq);
  const found = await stores.entries.messagesFrom(sessionId, startLine, Math.max(0, last - startLine + 1));
  // One line per entry, so that its number stays its line; what holds no words is an empty one.
  const lines = Array.from({ length: Math.max(0, last - startLine + 1) }, () => "");
  for (const { seq, time, message } of found)
    if (seq <= last && message.role !== "toolResult")
      lines[seq - startLine] = `${time} ${message.role}: ${textOf(message)}`;
  const label = labelOf(session.sessionKey);
  return { ...windowOf(lines, startLine, session.lastSeq), ...(label && { label }) };
}

const windowOf = (lines: string[], startLine: number, totalLines: number) => ({
  startLine: totalLines === 0 ? 0 : startLine,
  endLine: totalLines === 0 ? 0 : startLine + lines.length - 1,
  totalLines,
  lines,
});
