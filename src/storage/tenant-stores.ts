/** The stores of one tenant over any database that runs their verbs. */
import type { Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import { createAccessStore } from "./access/access-store.ts";
import { createApprovalStore } from "./approvals/approval-store.ts";
import type { AuditSeal } from "./audit/audit-seal.ts";
import { createAuditStore } from "./audit/audit-store.ts";
import { createBacklogStore } from "./inbox/backlog-store.ts";
import { createCredentialStore } from "./credentials/credential-store.ts";
import { createCursorStore } from "./inbox/cursor-store.ts";
import type { Database } from "./sqlite/database.ts";
import { createDirectoryStore } from "./directory-store.ts";
import { createEntryStore } from "./sessions/entry-store.ts";
import { createGateStore } from "./gate/gate-store.ts";
import { createInboxStore } from "./inbox/inbox-store.ts";
import { createLeaseStore } from "./sessions/lease-store.ts";
import { createNoticeStore } from "./outbox/notice-store.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import { createPairingStore } from "./access/pairing-store.ts";
import { createPasskeyStore } from "./access/passkey-store.ts";
import { createRuleStore } from "./rules/rule-store.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import type { TenantStores } from "./storage.ts";
import { createTurnStore } from "./turns/turn-store.ts";
import { createUsageStore } from "./usage/usage-store.ts";

export function createTenantStores(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): TenantStores {
  return {
    sessions: createSessionStore(parts),
    entries: createEntryStore(parts),
    leases: createLeaseStore(parts),
    audit: createAuditStore(parts),
    directory: createDirectoryStore(parts),
    inbox: createInboxStore(parts),
    turns: createTurnStore(parts),
    outbox: createOutboxStore(parts),
    pairing: createPairingStore(parts),
    notices: createNoticeStore(parts),
    cursors: createCursorStore(parts),
    usage: createUsageStore(parts),
    credentials: createCredentialStore(parts),
    rules: createRuleStore(parts),
    approvals: createApprovalStore(parts),
    backlogs: createBacklogStore(parts),
    access: createAccessStore(parts),
    passkeys: createPasskeyStore(parts),
    gate: createGateStore(parts),
  };
}
