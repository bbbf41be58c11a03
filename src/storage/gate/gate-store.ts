/** What the gate remembers, over any database. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { momentOf, type Moment } from "../moment.ts";
import { change, first, type Database, type Verb } from "../sqlite/database.ts";
import { accept, acceptedText, listAccepted } from "./accepted-rows.ts";
import type { GateStore } from "./gate.ts";
import { describeFiles, fileLabel, forgetFiles, forgetOthers, labelFiles } from "./label-rows.ts";
import {
  endGonePrograms,
  isAfterLoss,
  noteLoss,
  openHistory,
  programBegan,
  programEnded,
} from "./program-spans.ts";

export function createGateStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): GateStore {
  const { database, clock, ids, tenantId } = parts;
  const moment = () => momentOf(parts);
  const write = <Result>(sync: "now" | "later" | "always", verb: () => Verb<Result>) =>
    database.write(verb, { sync });
  return {
    fileLabel: (file) => database.read(() => fileLabel(tenantId, file)),
    labelFiles(files, by) {
      const at = moment();
      return write("now", () => labelFiles(at, files, by));
    },
    describeFiles: (files) => database.read(() => describeFiles(tenantId, files)),
    forgetOthers: (files) => write("later", () => forgetOthers(tenantId, files)),
    forgetFiles: (path) => write("later", () => forgetFiles(tenantId, path)),
    programBegan(program) {
      const id = ids.make("g");
      return write("now", () => programBegan(tenantId, { ...program, id }));
    },
    programEnded: (id, at) => write("later", () => programEnded(tenantId, id, at)),
    endGonePrograms: (at, isGone) => write("later", () => endGonePrograms(tenantId, at, isGone)),
    async historyAt(path, ctimeMs) {
      const historyOf = await database.read(() => openHistory(tenantId));
      return historyOf(path, ctimeMs);
    },
    noteLoss: (at) => write("now", () => noteLoss(tenantId, at)),
    plan: (turnId, part = "") => database.read(() => plan(tenantId, turnId, part)),
    keepPlan(turnId, made, part = "") {
      const at = moment();
      return write("always", () => keepPlan(at, { turnId, part }, made));
    },
    spendBits(spend) {
      const nowMs = clock.now();
      return write("now", () => spendBits(tenantId, nowMs, spend));
    },
    bitsSpent(agentId, day) {
      const nowMs = clock.now();
      return database.read(() => bitsSpent(tenantId, nowMs, agentId, day));
    },
    listAccepted: (agentId) => database.read(() => listAccepted(tenantId, agentId)),
    acceptedText: (agentId, path) => database.read(() => acceptedText(tenantId, agentId, path)),
    accept(version) {
      const at = moment();
      return write("now", () => accept(at, version));
    },
  };
}

function* plan(tenantId: string, turnId: string, part: string): Verb<unknown> {
  const row = yield* first<{ plan_json: string }>(
    "SELECT plan_json FROM gate_plans WHERE tenant_id = ? AND turn_id = ? AND part = ?",
    [tenantId, turnId, part],
  );
  return row && (JSON.parse(row.plan_json) as unknown);
}

function* keepPlan(
  { tenantId, now }: Moment,
  { turnId, part }: { turnId: string; part: string },
  made: unknown,
): Verb<unknown> {
  yield* change(
    "INSERT INTO gate_plans (tenant_id, turn_id, part, plan_json, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [tenantId, turnId, part, JSON.stringify(made), now],
  );
  return yield* plan(tenantId, turnId, part);
}

/** The turn is gone, and what was planned for it. */
export function* forgetPlan(tenantId: string, turnId: string): Verb<void> {
  yield* change("DELETE FROM gate_plans WHERE tenant_id = ? AND turn_id = ?", [tenantId, turnId]);
}

function* spendBits(
  tenantId: string,
  nowMs: number,
  { agentId, day, bits, limit }: Parameters<GateStore["spendBits"]>[0],
): Verb<boolean> {
  const spent = yield* bitsSpent(tenantId, nowMs, agentId, day);
  // Also refuses what is no number.
  if (spent === "unknown" || !(bits >= 0 && spent + bits <= limit)) return false;
  yield* change(
    `INSERT INTO gate_bits (tenant_id, agent_id, day, bits) VALUES (?, ?, ?, ?)
    ON CONFLICT (tenant_id, agent_id, day) DO UPDATE SET bits = excluded.bits`,
    [tenantId, agentId, day, spent + bits],
  );
  const old = new Date(nowMs - keptDays * dayMs).toISOString().slice(0, 10);
  yield* change("DELETE FROM gate_bits WHERE tenant_id = ? AND agent_id = ? AND day < ? AND day <> ?", [
    tenantId,
    agentId,
    old,
    day,
  ]);
  return true;
}

const keptDays = 31;
const dayMs = 24 * 60 * 60 * 1000;

function* bitsSpent(tenantId: string, nowMs: number, agentId: string, day: string): Verb<number | "unknown"> {
  if (yield* isAfterLoss(tenantId, nowMs)) return "unknown";
  const row = yield* first<{ bits: number }>(
    "SELECT bits FROM gate_bits WHERE tenant_id = ? AND agent_id = ? AND day = ?",
    [tenantId, agentId, day],
  );
  return row?.bits ?? 0;
}
