/**
 * What the product asks of its storage: verbs, each one whole transaction. A write that has resolved is
 * on the disk, unless its line says that it rides with the next one. What the world does to storage is a
 * PincerError `storage/…`: `busy`, `full`, `unavailable`, `corrupt`, or `failed` once a sync has failed,
 * after which no write is taken any more. A verb on a session that does not exist throws
 * `session/not-found` where it cannot answer with nothing. Everything belongs to a tenant, so the stores are reached through one: there is no verb
 * that could forget to say whose data it means.
 */
import type { PincerError } from "@pincer/sdk";
import type { AccessStore } from "./access/access.ts";
import type { ApprovalStore } from "./approvals/approvals.ts";
import type { BacklogStore } from "./inbox/backlogs.ts";
import type { CredentialStore } from "./credentials/credentials.ts";
import type { GateStore } from "./gate/gate.ts";
import type { CursorStore, InboxStore } from "./inbox/inbox.ts";
import type { NoticeStore } from "./outbox/notices.ts";
import type { OutboxStore } from "./outbox/outbox.ts";
import type { PasskeyStore } from "./access/passkeys.ts";
import type { PairingStore } from "./access/people.ts";
import type { RuleStore } from "./rules/rules.ts";
import type { TurnStore } from "./turns/turns.ts";
import type { UsageStore } from "./usage/usage.ts";
import type { AuditStore } from "./audit/audit.ts";
import type { StorageCondition } from "./sqlite/storage-condition.ts";
import type { DirectoryStore, EntryStore, LeaseStore, SessionStore } from "./stores.ts";

export interface Stores {
  /** Stores bound to one tenant; cheap, keeps nothing. */
  tenant(tenantId: string): TenantStores;
  /** Whether the database answers, how large it is, and (when asked) whether it is whole. Never throws. */
  health(depth: "quick" | "full"): Promise<StorageHealth>;
  /**
   * A consistent copy, checked, while others go on writing. Throws `backup/refused` if `file` exists and
   * `backup/invalid` if the copy is not whole.
   */
  backup(file: string, onProgress?: (done: number, total: number) => void): Promise<void>;
  /** What the last writes, reads and checks said of the disk and the file. Asks nothing, and never throws. */
  condition(): StorageCondition;
  /** Changes something and waits until it is on the disk, so that the condition is known. Throws `storage/…`. */
  tryWrite(): Promise<void>;
  /** Looks whether there is room for more than a page; the condition knows it. Never throws. */
  lookForRoom(): Promise<void>;
  /** Looks whether everything can be read, beside the work; the condition knows what was found. Throws where it could not look, and when aborted. */
  checkPages(signal?: AbortSignal): Promise<PincerError[]>;
  /** Waits for running writes, then closes. Safe to call twice. */
  close(): Promise<void>;
}

export interface TenantStores {
  sessions: SessionStore;
  entries: EntryStore;
  leases: LeaseStore;
  audit: AuditStore;
  directory: DirectoryStore;
  inbox: InboxStore;
  turns: TurnStore;
  outbox: OutboxStore;
  pairing: PairingStore;
  notices: NoticeStore;
  cursors: CursorStore;
  usage: UsageStore;
  credentials: CredentialStore;
  rules: RuleStore;
  approvals: ApprovalStore;
  backlogs: BacklogStore;
  access: AccessStore;
  passkeys: PasskeyStore;
  gate: GateStore;
}

export interface StorageHealth {
  ok: boolean;
  kind: "sqlite" | "memory";
  schemaVersion: number;
  sizeBytes: number;
  sessions: number;
  entries: number;
  /** What keeps it from being well. `storage/corrupt` is damage inside; any other code is what kept the check from looking. */
  problems: PincerError[];
}
