/**
 * The schema of version 2: messages on their way in and out. Positions rise per tenant and are the primary key, so that the
 * newest rows lie together; what still has work to do is found through partial indexes that hold little else.
 */
import type { SqlDialect } from "../sqlite/sql-dialect.ts";

/** A turn that somebody still has to run or is running. A query names it literally, so that the index serves it. */
export const openTurn = "state IN ('queued', 'running')";

/** A message that was given up before it had a turn. */
export const deadMessage = "state = 'dead' AND turn_id IS NULL";

/** A message that is still to be sent, found out about, or edited. */
export const unfinishedMessage =
  "(state IN ('queued', 'sending', 'uncertain') OR (state = 'sent' AND version > shown_version))";

export function messageSchema(dialect: SqlDialect): string[] {
  return [
    ...inboxTables(dialect),
    ...turnTables(dialect),
    ...outboxTables(dialect),
    ...peopleTables(dialect),
    ...noticeTables(dialect),
    ...expectedRows(dialect),
  ];
}

/** Version 9: how a question came in from a caller who waits, and what a command answered them. */
export const askedColumns = ({ json }: SqlDialect): string[] => [
  `ALTER TABLE inbox ADD COLUMN asked_json ${json}`,
  `ALTER TABLE inbox ADD COLUMN answer TEXT`,
];

function inboxTables({ json, clustered }: SqlDialect): string[] {
  return [
    // `taken`: whether it is in the transcript of its turn. `overheard`: whether it was kept as context before.
    `CREATE TABLE inbox (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      channel TEXT NOT NULL,
      account_id TEXT NOT NULL,
      message_id TEXT NOT NULL,
      conversation TEXT NOT NULL,
      message_json ${json} NOT NULL,
      state TEXT NOT NULL DEFAULT 'new',
      reason TEXT,
      turn_id TEXT,
      taken INTEGER NOT NULL DEFAULT 0,
      overheard INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      received_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE UNIQUE INDEX inbox_ids ON inbox (tenant_id, id)`,
    `CREATE UNIQUE INDEX inbox_messages ON inbox (tenant_id, channel, account_id, message_id)`,
    `CREATE INDEX inbox_new ON inbox (tenant_id, position) WHERE state = 'new'`,
    `CREATE INDEX inbox_context ON inbox (tenant_id, conversation, position) WHERE state = 'context'`,
    `CREATE INDEX inbox_dead ON inbox (tenant_id, position) WHERE ${deadMessage}`,
    `CREATE INDEX inbox_of_turn ON inbox (tenant_id, turn_id, position) WHERE turn_id IS NOT NULL`,
  ];
}

function turnTables({ json, clustered }: SqlDialect): string[] {
  return [
    // `conversation` is the destination as one text, empty where there is none. The fence is that of the last claim.
    // `inputs` counts the messages that were given to it, so that the bound of a queue is one look at its turns.
    `CREATE TABLE turns (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      state TEXT NOT NULL,
      workspace_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      session_key TEXT NOT NULL,
      session_id TEXT,
      first_seq INTEGER,
      last_seq INTEGER,
      origin_json ${json} NOT NULL,
      cwd TEXT NOT NULL,
      conversation TEXT NOT NULL,
      destination_json ${json},
      reply_to TEXT,
      person_json ${json} NOT NULL,
      rule TEXT NOT NULL,
      options_json ${json} NOT NULL,
      direct INTEGER NOT NULL,
      inputs INTEGER NOT NULL DEFAULT 0,
      claims INTEGER NOT NULL DEFAULT 0,
      fence_name TEXT,
      fencing INTEGER,
      deadline_at TEXT,
      queued_at TEXT NOT NULL,
      started_at TEXT,
      ended_at TEXT,
      ending_json ${json},
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE UNIQUE INDEX turns_ids ON turns (tenant_id, id)`,
    `CREATE INDEX turns_pending ON turns (tenant_id, position) WHERE ${openTurn} AND direct = 0`,
    `CREATE INDEX turns_open ON turns (tenant_id, workspace_id, session_key, position) WHERE ${openTurn}`,
    `CREATE INDEX turns_of_key ON turns (tenant_id, session_key, position)`,
    `CREATE INDEX turns_of_session ON turns (tenant_id, session_id) WHERE session_id IS NOT NULL`,
    `CREATE INDEX turns_of_state ON turns (tenant_id, state, position)`,
    `CREATE TABLE journal (
      tenant_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      time TEXT NOT NULL,
      step_json ${json} NOT NULL,
      PRIMARY KEY (tenant_id, turn_id, seq)
    )${clustered}`,
  ];
}

