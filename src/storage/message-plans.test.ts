import { createHandClock } from "@pincer/sdk/testing";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import type { Database, Statement, Verb } from "./sqlite/database.ts";
import { createSchema } from "./schema/migrations.ts";
import { sqliteDialect } from "./sqlite/sql-dialect.ts";
import { createTransactions } from "./sqlite/sqlite-transactions.ts";
import type { TenantStores } from "./storage.ts";
import { createTenantStores } from "./tenant-stores.ts";
import { question, waitingTurn, yes } from "./testing/approval-samples.ts";
import {
  claim,
  conversation,
  draft,
  ending,
  entriesFor,
  inbound,
  place,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./testing/message-samples.ts";
import { request, say } from "./testing/samples.ts";
import { addUsage, noJudge, someCall } from "./testing/add-usage.ts";

let connection: DatabaseSync;
let tenant: TenantStores;
let said: Statement[];

/** Stores that remember every statement. */
beforeEach(() => {
  connection = new DatabaseSync(":memory:");
  const { transact } = createTransactions({ connection, file: ":memory:" });
  transact("BEGIN", () => createSchema(sqliteDialect, "2026-01-01T12:00:00.000Z"));
  function* listen<Result>(work: Verb<Result>): Verb<Result> {
    let step = work.next();
    while (!step.done) {
      said.push(step.value);
      step = work.next(yield step.value);
    }
    return step.value;
  }
  const database: Database = {
    read: async (verb) => transact("BEGIN", () => listen(verb())),
    async write(verb, { unless }) {
      const found = unless && transact("BEGIN", () => listen(unless()));
      return found === undefined ? transact("BEGIN", () => listen(verb())) : found;
    },
    async forgetDeleted() {},
  };
  const clock = createHandClock();
  said = [];
  tenant = createTenantStores({ database, clock, ids: createIds(clock.now), tenantId: "acme" });
});
afterEach(() => connection.close());

/** The steps of the plans that may read more rows than they need, or sort them. The newest position is one look at the end. */
function slowSteps(): string[] {
  const slow = said.flatMap(({ sql, parameters }) =>
    connection
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map((row) => String(row["detail"]))
      .filter((detail) =>
        /^SCAN (?!CONSTANT|\d+-ROW VALUES)|PRIMARY KEY \(tenant_id=\?\)$|TEMP B-TREE/.test(detail),
      )
      .filter(() => !sql.includes("max(position)"))
      // No longer than what is under way.
      .filter((detail) => !/^SEARCH (usage_open|o) /.test(detail))
      .map((detail) => `${detail}: ${sql}`),
  );
  said = [];
  return slow;
}

/** The indexes that a verb goes through. */
async function indexesOf(work: () => Promise<unknown>): Promise<string[]> {
  said = [];
  await work();
  const details = said.flatMap(({ sql, parameters }) =>
    connection
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map((row) => String(row["detail"])),
  );
  return details.flatMap((detail) => /USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? []);
}

describe("the way of a message through the database", () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ["listNew", "inbox_new", () => tenant.inbox.listNew(10)],
    ["listDead", "inbox_dead", () => tenant.inbox.listDead({ limit: 10, before: 5 })],
    ["context", "inbox_context", () => tenant.inbox.context(conversation(), 10)],
    ["inputs", "inbox_of_turn", () => tenant.turns.inputs("r_1")],
    ["pending", "turns_pending", () => tenant.turns.pending({ limit: 10 })],
    ["running", "turns_open", () => tenant.turns.running("w1", "main")],
    ["head", "outbox_unfinished", () => tenant.outbox.head(conversation())],
    ["untold", "notices_untold", () => tenant.notices.untold(10)],
    ["expire", "approvals_due", () => tenant.approvals.expire("2026-01-01T12:00:00.000Z", 10)],
    ["grants", "grants_of_agent", () => tenant.approvals.grants({ agentId: "main", turnId: "r_1" })],
    ["unfinished", "outbox_unfinished", () => tenant.outbox.unfinished()],
  ])("looks for %s among what has work to do, in the index %s", async (_, index, verb) => {
    expect(await indexesOf(verb)).toEqual([index]);
  });

  it("never reads a table from end to end, nor sorts", async () => {
    const [id = ""] = await receive(tenant, "1");
    await tenant.inbox.accept(inbound("1"));
    await tenant.inbox.listNew(10);
    const outcome = await tenant.turns.enqueue(turnFor([id]));
    await tenant.turns.pending({ limit: 10, after: 3 });
    expect(said.length).toBeGreaterThan(5);
    expect(slowSteps()).toEqual([]);

    const turnId = outcome.type === "queued" ? outcome.turn.turnId : "";
    const fence = await takeFence(tenant);
    await claim(tenant, turnId, fence);
    await tenant.turns.running("w1", "main");
    await tenant.turns.enqueue(turnFor(await receive(tenant, "2")));
    await tenant.turns.takeInputs({ turnId, fence, entriesFor });
    await tenant.turns.record({ turnId, fence, bodies: [say("x")], steps: [], sync: "later" });
    await tenant.turns.entries(turnId);
    await tenant.turns.journal(turnId);
    expect(slowSteps()).toEqual([]);

    const preview = await tenant.outbox.preview({ ...draft("an"), turnId });
    const reply = draft("answer", { turnId, dedupeKey: "answer" });
    await tenant.turns.enqueue(turnFor(await receive(tenant, "3")));
    await tenant.turns.end(ending(turnId, fence, { replies: [reply, reply] }));
    await tenant.outbox.head(conversation());
    await tenant.outbox.unfinished();
    await tenant.outbox.beginSend(preview.id);
    await tenant.outbox.markSent(preview.id, { messageId: "p", version: 2, shownLength: 6 });
    await tenant.outbox.recover();
    expect(slowSteps()).toEqual([]);
  });

  it("counts what waits through the indexes that hold little else", async () => {
    expect(await indexesOf(() => tenant.backlogs.read())).toEqual([
      "inbox_new",
      "turns_of_state",
      "outbox_unfinished",
      "turns_of_state",
      "inbox_dead",
      expect.stringMatching(/^approvals_(?:of_state|open|due)$/),
      "notices_open",
    ]);
    expect(slowSteps()).toEqual([]);
  });

  it("looks at a queue as a whole, however long it is", async () => {
    const [id = "", other = ""] = await receive(tenant, "1", "2");
    for (const messageId of ["3", "4", "5"]) await queue(tenant, messageId);
    said = [];
    await tenant.turns.enqueue(turnFor([id], { mode: "followup" }));
    const few = said.length;
    for (let index = 6; index < 60; index++) await queue(tenant, String(index), { cap: 99 });
    said = [];
    await tenant.turns.enqueue(turnFor([other], { mode: "followup", cap: 99 }));
    expect(said.length).toBe(few);
    expect(slowSteps()).toEqual([]);
  });

  it("finds the rest through indexes, too", async () => {
    const { turnId } = await queue(tenant, "1");
    const [id = ""] = await receive(tenant, "2");
    await tenant.inbox.settle(id, { state: "context", reason: null });
    await tenant.inbox.context(conversation(), 0);
    await tenant.inbox.amend(id, "deleted");
    await tenant.inbox.listDead({ limit: 9 });
    await tenant.inbox.revive(id);
    await tenant.inbox.dropDead(id);
    await tenant.outbox.list({ limit: 9, states: ["failed"] });
    await tenant.outbox.drop("o_1");
    await tenant.outbox.list({ limit: 9, turnId });
    await tenant.turns.list({ limit: 9, states: ["dead"] });
    await tenant.turns.list({ limit: 9, sessionKey: "main" });
    const ending = { type: "aborted", by: "stop" } as const;
    const session = { workspaceId: "w1", sessionKey: "main" };
    await tenant.turns.cancelQueued({ ...session, ending, conversation: conversation() });
    await tenant.turns.cancelQueued({ ...session, ending });
    await tenant.turns.cancel(turnId, { ending, replies: [] });
    await tenant.pairing.isAllowed({ channel: "telegram", accountId: "bot", senderId: "42" });
    await tenant.pairing.isOwner("telegram", "42");
    await tenant.cursors.load("telegram", "bot");
    await tenant.sessions.delete("s_1", "owner");
    expect(slowSteps()).toEqual([]);
  });

  it("STORE-08 finds what was taken over of a session through indexes", async () => {
    const { session } = await tenant.sessions.open(request("main"));
    const { sessionId } = session;
    await tenant.sessions.openNew(request("main"), () => ({
      type: "event",
      name: "carried",
      data: { sessionId, summary: "x" },
    }));
    said = [];
    expect(await tenant.sessions.forgetCarried(sessionId)).toHaveLength(1);
    expect(slowSteps()).toEqual([]);
  });

  it("SESS-09 finds the last mark, what it leaves to be shown, and the sessions of a key through indexes", async () => {
    const { session } = await tenant.sessions.open(request("main"));
    const { sessionId } = session;
    await tenant.entries.append(sessionId, [say("x"), { type: "compaction", summary: "x", keepFrom: 2 }]);
    said = [];
    await tenant.entries.view(sessionId, { before: 9, limit: 9 });
    await tenant.entries.messagesFrom(sessionId, 2, 9);
    await tenant.entries.at(sessionId, 2);
    await tenant.entries.marks(sessionId, 9);
    await tenant.entries.search(sessionId, { terms: ["x"], limit: 9, everySession: true });
    const statements = said.map(({ sql, parameters }) =>
      connection
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...parameters)
        .map((row) => String(row["detail"])),
    );
    expect(slowSteps()).toEqual([]);
    const ofSession = "(tenant_id=? AND session_id=?";
    // Superseded entries are found by the marks alone.
    const asides = [
      `SEARCH session_marks USING PRIMARY KEY ${ofSession})`,
      `SEARCH entries USING PRIMARY KEY ${ofSession} AND seq=?)`,
    ];
    expect(statements).toEqual([
      [
        `SEARCH entries USING PRIMARY KEY ${ofSession} AND seq>? AND seq<?)`,
        "SCALAR SUBQUERY 2",
        "SCAN CONSTANT ROW",
        "SCALAR SUBQUERY 1",
        `SEARCH session_marks USING PRIMARY KEY ${ofSession})`,
      ],
      asides,
      [`SEARCH session_marks USING PRIMARY KEY ${ofSession})`],
      [`SEARCH entries USING PRIMARY KEY ${ofSession} AND seq=?)`],
      [`SEARCH entries USING PRIMARY KEY ${ofSession} AND seq>? AND seq<?)`],
      asides,
      [`SEARCH entries USING PRIMARY KEY ${ofSession} AND seq>?)`],
      [`SEARCH entries USING PRIMARY KEY ${ofSession} AND seq=?)`],
      [`SEARCH session_marks USING PRIMARY KEY ${ofSession})`],
      asides,
      [`SEARCH entries USING PRIMARY KEY ${ofSession} AND seq=?)`],
      [
        "SEARCH own USING INDEX sqlite_autoindex_sessions_1 (tenant_id=? AND id=?)",
        "SEARCH other USING COVERING INDEX sessions_of_key (tenant_id=? AND workspace_id=? AND session_key=?)",
      ],
      [`SEARCH entries USING PRIMARY KEY ${ofSession} AND seq<?)`],
    ]);
  });

  it("SAFE-02 asks the owner, takes the answer and stops what waits through indexes", async () => {
    const { approvals, turns } = tenant;
    const { turnId, approval, session } = await waitingTurn(tenant, "1");
    await approvals.ask(question(turnId));
    await approvals.ask(question(turnId, { callId: "call_2" }));
    await approvals.get(approval.id);
    await approvals.list({ limit: 9, turnId });
    await approvals.list({ limit: 9, sessionKey: "main" });
    await approvals.list({ limit: 9, states: ["pending"] });
    await approvals.answer(approval.id, { ...yes, scope: "recipient" });
    await approvals.spend(approval.id);
    await approvals.expire("2030-01-01T00:00:00.000Z", 9);
    await approvals.withdraw(turnId);
    await approvals.revokeGrant("none", "owner");
    await approvals.prune("2030-01-01T00:00:00.000Z", 9);
    expect(slowSteps()).toEqual([]);

    await waitingTurn(tenant, "2");
    const stop = { type: "aborted", by: "stop" } as const;
    const ofSession = { workspaceId: "w1", sessionKey: "main", ending: stop };
    expect(await indexesOf(() => turns.cancelQueued(ofSession))).toContain("turns_waiting");
    await tenant.sessions.delete(session.sessionId, "owner");
    expect(slowSteps()).toEqual([]);
  });

  it("a turn without questions ends with one look for them", async () => {
    const { turnId } = await queue(tenant, "1");
    const fence = await takeFence(tenant);
    await claim(tenant, turnId, fence);
    said = [];
    await tenant.turns.end(ending(turnId, fence));
    const looks = said.filter(({ sql }) => sql.includes("approvals"));
    expect(looks).toHaveLength(1);
    said = looks;
    const used = ["turns_ids", "inbox_of_turn", "approvals_of_turn", "outbox_of_turn"];
    expect(await indexesOf(async () => said.push(...looks))).toEqual(used);
  });

  it("MODEL-05 looks at what was used, and goes on with a turn, through indexes", async () => {
    const { turnId } = await queue(tenant, "1");
    const fence = await takeFence(tenant);
    await claim(tenant, turnId, fence);
    await tenant.turns.end(ending(turnId, fence, { state: "failed", ending: { type: "cut" } }));
    const [input = ""] = await receive(tenant, "2");
    const person = { role: "peer", id: "telegram:42" } as const;
    const session = { workspaceId: "w1", sessionKey: "main" };
    await tenant.turns.resume({ input, session, destination: place(), person });
    const used = someCall({ turnId });
    await tenant.usage.totals({ type: "day", day: "2026-01-01" });
    const scopes = [{ type: "day" as const, day: "2026-01-01" }];
    await addUsage(tenant.usage, used, { judge: { ...noJudge, scopes } });
    await tenant.usage.loseGone(() => true);
    await tenant.usage.list({ limit: 9, turnId });
    await tenant.usage.list({ limit: 9, sessionId: "s_1" });
    await tenant.usage.prune("2027-01-01T00:00:00.000Z", 9);
    expect(slowSteps()).toEqual([]);
  });
});
