/** Approval requests that wait for the owner, and grants for more than one call. */
import type { ApprovalScope } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { isOwner } from "../../policy/caller.ts";
import type {
  AnswerOutcome,
  ApprovalAnswer,
  ApprovalRecord,
  ApprovalStore,
} from "../../storage/approvals/approvals.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type { TurnStore } from "../../storage/turns/turns.ts";
import { viewApproval, viewGrant } from "../../gate/approvals/approval-view.ts";
import { actorOf, type Api, type Until } from "./api.ts";

/** On the disk when it resolves. Safe to repeat: what is settled stays as it is. */
export type AnswerApproval = (id: string, answer: ApprovalAnswer) => Promise<AnswerOutcome>;

export interface ApprovalsApiParts {
  approvals: Pick<ApprovalStore, "get" | "list">;
  turns: Pick<TurnStore, "get">;
  /** In a gateway, continues the turn at once; elsewhere `answerInStore`. */
  answer: AnswerApproval;
  redactor: Pick<Redactor, "data" | "values">;
}

const mostCounted = 1000;
const mostOthers = 20;
const mostNamed = 10;

export function createApprovalsApi({
  approvals,
  turns,
  answer,
  redactor,
}: ApprovalsApiParts): Api<"approvals"> {
  const view = (record: ApprovalRecord) => viewApproval(record, redactor);
  const waiting = () => approvals.list({ limit: mostCounted, states: ["pending"] });

  async function find(given: string): Promise<ApprovalRecord> {
    const exact = await approvals.get(given);
    if (exact) return exact;
    const open = await waiting();
    const near = open.filter(({ id }) => id.toLowerCase().startsWith(given.toLowerCase()));
    const [only, ...more] = near;
    if (only && more.length === 0) return only;
    if (only) throw severalBegin(given, near);
    throw notThere(given, open);
  }

  async function settle(
    given: string,
    verdict: ApprovalAnswer["verdict"],
    scope: ApprovalScope,
    until: Until | undefined,
  ): Promise<{ approval: ReturnType<typeof view>; goesOn: boolean }> {
    const { id, turnId } = await find(given);
    if (verdict === "approved") await requireOwnersTurn(turnId, until);
    const outcome = await answer(id, { verdict, scope, by: actorOf(until) });
    switch (outcome.type) {
      case "answered":
        return { approval: view(outcome.approval), goesOn: outcome.turn !== undefined };
      case "settled":
        throw isOver(outcome.approval);
      case "no-scope":
        throw notOffered(outcome.approval, scope);
      case "none":
        throw notThere(id, await waiting());
    }
  }

  /** A caller who may answer for the owner does so for the owner's work: nobody approves what they asked for themselves, under any name. */
  async function requireOwnersTurn(turnId: string, until: Until | undefined): Promise<void> {
    if (until?.caller === undefined || isOwner(until.caller)) return;
    if ((await turns.get(turnId))?.person.role === "owner") return;
    throw failure("permission/missing", "permission.owner-answer");
  }

  return {
    async list({ limit = 50, states }) {
      const found = await approvals.list({ limit, ...(states ? { states } : {}) });
      return { approvals: found.map(view), waiting: (await waiting()).length };
    },
    async get({ id }) {
      const approval = await find(id);
      const others = (await waiting()).filter((each) => each.id !== approval.id);
      return { approval: view(approval), others: others.slice(0, mostOthers).map(view) };
    },
    approve: ({ id, scope = "once" }, until) => settle(id, "approved", scope, until),
    deny: ({ id }, until) => settle(id, "denied", "once", until),
  };
}

/** Stores the answer only, because no turn runs here: the next gateway finds the turn in its queue. */
export function answerInStore(parts: {
  approvals: Pick<ApprovalStore, "answer">;
  notices: Pick<NoticeStore, "dismiss">;
}): AnswerApproval {
  return async (id, answer) => {
    const outcome = await parts.approvals.answer(id, answer);
    if (outcome.type === "answered" || outcome.type === "settled")
      await parts.notices.dismiss(`approval:${outcome.approval.id}`);
    return outcome;
  };
}

export function createGrantsApi({
  approvals,
  redactor,
}: {
  approvals: Pick<ApprovalStore, "listGrants" | "revokeGrant">;
  redactor: Pick<Redactor, "values">;
}): Api<"grants"> {
  return {
    async list({ limit = 50 }) {
      return { grants: (await approvals.listGrants({ limit })).map((grant) => viewGrant(grant, redactor)) };
    },
    async revoke({ id }, until) {
      if (await approvals.revokeGrant(id, actorOf(until))) return { revoked: id };
      throw failure("approval/not-found", "grants.none", { id }, { hint: "grants.none.hint" });
    },
  };
}

/** `K7Q2MP exec`, as many as fit into a line. */
function names(records: readonly ApprovalRecord[]): string {
  const rest = records.length - mostNamed;
  const named = records.slice(0, mostNamed).map(({ id, subject }) => `${id} (${subject.tool})`);
  return [...named, ...(rest > 0 ? [`+${rest}`] : [])].join(", ");
}

const notThere = (id: string, open: readonly ApprovalRecord[]) =>
  open.length === 0
    ? failure("approval/not-found", "approvals.none-such", { id }, { hint: "approvals.none-wait.hint" })
    : failure(
        "approval/not-found",
        "approvals.none-such",
        { id, waiting: names(open) },
        { hint: "approvals.some-wait.hint" },
      );

const severalBegin = (id: string, near: readonly ApprovalRecord[]) =>
  failure(
    "usage/bad-argument",
    "approvals.several",
    { id, waiting: names(near) },
    { hint: "approvals.some-wait.hint" },
  );

const isOver = ({ id, state, answeredBy }: ApprovalRecord) =>
  failure(
    "approval/over",
    state === "approved" || state === "spent"
      ? "approvals.over.approved"
      : state === "denied"
        ? "approvals.over.denied"
        : state === "expired"
          ? "approvals.over.expired"
          : "approvals.over.withdrawn",
    { id, by: answeredBy ?? "-" },
    { hint: "approvals.over.hint" },
  );

const notOffered = ({ id, scopes }: ApprovalRecord, scope: string) =>
  failure(
    "usage/bad-argument",
    "approvals.no-scope",
    { id, scope, scopes: scopes.join(", ") },
    { hint: "approvals.no-scope.hint" },
  );