function outboxTables({ json, clustered }: SqlDialect): string[] {
  return [
    `CREATE TABLE outbox (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      conversation TEXT NOT NULL,
      destination_json ${json} NOT NULL,
      kind TEXT NOT NULL,
      turn_id TEXT,
      text TEXT NOT NULL,
      attachments_json ${json} NOT NULL,
      reply_to TEXT,
      not_after TEXT NOT NULL,
      dedupe_key TEXT,
      state TEXT NOT NULL DEFAULT 'queued',
      attempts INTEGER NOT NULL DEFAULT 0,
      next_at TEXT,
      unknowns INTEGER NOT NULL DEFAULT 0,
      repeated INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL DEFAULT 1,
      shown_version INTEGER NOT NULL DEFAULT 0,
      shown_length INTEGER NOT NULL DEFAULT 0,
      message_id TEXT,
      is_open INTEGER NOT NULL,
      error_json ${json},
      created_at TEXT NOT NULL,
      sent_at TEXT,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE UNIQUE INDEX outbox_ids ON outbox (tenant_id, id)`,
    `CREATE INDEX outbox_unfinished ON outbox (tenant_id, conversation, position) WHERE ${unfinishedMessage}`,
    `CREATE INDEX outbox_of_turn ON outbox (tenant_id, turn_id, position) WHERE turn_id IS NOT NULL`,
    `CREATE INDEX outbox_of_state ON outbox (tenant_id, state, position)`,
  ];
}

function peopleTables({ json, clustered }: SqlDialect): string[] {
  return [
    // `code_key` is the code as it is compared: without dashes and spaces, in capitals.
    `CREATE TABLE pairing_requests (
      tenant_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      account_id TEXT NOT NULL,
      sender_id TEXT NOT NULL,
      code TEXT NOT NULL,
      code_key TEXT NOT NULL,
      meta_json ${json} NOT NULL,
      created_at TEXT NOT NULL,
      last_seen_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, channel, account_id, sender_id)
    )${clustered}`,
    `CREATE UNIQUE INDEX pairing_requests_codes ON pairing_requests (tenant_id, code_key)`,
    // With `every_account` set, `account_id` is empty.
    `CREATE TABLE allowed_senders (
      tenant_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      sender_id TEXT NOT NULL,
      every_account INTEGER NOT NULL,
      account_id TEXT NOT NULL,
      added_by TEXT NOT NULL,
      added_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, channel, sender_id, every_account, account_id)
    )${clustered}`,
    `CREATE TABLE owners (
      tenant_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      sender_id TEXT NOT NULL,
      claimed_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, channel, sender_id)
    )${clustered}`,
    `CREATE TABLE owner_claims (
      tenant_id TEXT NOT NULL PRIMARY KEY,
      code_key TEXT NOT NULL,
      expires_at TEXT NOT NULL
    )${clustered}`,
    // Wrong codes within the hour that began with the first of them.
    `CREATE TABLE code_tries (
      tenant_id TEXT NOT NULL,
      scope TEXT NOT NULL,
      count INTEGER NOT NULL,
      until TEXT NOT NULL,
      PRIMARY KEY (tenant_id, scope)
    )${clustered}`,
  ];
}

function noticeTables({ json, clustered }: SqlDialect): string[] {
  return [
    `CREATE TABLE notices (
      tenant_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      text_json ${json} NOT NULL,
      created_at TEXT NOT NULL,
      told_at TEXT,
      dismissed_at TEXT,
      PRIMARY KEY (tenant_id, position)
    )${clustered}`,
    `CREATE INDEX notices_untold ON notices (tenant_id, position) WHERE told_at IS NULL AND dismissed_at IS NULL`,
    `CREATE UNIQUE INDEX notices_ids ON notices (tenant_id, id)`,
    `CREATE UNIQUE INDEX notices_open ON notices (tenant_id, subject) WHERE dismissed_at IS NULL`,
    `CREATE TABLE channel_cursors (
      tenant_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      account_id TEXT NOT NULL,
      cursor TEXT NOT NULL,
      saved_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, channel, account_id)
    )${clustered}`,
  ];
}

/** Many rows that are over, few that have work to do. */
function expectedRows({ expectRows }: SqlDialect): string[] {
  const many = 1_000_000;
  return [
    ...expectRows("inbox", {
      inbox: [many, many, 1],
      inbox_ids: [many, many, 1],
      inbox_messages: [many, many, many, many, 1],
      inbox_new: [20, 20, 1],
      inbox_context: [10_000, 10_000, 50, 1],
      inbox_dead: [20, 20, 1],
      inbox_of_turn: [many, many, 2, 1],
    }),
    ...expectRows("turns", {
      turns: [many, many, 1],
      turns_ids: [many, many, 1],
      turns_pending: [20, 20, 1],
      turns_open: [20, 20, 20, 2, 1],
      turns_of_key: [many, many, 1000, 1],
      turns_of_session: [many, many, 100],
      turns_of_state: [many, many, 100_000, 1],
    }),
    ...expectRows("outbox", {
      outbox: [many, many, 1],
      outbox_ids: [many, many, 1],
      outbox_unfinished: [20, 20, 2, 1],
      outbox_of_turn: [many, many, 2, 1],
      outbox_of_state: [many, many, 100_000, 1],
    }),
    ...expectRows("notices", {
      notices: [10_000, 10_000, 1],
      notices_untold: [5, 5, 1],
      notices_ids: [10_000, 10_000, 1],
      notices_open: [20, 20, 1],
    }),
  ];
}
