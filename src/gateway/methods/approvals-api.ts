/** Approval requests that wait for the owner, and grants for more than one call. */
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
import { dismissApproval } from "../../channels/tell-approval.ts";
import { numberOn } from "../../storage/approvals/approval-row.ts";
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
const mostOnCard = 99;

export function createApprovalsApi({
  approvals,
  turns,
  answer,
  redactor,
}: ApprovalsApiParts): Api<"approvals"> {
  const view = (record: ApprovalRecord) => viewApproval(record, redactor);
  const waiting = () => approvals.list({ limit: mostCounted, states: ["pending"] });

  /** A request, or all of a card in its order; `id` answers them. */
  async function find(given: string): Promise<Found> {
    const typed = given.trim().toLowerCase();
    const exact = await approvals.get(typed);
    if (exact) return { id: exact.id, first: exact, rest: [] };
    const onCard = (await approvals.list({ limit: mostOnCard, card: typed })).filter(
      ({ card }) => card === typed,
    );
    const found = foundIn(typed, onCard.sort(byNumber));
    if (found) return found;
    const open = await waiting();
    const near = open.filter(({ id }) => id.toLowerCase().startsWith(typed));
    const [only, ...more] = new Set(near.map(({ id, card }) => card ?? id));
    if (only === undefined) throw notThere(given, open);
    if (more.length > 0) throw severalBegin(given, near);
    return find(near.length === 1 && near[0] ? near[0].id : only);
  }

  async function settle(
    given: string,
    { verdict, scope, only }: Pick<ApprovalAnswer, "verdict" | "scope" | "only">,
    until: Until | undefined,
  ): Promise<{
    approval: ReturnType<typeof view>;
    approvals: Array<ReturnType<typeof view>>;
    goesOn: boolean;
  }> {
    const { id, first } = await find(given);
    if (verdict === "approved") await requireOwnersTurn(first.turnId, until);
    if (verdict === "approved") requireOwnersGrant(scope, until);
    const outcome = await answer(id, { verdict, scope, only, by: actorOf(until) });
    switch (outcome.type) {
      case "answered":
        return {
          approval: view(outcome.approval),
          approvals: outcome.approvals.map(view),
          goesOn: outcome.turn !== undefined,
        };
      case "no-number":
        throw noNumber(id, outcome.number);
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

  /** A yes for more than this call stands, and decides about calls that nobody has seen. */
  function requireOwnersGrant(scope: ApprovalAnswer["scope"], until: Until | undefined): void {
    if (scope === "once" || until?.caller === undefined || isOwner(until.caller)) return;
    throw failure(
      "permission/missing",
      "permission.owner-grant",
      { scope },
      { hint: "permission.owner-grant.hint" },
    );
  }

  return {
    async list({ limit = 50, states }) {
      const found = await approvals.list({ limit, ...(states ? { states } : {}) });
      return { approvals: found.map(view), waiting: (await waiting()).length };
    },
    async get({ id }) {
      const { first, rest } = await find(id);
      const shown = new Set([first, ...rest].map((each) => each.id));
      const others = (await waiting()).filter((each) => !shown.has(each.id));
      return {
        approval: view(first),
        together: rest.map(view),
        others: others.slice(0, mostOthers).map(view),
      };
    },
    approve: ({ id, scope = "once", only }, until) => settle(id, { verdict: "approved", scope, only }, until),
    deny: ({ id }, until) => settle(id, { verdict: "denied", scope: "once" }, until),
  };
}

interface Found {
  id: string;
  first: ApprovalRecord;
  rest: ApprovalRecord[];
}

const foundIn = (id: string, [first, ...rest]: ApprovalRecord[]): Found | undefined =>
  first && { id, first, rest };

const byNumber = (one: ApprovalRecord, other: ApprovalRecord): number => numberOn(one) - numberOn(other);

/** Stores the answer only, because no turn runs here: the next gateway finds the turn in its queue. */
export function answerInStore(parts: {
  approvals: Pick<ApprovalStore, "answer" | "list">;
  notices: Pick<NoticeStore, "dismiss">;
}): AnswerApproval {
  return async (id, answer) => {
    const outcome = await parts.approvals.answer(id, answer);
    if (outcome.type === "answered" || outcome.type === "settled")
      await dismissApproval(parts, outcome.approval);
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

const noNumber = (id: string, number: number) =>
  failure("usage/bad-argument", "approvals.no-number", { id, number }, { hint: "approvals.no-number.hint" });

const notOffered = ({ id, scopes }: ApprovalRecord, scope: string) =>
  failure(
    "usage/bad-argument",
    "approvals.no-scope",
    { id, scope, scopes: scopes.join(", ") },
    { hint: "approvals.no-scope.hint" },
  );
