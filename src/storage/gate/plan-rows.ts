/** What planner and writer made of a turn, and which calls its grants covered. Kept with the turn, and gone with it. */
import { createHash } from "node:crypto";
import { insertAudit } from "../audit/audit-chain.ts";
import type { Moment } from "../moment.ts";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import { findTurn } from "../turns/turn-row.ts";
import type { KeptPlan } from "./gate.ts";

interface Part {
  turnId: string;
  part: string;
}

export function* plan(tenantId: string, turnId: string, part: string): Verb<unknown> {
  const row = yield* first<{ plan_json: string }>(
    "SELECT plan_json FROM gate_plans WHERE tenant_id = ? AND turn_id = ? AND part = ?",
    [tenantId, turnId, part],
  );
  return row && (JSON.parse(row.plan_json) as unknown);
}

export function* keepPlan(moment: Moment, { turnId, part }: Part, made: unknown): Verb<unknown> {
  const isFirst = yield* insert(moment, { turnId, part }, made);
  if (!isFirst) return yield* plan(moment.tenantId, turnId, part);
  const { ids, now, seal } = moment;
  const turn = yield* findTurn(moment.tenantId, turnId);
  const digest = createHash("sha256").update(JSON.stringify(made)).digest("hex");
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor: "gate",
    action: readPart(part).type === "words" ? "gate-words" : "gate-plan",
    resourceType: "turn",
    resourceId: turnId,
    sessionKey: turn?.session_key ?? null,
    runId: turnId,
    metadata: { part, ...outcomeOf(made), digest: seal?.text(digest) ?? digest },
    createdAt: now,
  });
  return made;
}

export function* noteUse(
  moment: Moment,
  { turnId, callId }: { turnId: string; callId: string },
  use: unknown,
): Verb<void> {
  yield* insert(moment, { turnId, part: `use of ${callId}` }, use);
}

export function* listPlans(tenantId: string, turnId: string): Verb<KeptPlan[]> {
  const rows = yield* all<{ part: string; plan_json: string; created_at: string }>(
    "SELECT part, plan_json, created_at FROM gate_plans WHERE tenant_id = ? AND turn_id = ? ORDER BY created_at, part",
    [tenantId, turnId],
  );
  return rows.map(({ part, plan_json, created_at }) => ({
    ...readPart(part),
    made: JSON.parse(plan_json) as unknown,
    at: created_at,
  }));
}

/** The turn is gone, and what was planned for it. */
export function* forgetPlan(tenantId: string, turnId: string): Verb<void> {
  yield* change("DELETE FROM gate_plans WHERE tenant_id = ? AND turn_id = ?", [tenantId, turnId]);
}

function readPart(part: string): Pick<KeptPlan, "type" | "callId"> {
  const [, type, callId = ""] = /^(words|use) of (.*)$/su.exec(part) ?? [];
  return { type: type === "words" || type === "use" ? type : "plan", callId };
}

function* insert({ tenantId, now }: Moment, { turnId, part }: Part, made: unknown): Verb<boolean> {
  const row = yield* first(
    `INSERT INTO gate_plans (tenant_id, turn_id, part, plan_json, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING part`,
    [tenantId, turnId, part, JSON.stringify(made), now],
  );
  return row !== undefined;
}

/** Audit records never contain what people said: how it ended, and how many grants there are. */
function outcomeOf(made: unknown): { outcome?: unknown; grants?: number } {
  if (typeof made !== "object" || made === null) return {};
  const { type, grants } = made as { type?: unknown; grants?: unknown };
  return {
    ...(typeof type === "string" && { outcome: type }),
    ...(Array.isArray(grants) && { grants: grants.length }),
  };
}
