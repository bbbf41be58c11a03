/** Asks what the calls of one answer want to be asked: what is known is found again, and the rest is one card. */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { numberOn } from "../../storage/approvals/approval-row.ts";
import type {
  ApprovalDraft,
  ApprovalRecord,
  ApprovalStore,
  ApprovalSubject,
  AskOutcome,
} from "../../storage/approvals/approvals.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { ApprovalQuestion } from "../call-round.ts";
import type { BegunApprovals } from "./begun-approvals.ts";

/** What is asked together, in its order: at least one, and all of one card. */
export type Card = readonly [ApprovalRecord, ...ApprovalRecord[]];

export interface CardPostParts {
  approvals: Pick<ApprovalStore, "list" | "askTogether">;
  begunWith: Pick<BegunApprovals, "find">;
  clock: Clock;
  config(): Pick<Config, "approvals">;
  /** How many cards one task may show. */
  mostCards: number;
  /** How many cards of the turn's session may wait at the same time; left out: any number. */
  maxOpen?(turn: TurnRecord): number | undefined;
  /** Called once for what is asked together, with what waits of it. */
  onPosted(turn: TurnRecord, pending: readonly ApprovalRecord[]): void;
}

/** In the order of the questions. Equal lists are asked once, whichever call comes first. Throws what the storage does. */
export type CardPost = (turn: TurnRecord, questions: readonly ApprovalQuestion[]) => Promise<AskOutcome[]>;

/** More of one task are not looked through. */
const mostOfTask = 500;

export function createCardPost(parts: CardPostParts): CardPost {
  const { approvals, clock, config } = parts;
  const posts = new WeakMap<readonly ApprovalQuestion[], Promise<AskOutcome[]>>();

  async function post(turn: TurnRecord, questions: readonly ApprovalQuestion[]): Promise<AskOutcome[]> {
    const { turnId, workspaceId, sessionKey, agentId, person } = turn;
    const taskId = taskOf(turn);
    const before = await approvals.list({ limit: mostOfTask, taskId });
    const expiresAt = new Date(clock.now() + config().approvals.keepHours * 3_600_000).toISOString();
    const whose = { turnId, taskId, workspaceId, sessionKey, agentId, personId: person.id, expiresAt };
    const posted: AskOutcome[] = [];
    const open: Array<{ at: number; draft: ApprovalDraft }> = [];
    for (const [at, question] of questions.entries()) {
      const known = await findKnown(turnId, question, before);
      if (known) posted[at] = { type: "asked", approval: known };
      else open.push({ at, draft: { ...question, ...whose, callId: freshCallId(turnId, question, before) } });
    }
    const limits = { inTask: parts.mostCards, openInSession: parts.maxOpen?.(turn) };
    const drafts = open.map(({ draft }) => draft);
    const outcomes = drafts.length === 0 ? [] : await approvals.askTogether(drafts, limits);
    for (const [index, outcome] of outcomes.entries()) posted[open[index]?.at ?? 0] = outcome;
    parts.onPosted(turn, pendingOf(posted));
    return posted;
  }

  /**
   * The question about the same call, with its answer. What was denied in the task stays denied there, under whatever id
   * it is tried again, and so does anything else of that tool to the same recipient.
   */
  async function findKnown(
    turnId: string,
    question: ApprovalQuestion,
    before: readonly ApprovalRecord[],
  ): Promise<ApprovalRecord | undefined> {
    const own = ownOf(turnId, question, before).find(({ state }) => state !== "spent");
    if (own) return own;
    const begun = await parts.begunWith.find(turnId, question);
    if (begun) return begun;
    return before.find(({ state, subject }) => isRefused(state) && isAlike(subject, question.subject));
  }

  return (turn, questions) => {
    const posting = posts.get(questions) ?? post(turn, questions);
    posts.set(questions, posting);
    return posting;
  };
}

export const pendingOf = (posted: readonly AskOutcome[]): ApprovalRecord[] =>
  posted.flatMap((each) =>
    each.type === "asked" && each.approval.state === "pending" ? [each.approval] : [],
  );

export const inOrder = (card: [ApprovalRecord, ...ApprovalRecord[]]): Card =>
  card.sort((one, other) => numberOn(one) - numberOn(other));

/** The turn for which this one works: what is denied there is denied here. */
export const taskOf = ({ turnId, options }: Pick<TurnRecord, "turnId" | "options">): string =>
  (options as { task?: string }).task ?? turnId;

/** Some models reuse call ids: with a number behind it, it is another call. Newest first. */
const ownOf = (
  turnId: string,
  question: ApprovalQuestion,
  before: readonly ApprovalRecord[],
): ApprovalRecord[] =>
  before.filter(
    (each) =>
      each.turnId === turnId &&
      each.state !== "withdrawn" &&
      each.subject.digest === question.subject.digest &&
      (each.callId === question.callId || each.callId.startsWith(`${question.callId}#`)),
  );

/** An approval that was spent belongs to an earlier call. */
function freshCallId(turnId: string, question: ApprovalQuestion, before: readonly ApprovalRecord[]): string {
  const times = ownOf(turnId, question, before).length + 1;
  return times === 1 ? question.callId : `${question.callId}#${times}`;
}

const isRefused = (state: ApprovalRecord["state"]): boolean => state === "denied" || state === "expired";

const isAlike = (one: ApprovalSubject, other: ApprovalSubject): boolean =>
  one.digest === other.digest ||
  (one.recipient !== undefined && one.recipient === other.recipient && one.tool === other.tool);
