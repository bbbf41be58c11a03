/** Counts what waits, each through the index that holds little else. */
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { momentOf } from "../moment.ts";
import { holdWork } from "./hold-work.ts";
import { openQuestion } from "../schema/approval-schema.ts";
import type { Backlog, Backlogs, BacklogStore } from "./backlogs.ts";
import { all, first, type Database, type Verb } from "../sqlite/database.ts";
import { deadMessage, unfinishedMessage } from "../schema/message-schema.ts";

export function createBacklogStore(parts: {
  database: Database;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  seal?: AuditSeal | undefined;
}): BacklogStore {
  const { database, tenantId } = parts;
  return {
    hold(work) {
      const moment = momentOf(parts);
      return database.write(() => holdWork(moment, work), { sync: "now" });
    },
    read: () => database.read(() => readBacklogs(tenantId)),
  };
}

interface Waiting {
  count: number;
  oldest: string | null;
}

function* readBacklogs(tenantId: string): Verb<Backlogs> {
  const own = [tenantId];
  const inbox = yield* first<Waiting>(
    "SELECT count(*) AS count, min(received_at) AS oldest FROM inbox WHERE tenant_id = ? AND state = 'new'",
    own,
  );
  const turns = yield* first<Waiting>(
    "SELECT count(*) AS count, min(queued_at) AS oldest FROM turns WHERE tenant_id = ? AND state = 'queued'",
    own,
  );
  const outbox = yield* all<Waiting & { conversation: string }>(
    `SELECT conversation, count(*) AS count, min(created_at) AS oldest FROM outbox
    WHERE tenant_id = ? AND ${unfinishedMessage} GROUP BY conversation`,
    own,
  );
  const deadTurns = yield* first<Waiting>(
    "SELECT count(*) AS count FROM turns WHERE tenant_id = ? AND state = 'dead'",
    own,
  );
  const deadMessages = yield* first<Waiting>(
    `SELECT count(*) AS count FROM inbox WHERE tenant_id = ? AND ${deadMessage}`,
    own,
  );
  const approvals = yield* first<Waiting>(
    `SELECT count(*) AS count FROM approvals WHERE tenant_id = ? AND ${openQuestion}`,
    own,
  );
  const notices = yield* first<Waiting>(
    "SELECT count(*) AS count FROM notices WHERE tenant_id = ? AND dismissed_at IS NULL",
    own,
  );
  return {
    inbox: backlogOf(inbox),
    turns: backlogOf(turns),
    outbox: byAccount(outbox),
    deadLetters: (deadTurns?.count ?? 0) + (deadMessages?.count ?? 0),
    approvals: approvals?.count ?? 0,
    notices: notices?.count ?? 0,
  };
}

const backlogOf = (found: Waiting | undefined): Backlog => ({
  count: found?.count ?? 0,
  oldestAt: found?.oldest ?? null,
});

/** The conversation names its account first; see `conversationOf`. */
function byAccount(rows: ReadonlyArray<Waiting & { conversation: string }>): Backlogs["outbox"] {
  const accounts = new Map<string, Backlogs["outbox"][number]>();
  for (const { conversation, count, oldest } of rows) {
    const [channel = "", accountId = ""] = conversation.split(":").map(unescape);
    const key = JSON.stringify([channel, accountId]);
    const known = accounts.get(key) ?? { channel, accountId, count: 0, oldestAt: null };
    const oldestAt =
      known.oldestAt !== null && (oldest === null || known.oldestAt < oldest) ? known.oldestAt : oldest;
    accounts.set(key, { ...known, count: known.count + count, oldestAt });
  }
  return [...accounts.values()];
}

const unescape = (part: string): string => part.replaceAll("%3A", ":").replaceAll("%25", "%");
