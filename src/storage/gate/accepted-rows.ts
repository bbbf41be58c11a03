/** Which versions of a steering file count for an agent: those that its owner accepted last. */
import { insertAudit } from "../audit/audit-chain.ts";
import type { Moment } from "../moment.ts";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import type { AcceptedVersion, GateStore } from "./gate.ts";

/** An undone change and another branch bring back what counted before. */
const mostVersions = 5;
/** Longer texts are not kept: they are shown whole when they change. */
const longestText = 256 * 1024;

export function* listAccepted(tenantId: string, agentId: string): Verb<AcceptedVersion[]> {
  const rows = yield* all<{ path: string; hash: string; set_by: string; accepted_at: string }>(
    "SELECT path, hash, set_by, accepted_at FROM gate_accepted WHERE tenant_id = ? AND agent_id = ? ORDER BY path, accepted_at DESC, hash",
    [tenantId, agentId],
  );
  return rows.map(({ path, hash, set_by, accepted_at }) => ({ path, hash, by: set_by, at: accepted_at }));
}

export function* acceptedText(tenantId: string, agentId: string, path: string): Verb<string | undefined> {
  const row = yield* first<{ text: string }>(
    "SELECT text FROM gate_accepted_texts WHERE tenant_id = ? AND agent_id = ? AND path = ?",
    [tenantId, agentId, path],
  );
  return row?.text;
}

export function* accept(
  moment: Moment,
  { agentId, path, hash, by, text }: Parameters<GateStore["accept"]>[0],
): Verb<void> {
  const { tenantId, now, ids } = moment;
  const known = (yield* listAccepted(tenantId, agentId)).filter((each) => each.path === path);
  if (known[0]?.hash === hash) return;
  const key = [tenantId, agentId, path];
  yield* change(
    `INSERT INTO gate_accepted (tenant_id, agent_id, path, hash, set_by, accepted_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, agent_id, path, hash) DO UPDATE SET
      set_by = excluded.set_by, accepted_at = excluded.accepted_at`,
    [...key, hash, by, now],
  );
  for (const old of known.filter((each) => each.hash !== hash).slice(mostVersions - 1))
    yield* change(
      "DELETE FROM gate_accepted WHERE tenant_id = ? AND agent_id = ? AND path = ? AND hash = ?",
      [...key, old.hash],
    );
  yield* change("DELETE FROM gate_accepted_texts WHERE tenant_id = ? AND agent_id = ? AND path = ?", key);
  if (text !== undefined && text.length <= longestText)
    yield* change("INSERT INTO gate_accepted_texts (tenant_id, agent_id, path, text) VALUES (?, ?, ?, ?)", [
      ...key,
      text,
    ]);
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor: by,
    action: "file-accept",
    resourceType: "file",
    resourceId: path,
    metadata: { agentId, hash },
    createdAt: now,
  });
}
