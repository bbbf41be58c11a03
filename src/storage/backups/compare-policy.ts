/** What a restore changes about who may do what: the policy as it was, from the copy that was put aside, against the one that came back. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import {
  readPolicyFile,
  type FoundPolicy,
  type PolicyRow,
  type ReadPolicy,
} from "../policy-copy/policy-file.ts";

/** Counts. Gone is what was set since the backup; back is what was taken away since. */
export interface PolicyDifference {
  rulesGone: number;
  rulesBack: number;
  ownersBack: number;
  /** Senders on channels. */
  peopleBack: number;
  /** Tokens, devices and browsers that are valid. */
  accessBack: number;
  /** Of those that hold beyond a turn. */
  grantsBack: number;
}

/** Undefined where they cannot be compared: there is no copy of what was, or part of it cannot be read. */
export function comparePolicy({
  before,
  after,
  coreDb,
  now,
}: {
  /** The two files; `coreDb` is the database that came back, open or not. */
  before: string;
  after: string;
  coreDb: string;
  now: number;
}): PolicyDifference | undefined {
  const moment = new Date(now).toISOString();
  const keysOf = readKeys(coreDb);
  // A home without any policy has no copy of it.
  if (!existsSync(before) && !existsSync(after)) return compare(new Map(), new Map(), moment);
  const was = readPolicyFile(before, keysOf);
  const found = readPolicyFile(after, keysOf);
  const is = found === "none" ? { rows: new Map<string, PolicyRow[]>(), unreadable: 0 } : found;
  return isWhole(was) && isWhole(is) ? compare(was.rows, is.rows, moment) : undefined;
}

type Rows = ReadonlyMap<string, PolicyRow[]>;

const isWhole = (read: FoundPolicy | Pick<ReadPolicy, "rows" | "unreadable">): read is ReadPolicy =>
  typeof read === "object" && read.unreadable === 0;

function compare(was: Rows, is: Rows, moment: string): PolicyDifference {
  const isHeld = ({ turn_id, expires_at }: PolicyRow) =>
    turn_id === "" && (expires_at === null || String(expires_at) > moment);
  const isLive = ({ revoked_at, expires_at }: PolicyRow) =>
    revoked_at === null && (expires_at === null || String(expires_at) > moment);
  const rule = ["agent_id", "text", "enforcement_json"];
  const sender = ["channel", "sender_id", "every_account", "account_id"];
  return {
    rulesGone: lacking(was, is, "standing_rules", rule),
    rulesBack: lacking(is, was, "standing_rules", rule),
    ownersBack: lacking(is, was, "owners", ["channel", "sender_id"]),
    peopleBack: lacking(is, was, "allowed_senders", sender),
    accessBack: lacking(is, was, "access", ["id"], isLive),
    grantsBack: lacking(is, was, "grants", ["agent_id", "scope", "tool", "key"], isHeld),
  };
}

/** How many rows of `these` are not among `those`. */
function lacking(
  these: Rows,
  those: Rows,
  table: string,
  names: readonly string[],
  counts: (row: PolicyRow) => boolean = () => true,
): number {
  const nameOf = (row: PolicyRow) => JSON.stringify(["tenant_id", ...names].map((name) => row[name] ?? null));
  const known = new Set((those.get(table) ?? []).filter(counts).map(nameOf));
  return (these.get(table) ?? []).filter((row) => counts(row) && !known.has(nameOf(row))).length;
}

/** The key columns of a table, in their order in it. */
function readKeys(coreDb: string): (table: string) => string[] {
  const connection = new DatabaseSync(coreDb, { readOnly: true });
  try {
    const rows = connection
      .prepare(
        `SELECT tables.name AS owner, columns.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND columns.pk > 0`,
      )
      .all();
    return (table) => rows.filter(({ owner }) => owner === table).map(({ name }) => String(name));
  } finally {
    connection.close();
  }
}
