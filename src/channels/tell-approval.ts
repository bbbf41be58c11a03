/**
 * Notifies the owner of a question. The owner's own turn asks where they wrote; everything else is a notice, sent
 * where the owner wants notices. Other people learn only that the owner was asked. Each notification is sent once,
 * even after a crash.
 */
import type { Destination } from "@pincer/sdk";
import type { Replies } from "./replies.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import type { ApprovalRecord, ApprovalStore } from "../storage/approvals/approvals.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import type { OutboxDraft, OutboxRow, OutboxStore } from "../storage/outbox/outbox.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { ApprovalTelling } from "../gate/approvals/create-approvals.ts";
import { viewApproval } from "../gate/approvals/approval-view.ts";
import { sayAnswer, sayApproval, type ApprovalWords } from "../gate/approvals/approval-words.ts";

export interface ApprovalTellingParts {
  approvals: Pick<ApprovalStore, "get" | "list">;
  notices: Pick<NoticeStore, "add" | "dismiss">;
  outbox: Pick<OutboxStore, "enqueue">;
  replies: Replies;
  say: Say;
  redactor: Redactor;
  wake(rows: OutboxRow[]): void;
  /** There is a new notice. */
  look(): void;
  /** Whether notices reach the owner elsewhere: then a group does not see what is asked. */
  isToldElsewhere(): boolean;
}

export function createApprovalTelling(parts: ApprovalTellingParts): ApprovalTelling {
  const { notices, outbox, replies, say } = parts;
  const words = approvalWords(parts);

  async function send(
    turn: TurnRecord,
    destination: Destination,
    { text, actions }: ApprovalWords,
    more: { key: string; notAfter?: string },
  ): Promise<void> {
    const { turnId, replyTo } = turn;
    const drafts = replies.drafts({ destination, turnId, replyTo, text, actions, kind: "approval" });
    const keyed = drafts.map((draft, index): OutboxDraft => ({
      ...draft,
      ...(more.notAfter !== undefined && { notAfter: more.notAfter }),
      dedupeKey: `${more.key} ${index}`,
    }));
    parts.wake(await outbox.enqueue(keyed));
  }

  async function addNotice(approval: ApprovalRecord): Promise<void> {
    const { id, subject, personId } = approval;
    await notices.add({
      kind: "approval",
      subject: subjectOf(id),
      text: { key: "notice.approval", parameters: { id, tool: subject.tool, person: personId } },
    });
    parts.look();
  }

  return {
    async asked(approval, turn) {
      const { id, expiresAt } = approval;
      const { destination, person } = turn;
      const told = placeOfQuestion(turn, parts);
      if (told) {
        const key = `approval ${id}`;
        return send(turn, told, await words(approval), { key, notAfter: expiresAt });
      }
      await addNotice(approval);
      if (!destination || person.role === "system") return;
      const text = say("approval.owner-asked");
      await send(turn, destination, { text, actions: [] }, { key: "owner asked" });
    },
    async answered(approval, turn) {
      await notices.dismiss(subjectOf(approval.id));
      const { id, personId, answeredBy } = approval;
      if (!turn?.destination || turn.person.role !== "owner") return;
      // An answer in the same place is confirmed there; if nobody answered, the turn says so.
      if (answeredBy === personId || answeredBy === "time") return;
      const text = sayAnswer(viewApproval(approval, parts.redactor), say);
      await send(turn, turn.destination, { text, actions: [] }, { key: `answer ${id}` });
    },
    async settled({ id }) {
      await notices.dismiss(subjectOf(id));
    },
  };
}

/**
 * The conversation in which the owner's own turn asks: null at a terminal, undefined if others ask or read along.
 * Pure.
 */
export function placeOfQuestion(
  { destination, person }: Pick<TurnRecord, "destination" | "person">,
  { isToldElsewhere }: Pick<ApprovalTellingParts, "isToldElsewhere">,
): Destination | null | undefined {
  const isAlone = destination?.target.peerKind === "user" || destination === null || !isToldElsewhere();
  return person.role === "owner" && isAlone ? destination : undefined;
}

/** The text of a question in its current state, with the other open ones. */
export function approvalWords({
  approvals,
  redactor,
  say,
}: Pick<ApprovalTellingParts, "approvals" | "redactor" | "say">): (
  approval: ApprovalRecord,
  isElsewhere?: boolean,
) => Promise<ApprovalWords> {
  return async (approval, isElsewhere = false) => {
    const open = await approvals.list({ limit: mostOthers, states: ["pending"] });
    const view = (each: ApprovalRecord) => viewApproval(each, redactor);
    const others = open.filter(({ id }) => id !== approval.id).map(view);
    return sayApproval(view(approval), others, say, isElsewhere);
  };
}

/** The text of a notice about a question; undefined for other notices, empty if it is settled. */
export function approvalNotices(
  parts: Pick<ApprovalTellingParts, "approvals" | "redactor" | "say">,
): (notice: { kind: string; subject: string }) => Promise<ApprovalWords | "settled" | undefined> {
  const words = approvalWords(parts);
  return async ({ kind, subject }) => {
    if (kind !== "approval") return undefined;
    const approval = await parts.approvals.get(subject.slice(subjectOf("").length));
    return approval?.state === "pending" ? words(approval, true) : "settled";
  };
}

const mostOthers = 20;

const subjectOf = (id: string): string => `approval:${id}`;
