/** What a turn is claimed with by its runner: how long it may take, which session it goes into, and how it looks in there. */
import type { Clock } from "../infra/clock.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { ClaimTurn, TurnRecord } from "../storage/turns/turns.ts";
import { openingFor, type JournalParts } from "./open-journal.ts";
import { redactBody } from "./redact-message.ts";
import { earlierOf } from "./turn-inputs.ts";

export interface ClaimParts extends Pick<JournalParts, "redactor"> {
  clock: Pick<Clock, "now">;
  /** Whether the active session is over and the turn begins a new one. */
  isStale(turn: TurnRecord, session: SessionRecord): boolean;
  /** What a new session takes over from the last one. */
  carry?: ClaimTurn["carry"];
  deadlineMs(): number;
  /** Whether a turn that says nothing about it has its session's memory on; undefined leaves it as it is. */
  memoryOf?(turn: TurnRecord): boolean | undefined;
}

/** `again`: it was claimed here before, and thrown out by trouble of the storage. */
export function claimOf(parts: ClaimParts, queued: TurnRecord, again = false): Omit<ClaimTurn, "fence"> {
  const { redactor, carry } = parts;
  return {
    turnId: queued.turnId,
    again,
    deadlineAt: new Date(parts.clock.now() + parts.deadlineMs()).toISOString(),
    isStale: (session) => parts.isStale(queued, session),
    entriesFor: (inputs) => (isCommand(queued) ? [] : openingFor(redactor, queued, inputs)),
    earlier: earlierOf(queued).map((message) => redactBody({ type: "message", message }, redactor)),
    ...(carry && { carry }),
    memory: parts.memoryOf?.(queued),
  };
}

/** A command is no part of the conversation: neither it nor its answer is shown to the model. */
export const isCommand = ({ options }: TurnRecord): boolean => options["compact"] !== undefined;
