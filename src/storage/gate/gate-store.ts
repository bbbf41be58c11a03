/** What the gate remembers, over any database. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { momentOf } from "../moment.ts";
import { change, first, type Database, type Verb } from "../sqlite/database.ts";
import { accept, acceptedText, listAccepted } from "./accepted-rows.ts";
import type { GateStore } from "./gate.ts";
import { describeFiles, fileLabel, forgetFiles, forgetOthers, labelFiles } from "./label-rows.ts";
import { keepPlan, listPlans, noteUse, plan } from "./plan-rows.ts";
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
    noteUse(turnId, callId, use) {
      const at = moment();
      return write("later", () => noteUse(at, { turnId, callId }, use));
    },
    listPlans: (turnId) => database.read(() => listPlans(tenantId, turnId)),
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
