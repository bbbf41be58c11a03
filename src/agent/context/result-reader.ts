/** Reads a tool result again by the number of its entry, for the person of the asking turn. */
import { parseSessionKey, textOf } from "@pincer/sdk";
import type { TenantStores } from "../../storage/storage.ts";
import type { TurnPerson, TurnRecord } from "../../storage/turns/turns.ts";
import type { ResultReadParts } from "../../tools/result-read.ts";

export interface ResultReaderParts {
  stores: {
    sessions: Pick<TenantStores["sessions"], "findActive">;
    entries: Pick<TenantStores["entries"], "at">;
    turns: Pick<TenantStores["turns"], "list" | "get">;
  };
  workspaceId: string;
}

/**
 * In a conversation with several people a result is only for the person whose turn made it: nobody else has seen it.
 */
export function createResultReader({ stores, workspaceId }: ResultReaderParts): ResultReadParts["read"] {
  const { sessions, entries, turns } = stores;

  async function mayRead(sessionKey: string, madeIn: string | undefined): Promise<boolean> {
    const running = await turns.list({ sessionKey, states: ["running"], limit: mostRunning });
    const reading = running.filter((turn) => turn.workspaceId === workspaceId);
    const making = madeIn === undefined ? undefined : await turns.get(madeIn);
    // One that a crash left behind counts as running, too: it must open nothing to the one that does run.
    return reading.length > 0 && reading.every((turn) => mayReadIn(turn, making));
  }

  return async (sessionKey, seq) => {
    const session = await sessions.findActive(workspaceId, sessionKey);
    const entry = session && (await entries.at(session.sessionId, seq));
    if (entry?.type !== "message" || entry.message.role !== "toolResult") return undefined;
    if (!(await mayRead(sessionKey, entry.runId))) return undefined;
    return { toolName: entry.message.toolName, text: textOf(entry.message) };
  };
}

const mostRunning = 100;

function mayReadIn({ turnId, person, sessionKey }: TurnRecord, making: TurnRecord | undefined): boolean {
  if (readsAll(person, sessionKey)) return true;
  if (!making) return false;
  return making.turnId === turnId || (making.person.role === person.role && making.person.id === person.id);
}

/** The owner, and Pincer itself if nobody but the owner reads along. */
function readsAll({ role }: TurnPerson, sessionKey: string): boolean {
  if (role !== "system") return role === "owner";
  const parsed = parseSessionKey(sessionKey);
  const kind = parsed.ok ? parsed.scope.conversation.type : "named";
  return kind === "main" || kind === "named";
}
