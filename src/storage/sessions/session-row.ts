/** A session as its row in the database. */
import { change, type Verb } from "../sqlite/database.ts";
import type { SessionOrigin, SessionRecord } from "../stores.ts";

export interface SessionRow {
  id: string;
  tenant_id: string;
  workspace_id: string;
  agent_id: string;
  session_key: string;
  origin_json: string;
  state: SessionRecord["state"];
  memory_enabled: number;
  settings_json: string;
  compacted_message_count: number;
  compaction_count: number;
  memory_flush_at: string | null;
  tokens_input: number;
  tokens_output: number;
  tokens_context: number;
  tokens_total: number;
  last_seq: number;
  message_count: number;
  mirrored_seq: number;
  created_at: string;
  updated_at: string;
}

export const sessionColumns = `id, tenant_id, workspace_id, agent_id, session_key, origin_json, state,
  memory_enabled, settings_json, compacted_message_count, compaction_count, memory_flush_at, tokens_input,
  tokens_output, tokens_context, tokens_total, last_seq, message_count, mirrored_seq, created_at, updated_at`;

export function toSessionRecord(row: SessionRow): SessionRecord {
  return {
    sessionId: row.id,
    tenantId: row.tenant_id,
    workspaceId: row.workspace_id,
    agentId: row.agent_id,
    sessionKey: row.session_key,
    origin: JSON.parse(row.origin_json) as SessionOrigin,
    state: row.state,
    memoryEnabled: row.memory_enabled === 1,
    settings: JSON.parse(row.settings_json) as Record<string, string>,
    compactedMessageCount: row.compacted_message_count,
    compactionCount: row.compaction_count,
    memoryFlushAt: row.memory_flush_at,
    tokens: {
      input: row.tokens_input,
      output: row.tokens_output,
      context: row.tokens_context,
      total: row.tokens_total,
    },
    lastSeq: row.last_seq,
    messageCount: row.message_count,
    mirroredSeq: row.mirrored_seq,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Throws if the id, or the key of an active one, is taken: check first, in the same transaction. */
export function* insertSession(session: SessionRecord, entryCount: number): Verb<void> {
  const { origin, tokens } = session;
  yield* change(
    `INSERT INTO sessions (id, tenant_id, workspace_id, agent_id, session_key, channel, account_id, peer_key,
      thread_key, origin_json, state, memory_enabled, settings_json, compacted_message_count, compaction_count,
      memory_flush_at, tokens_input, tokens_output, tokens_context, tokens_total, last_seq, entry_count,
      message_count, mirrored_seq, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      session.sessionId,
      session.tenantId,
      session.workspaceId,
      session.agentId,
      session.sessionKey,
      origin.channel,
      origin.accountId ?? null,
      origin.peerKey ?? null,
      origin.threadKey ?? null,
      JSON.stringify(origin),
      session.state,
      session.memoryEnabled ? 1 : 0,
      JSON.stringify(session.settings),
      session.compactedMessageCount,
      session.compactionCount,
      session.memoryFlushAt,
      tokens.input,
      tokens.output,
      tokens.context,
      tokens.total,
      session.lastSeq,
      entryCount,
      session.messageCount,
      session.mirroredSeq,
      session.createdAt,
      session.updatedAt,
    ],
  );
}
