/** The stores of one tenant over any database that runs their verbs. */
import type { Clock } from "../infra/clock.ts";
import type { Ids } from "../infra/ids.ts";
import { createAccessStore } from "./access-store.ts";
import { createApprovalStore } from "./approval-store.ts";
import type { AuditSeal } from "./audit-seal.ts";
import { createAuditStore } from "./audit-store.ts";
import { createBacklogStore } from "./backlog-store.ts";
import { createCredentialStore } from "./credential-store.ts";
import { createCursorStore } from "./cursor-store.ts";
import type { Database } from "./database.ts";
import { createDirectoryStore } from "./directory-store.ts";
import { createEntryStore } from "./entry-store.ts";
import { createInboxStore } from "./inbox-store.ts";
import { createLeaseStore } from "./lease-store.ts";
import { createNoticeStore } from "./notice-store.ts";
import { createOutboxStore } from "./outbox-store.ts";
import { createPairingStore } from "./pairing-store.ts";
import { createPasskeyStore } from "./passkey-store.ts";
import { createRuleStore } from "./rule-store.ts";
import { createSessionStore } from "./session-store.ts";
import type { TenantStores } from "./storage.ts";
import { createTurnStore } from "./turn-store.ts";
import { createUsageStore } from "./usage-store.ts";

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
  };
}
