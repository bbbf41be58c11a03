/**
 * Turns that a call of another turn runs: each a row with a session and a journal of its own, and one result back. The
 * call itself runs it, under the parent's lease and signal, so nobody else takes it up. After a crash the parent's
 * call is made again: it finds the row, and goes on with it or hands back what it came to.
 */
import type { ChildKind, InboundMessage, Message, TextBlock } from "@pincer/sdk";
import { formatSessionKey } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { digestOf } from "../../infra/digest-of.ts";
import { childChannel } from "../../storage/sessions/child-session.ts";
import type { InboxRow, InboxStore } from "../../storage/inbox/inbox.ts";
import type { EnqueueTurn, TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import { TurnStop, type RunTurn } from "../turn-run.ts";

/** Whose child a turn is, among its options. */
export interface ChildOf {
  kind: ChildKind;
  /** The turn whose call runs it. */
  turnId: string;
}

export interface ChildRequest extends ChildOf {
  callId: string;
  /** What it begins with, each with whose words it is. */
  says: TextBlock[];
  /** How long it may work. */
  deadlineMs: number;
}

export interface ChildResult {
  /** As it ended. */
  turn: TurnRecord;
  messages: Message[];
}

export interface ChildTurns {
  /**
   * Resolves when it has ended, well or not. The same request is the same child. Throws the signal's reason where the
   * parent is stopped, and what the storage does.
   */
  run(request: ChildRequest, signal: AbortSignal): Promise<ChildResult>;
}

export interface ChildTurnParts {
  inbox: Pick<InboxStore, "accept">;
  turns: Pick<TurnStore, "get" | "enqueue" | "recall">;
  /** Runs it to its end. */
  runChild: RunTurn;
  tenantId: string;
  clock: Pick<Clock, "now" | "sleep">;
}

export function createChildTurns(parts: ChildTurnParts): ChildTurns {
  const { inbox, turns, runChild } = parts;

  return {
    async run(request, signal) {
      const parent = await turns.get(request.turnId);
      if (!parent) throw new Error("the turn that this belongs to is gone");
      const child = await childOf(parent, request);
      if (isOpen(child)) await runWithin(child, request.deadlineMs, signal);
      signal.throwIfAborted();
      const found = await turns.recall(child.turnId);
      if (!found || isOpen(found.turn)) throw new Error("it could not be brought to its end");
      const messages = found.entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
      return { turn: found.turn, messages };
    },
  };

  /** The row of the request, made if there is none yet. */
  async function childOf(parent: TurnRecord, request: ChildRequest): Promise<TurnRecord> {
    const enqueue = enqueueingOf(parent, request, parts.tenantId);
    const { session, person, rule, options } = enqueue;
    const message = messageOf(session, request, parts);
    const asked = { session, person, rule, options, typed: false, queue: "own", direct: true } as const;
    const { row } = await inbox.accept(message, asked);
    const turnId = row.turnId ?? (await enqueueRow(row, enqueue));
    const turn = turnId === null ? undefined : await turns.get(turnId);
    if (!turn) throw new Error("it was interrupted; make the call again in other words");
    return turn;
  }

  async function enqueueRow(row: InboxRow, enqueue: Omit<EnqueueTurn, "inputs">): Promise<string | null> {
    const outcome = await turns.enqueue({ ...enqueue, inputs: [row.id] });
    if (outcome.type === "full") return null;
    return outcome.type === "settled" ? outcome.turnId : outcome.turn.turnId;
  }

  async function runWithin(child: TurnRecord, deadlineMs: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const over = new AbortController();
    parts.clock.sleep(deadlineMs, over.signal).then(
      () => late.abort(new TurnStop("overdue")),
      () => {}, // it has ended before
    );
    try {
      await runChild(child, AbortSignal.any([signal, late.signal]));
    } finally {
      over.abort();
    }
  }
}

/** Undefined for a turn that somebody asked for. */
export const parentOf = ({ options }: Pick<TurnRecord, "options">): ChildOf | undefined =>
  options["child"] as ChildOf | undefined;

const isOpen = ({ state }: Pick<TurnRecord, "state">): boolean => state === "queued" || state === "running";

/** Some models use the same ids in every answer: what is asked for tells the calls apart. */
const nameOf = ({ callId, says }: ChildRequest): string =>
  [
    callId.replaceAll(/[^\w-]/gu, "").slice(0, 60),
    digestOf({ callId, says }).replaceAll(/\W/gu, "").slice(0, 12),
  ].join(".");

function enqueueingOf(
  parent: TurnRecord,
  request: ChildRequest,
  tenantId: string,
): Omit<EnqueueTurn, "inputs"> {
  const { workspaceId, agentId, person, cwd, sessionId, turnId } = parent;
  const { kind, says } = request;
  const child: ChildOf = { kind, turnId };
  const now: Message[] = [{ role: "user", content: says }];
  return {
    session: {
      workspaceId,
      agentId,
      sessionKey: formatSessionKey({
        tenantId,
        workspaceId,
        agentId,
        conversation: { type: "child", kind, turn: turnId, call: nameOf(request) },
      }),
      origin: { channel: childChannel, ...(sessionId !== null && { subject: sessionId }) },
      cwd,
    },
    destination: null,
    person,
    rule: kind,
    options: { child, given: { earlier: [], now }, memory: false, alone: true },
    direct: true,
    mode: "followup",
    cap: Infinity,
  };
}

function messageOf(
  { sessionKey, workspaceId }: EnqueueTurn["session"],
  { kind, turnId, callId }: ChildRequest,
  { tenantId, clock }: Pick<ChildTurnParts, "tenantId" | "clock">,
): InboundMessage {
  return {
    tenantId,
    workspaceId,
    channel: childChannel,
    accountId: "default",
    peer: { kind: "room", id: sessionKey },
    sender: { id: `${kind}:${turnId}` },
    message: { type: "text", id: sessionKey, text: callId, attachments: [], mentioned: true, typed: false },
    timestamp: clock.now(),
  };
}
