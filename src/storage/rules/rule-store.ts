/** Standing rules: few, small, and asked for before every turn. */
import { insertAudit } from "../audit/audit-chain.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { all, change, first, type Database, type Verb } from "../sqlite/database.ts";
import { momentOf, type Moment } from "../moment.ts";
import type { RuleEnforcement, RuleStore, StandingRule } from "./rules.ts";

export function createRuleStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): RuleStore {
  const { database, tenantId } = parts;
  return {
    add(draft) {
      const moment = momentOf(parts);
      return database.write(() => add(moment, draft), { sync: "always" });
    },
    list: (query = {}) => database.read(() => list(tenantId, query)),
    remove(id, actor) {
      const moment = momentOf(parts);
      return database.write(() => remove(moment, id, actor), { sync: "now" });
    },
    version: () => database.read(() => version(tenantId)),
  };
}

interface RuleRow {
  id: number;
  agent_id: string;
  text: string;
  enforcement_json: string | null;
  set_by: string;
  created_at: string;
}

const columns = "id, agent_id, text, enforcement_json, set_by, created_at";

function* add(
  moment: Moment,
  draft: Parameters<RuleStore["add"]>[0],
): Verb<Awaited<ReturnType<RuleStore["add"]>>> {
  const { tenantId, now } = moment;
  const agentId = draft.agentId ?? "";
  const same = yield* first<RuleRow>(
    `SELECT ${columns} FROM standing_rules WHERE tenant_id = ? AND agent_id = ? AND text = ?`,
    [tenantId, agentId, draft.text],
  );
  if (same) return { rule: toRule(same), added: false };
  const counter = yield* first<{ last_id: number }>(
    `INSERT INTO rule_counters (tenant_id, last_id, version) VALUES (?, 1, 1)
    ON CONFLICT (tenant_id) DO UPDATE SET
      last_id = rule_counters.last_id + 1, version = rule_counters.version + 1
    RETURNING last_id`,
    [tenantId],
  );
  if (!counter) throw new Error("an insert gave no row back");
  const rule: StandingRule = { ...draft, id: counter.last_id, createdAt: now };
  yield* change(`INSERT INTO standing_rules (tenant_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`, [
    tenantId,
    rule.id,
    agentId,
    rule.text,
    rule.enforcement && JSON.stringify(rule.enforcement),
    rule.setBy,
    now,
  ]);
  yield* trace(moment, "rule-add", rule, rule.setBy);
  return { rule, added: true };
}

function* list(tenantId: string, { agentId }: { agentId?: string }): Verb<StandingRule[]> {
  const rows = yield* all<RuleRow>(
    `SELECT ${columns} FROM standing_rules WHERE tenant_id = ?${
      agentId === undefined ? "" : " AND agent_id IN ('', ?)"
    } ORDER BY id`,
    agentId === undefined ? [tenantId] : [tenantId, agentId],
  );
  return rows.map(toRule);
}

function* remove(moment: Moment, id: number, actor: string): Verb<StandingRule | undefined> {
  const { tenantId } = moment;
  const row = yield* first<RuleRow>(
    `DELETE FROM standing_rules WHERE tenant_id = ? AND id = ? RETURNING ${columns}`,
    [tenantId, id],
  );
  if (!row) return undefined;
  yield* change("UPDATE rule_counters SET version = version + 1 WHERE tenant_id = ?", [tenantId]);
  const rule = toRule(row);
  yield* trace(moment, "rule-remove", rule, actor);
  return rule;
}

function* version(tenantId: string): Verb<number> {
  const row = yield* first<{ version: number }>("SELECT version FROM rule_counters WHERE tenant_id = ?", [
    tenantId,
  ]);
  return row?.version ?? 0;
}

/** Without its words: an audit record is kept for good and holds nothing of what people said. */
function* trace(moment: Moment, action: string, rule: StandingRule, actor: string): Verb<void> {
  const { now, ids } = moment;
  const denials = rule.enforcement ? [rule.enforcement, ...(rule.enforcement.also ?? [])] : [];
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor,
    action,
    resourceType: "rule",
    resourceId: String(rule.id),
    metadata: { agentId: rule.agentId, tools: [...new Set(denials.flatMap(({ tools }) => tools))] },
    createdAt: now,
  });
}

function toRule(row: RuleRow): StandingRule {
  return {
    id: row.id,
    text: row.text,
    enforcement: row.enforcement_json === null ? null : (JSON.parse(row.enforcement_json) as RuleEnforcement),
    agentId: row.agent_id === "" ? null : row.agent_id,
    setBy: row.set_by,
    createdAt: row.created_at,
  };
}
