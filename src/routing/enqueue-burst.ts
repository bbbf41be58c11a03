/**
 * Makes a turn of what one person said, together with what a group said before; or tells them that the queue is full.
 */
import type { Destination } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";
import type {
  EnqueueOutcome,
  EnqueueTurn,
  QueueMode,
  TurnPerson,
  TurnRecord,
  TurnStore,
} from "../storage/turns/turns.ts";
import type { OpenSession } from "../storage/stores.ts";
import type { Lanes } from "./lanes.ts";

/** The part of the channels' replies that routing needs. */
export interface ReplyDrafts {
  drafts(request: {
    destination: Destination;
    turnId: string | null;
    replyTo: string | null;
    text: string;
    kind: OutboxDraft["kind"];
  }): OutboxDraft[];
}

export interface Burst {
  /** In order of arrival, all of one conversation. */
  rows: InboxRow[];
  person: TurnPerson;
  session: OpenSession;
  destination: Destination | null;
  replyTo: string | undefined;
  rule: string;
  mode: QueueMode;
  /** Infinity where nobody could be told that there is no room. */
  cap: number;
  options: Record<string, unknown>;
  /** The process that asks runs the turn itself. */
  direct?: boolean;
  joins?: EnqueueTurn["joins"];
}

/** What became of a burst. */
export type BurstEnd =
  | { type: "queued" | "joined"; turn: TurnRecord }
  /** So much waits that there is no room. */
  | { type: "full"; waiting: number }
  /** It was dealt with before. */
  | { type: "settled"; turnId: string | null };

export interface EnqueueParts {
  inbox: Pick<InboxStore, "get" | "context" | "settle" | "withdraw">;
  turns: Pick<TurnStore, "enqueue">;
  lanes: Pick<Lanes, "offer" | "abort">;
  replies: ReplyDrafts;
  wakeOutbox(rows: OutboxRow[]): void;
  say: Say;
}

/** The most that is kept of what a group says among itself. */
export const contextKept = 50;
const mostTries = 3;

/** Throws what the storage does; safe to repeat. */
export async function enqueueBurst(parts: EnqueueParts, burst: Burst): Promise<BurstEnd> {
  let { rows } = burst;
  let turnId: string | null = null;
  for (let attempt = 1; rows.length > 0 && attempt <= mostTries; attempt++) {
    // What a group said is a kindness; the last try does without, should it be what stands in the way.
    const heard = attempt < mostTries ? await heardBefore(parts, rows) : [];
    const outcome = await enqueue(parts, burst, [...heard, ...rows]);
    switch (outcome.type) {
      case "queued":
        parts.lanes.offer(outcome.turn);
        if (outcome.interrupts !== undefined) await parts.lanes.abort(outcome.interrupts, "interrupt");
        return { type: "queued", turn: outcome.turn };
      case "joined":
        // The lanes know it, unless something went wrong there; then this is how they hear of it.
        parts.lanes.offer(outcome.turn);
        return { type: "joined", turn: outcome.turn };
      case "full":
        return refuse(parts, burst, outcome.waiting);
      case "settled":
        // One of them was taken back meanwhile, or is in a turn already: the others go on.
        rows = await stillNew(parts.inbox, rows);
        ({ turnId } = outcome);
    }
  }
  if (rows.length > 0) throw new Error("messages could not be queued although they are new");
  return { type: "settled", turnId };
}

function enqueue({ turns }: EnqueueParts, burst: Burst, rows: InboxRow[]): Promise<EnqueueOutcome> {
  const { person, session, destination, rule, options, mode, cap, replyTo, direct, joins } = burst;
  const inputs = rows.sort((one, other) => one.position - other.position);
  // What a group said before waits with the message that it came with, and must not count against the next one.
  const isDirect = rows[0]?.message.peer.kind === "user";
  const most = cap + (isDirect ? 0 : contextKept);
  return turns.enqueue({
    inputs: inputs.map(({ id }) => id),
    session,
    destination,
    person,
    rule,
    options,
    mode,
    cap: Math.min(most, Number.MAX_SAFE_INTEGER),
    ...(replyTo !== undefined && { replyTo }),
    ...(direct && { direct }),
    ...(joins && { joins }),
  });
}

/** What was said in the group up to the last of these without speaking to us. */
async function heardBefore({ inbox }: EnqueueParts, rows: InboxRow[]): Promise<InboxRow[]> {
  const last = rows.at(-1);
  if (!last || last.message.peer.kind === "user") return [];
  const heard = await inbox.context(last.conversation, contextKept);
  return heard.filter(({ position }) => position < last.position);
}

/** One line for all of them, with the last. A caller who waits is told by the result, and may ask the same again. */
async function refuse(parts: EnqueueParts, burst: Burst, waiting: number): Promise<BurstEnd> {
  const { destination, rows } = burst;
  const text = parts.say("routing.full", { waiting });
  for (const row of rows) {
    if (row.asked) {
      await parts.inbox.withdraw(row.id);
      continue;
    }
    const isLast = row === rows.at(-1);
    const replies =
      destination && isLast
        ? parts.replies.drafts({
            destination,
            turnId: null,
            replyTo: row.message.message.id,
            text,
            kind: "notice",
          })
        : [];
    parts.wakeOutbox(await parts.inbox.settle(row.id, { state: "refused", reason: "full" }, replies));
  }
  return { type: "full", waiting };
}

async function stillNew(inbox: EnqueueParts["inbox"], rows: InboxRow[]): Promise<InboxRow[]> {
  const found = await Promise.all(rows.map(({ id }) => inbox.get(id)));
  return found.filter((row) => row !== undefined).filter(({ state }) => state === "new");
}
