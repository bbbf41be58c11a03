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
import { inOrder, type Card } from "../gate/approvals/card-post.ts";
import type { ApprovalTelling } from "../gate/approvals/create-approvals.ts";
import { viewApproval } from "../gate/approvals/approval-view.ts";
import { sayAnswer, sayCard, type ApprovalWords, type ShownCard } from "../gate/approvals/approval-words.ts";

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

  async function addNotice(card: Card): Promise<void> {
    const [first] = card;
    const tool = [...new Set(card.map(({ subject }) => subject.tool))].join(", ");
    await notices.add({
      kind: "approval",
      subject: subjectOf(first),
      text: { key: "notice.approval", parameters: { id: idOf(first), tool, person: first.personId } },
    });
    parts.look();
  }

  const dismiss = (approval: ApprovalRecord) => dismissApproval(parts, approval);

  return {
    async asked(card, turn) {
      const [first] = card;
      const { destination, person } = turn;
      const told = placeOfQuestion(turn, parts);
      if (told) {
        const key = `approval ${idOf(first)}`;
        return send(turn, told, await words(card), { key, notAfter: first.expiresAt });
      }
      await addNotice(card);
      if (!destination || person.role === "system") return;
      const text = say("approval.owner-asked");
      await send(turn, destination, { text, actions: [] }, { key: "owner asked" });
    },
    async answered(card, turn) {
      const [first] = card;
      await dismiss(first);
      const { id, personId, answeredBy } = first;
      if (!turn?.destination || turn.person.role !== "owner") return;
      // An answer in the same place is confirmed there; if nobody answered, the turn says so.
      if (answeredBy === personId || answeredBy === "time") return;
      const text = sayAnswer(viewCard(card, parts.redactor), say);
      await send(turn, turn.destination, { text, actions: [] }, { key: `answer ${id}` });
    },
    settled: dismiss,
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

/** A notice about a request goes away when nothing of its card waits any more. Safe to repeat. */
export async function dismissApproval(
  { approvals, notices }: { approvals: Pick<ApprovalStore, "list">; notices: Pick<NoticeStore, "dismiss"> },
  approval: ApprovalRecord,
): Promise<void> {
  const { card } = approval;
  const open = card === undefined ? [] : await approvals.list({ limit: 1, card, states: ["pending"] });
  if (open.length === 0) await notices.dismiss(subjectOf(approval));
}

const viewCard = ([first, ...rest]: Card, redactor: ApprovalTellingParts["redactor"]): ShownCard => [
  viewApproval(first, redactor, rest.length + 1),
  ...rest.map((each) => viewApproval(each, redactor, rest.length + 1)),
];

/** The text of a request in its current state, with the other open ones. */
export function approvalWords({
  approvals,
  redactor,
  say,
}: Pick<ApprovalTellingParts, "approvals" | "redactor" | "say">): (
  card: Card,
  isElsewhere?: boolean,
) => Promise<ApprovalWords> {
  return async (card, isElsewhere = false) => {
    const open = await approvals.list({ limit: mostOthers, states: ["pending"] });
    const others = open.filter((each) => idOf(each) !== idOf(card[0]));
    const views = others.map((each) => viewApproval(each, redactor));
    return sayCard(viewCard(card, redactor), views, say, isElsewhere);
  };
}

/** The text of a notice about a question; undefined for other notices, empty if it is settled. */
export function approvalNotices(
  parts: Pick<ApprovalTellingParts, "approvals" | "redactor" | "say">,
): (notice: { kind: string; subject: string }) => Promise<ApprovalWords | "settled" | undefined> {
  const words = approvalWords(parts);
  return async ({ kind, subject }) => {
    if (kind !== "approval") return undefined;
    const id = subject.slice(subjectPrefix.length);
    const single = await parts.approvals.get(id);
    const open = single ? [single] : await parts.approvals.list({ limit: mostOthers, card: id });
    const [first, ...rest] = open.filter(({ state }) => state === "pending");
    return first ? words(inOrder([first, ...rest]), true) : "settled";
  };
}

const mostOthers = 20;

const subjectPrefix = "approval:";

/** The id by which all that is asked together is answered. */
const idOf = ({ id, card }: ApprovalRecord): string => card ?? id;

const subjectOf = (approval: ApprovalRecord): string => `${subjectPrefix}${idOf(approval)}`;
