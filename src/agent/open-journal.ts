/** The turn's own part of the storage, bound to its session and its lease. */
import type { Entry, EntryBody, Message, MessageEntry } from "@pincer/sdk";
import type { Redactor } from "../infra/redactor.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { ClaimOutcome, TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import type { EntryStore, Fence } from "../storage/stores.ts";
import { findLastAnswer } from "../storage/sessions/entry-view.ts";
import type { ContextJournal } from "./context-setup.ts";
import { redactBody } from "./redact-message.ts";
import type { TurnJournal } from "./run-turn.ts";
import { inputMessages, openingMessages } from "./turn-inputs.ts";

export interface JournalParts {
  turns: TurnStore;
  entries: Pick<EntryStore, "view">;
  redactor: Redactor;
}

export type Claimed = Extract<ClaimOutcome, { type: "claimed" }>;

export function openJournal(
  { turns, entries, redactor }: JournalParts,
  claim: Claimed,
  fence: Fence,
): TurnJournal & ContextJournal {
  const { turnId, firstSeq } = claim.turn;
  const { sessionId } = claim.session;
  /** The last answer: whose calls are run. */
  let seq = findLastAnswer(claim.entries)?.seq;
  return {
    view: ({ limit, whole }) =>
      entries.view(sessionId, { before: whole ? Number.MAX_SAFE_INTEGER : (firstSeq ?? 0), limit }),
    async note(body) {
      const bodies = [redactBody(body, redactor)];
      const [stored] = await turns.record({ turnId, fence, bodies, steps: [], sync: "now" });
      if (!stored) throw new Error("an entry was stored, and is not there");
      return stored;
    },
    async append(messages) {
      const bodies = messages.map((message) => bodyOf(redactor, turnId, message));
      const stored = await turns.record({ turnId, fence, bodies, steps: [], sync: "later" });
      seq = findLastAnswer(stored)?.seq ?? seq;
      return stored.filter(isMessage);
    },
    async beginTool({ id, name }, { idempotent, acts }) {
      const answer = seq === undefined ? {} : { answer: { sessionId, seq } };
      const step = { type: "tool-begin" as const, callId: id, name, idempotent, ...answer };
      // Before it changes anything, all that led to it is on the disk, the question included.
      const sync = idempotent && !acts ? "later" : "now";
      await turns.record({ turnId, fence, bodies: [], steps: [step], sync });
    },
    async takeInputs() {
      const taken = await turns.takeInputs({
        turnId,
        fence,
        entriesFor: (inputs) =>
          inputMessages(inputs, claim.turn.person).map((message) => bodyOf(redactor, turnId, message)),
      });
      return taken.filter(isMessage);
    },
  };
}

export const isMessage = (entry: Entry): entry is MessageEntry => entry.type === "message";

export const openingFor = (
  redactor: Redactor,
  turn: Pick<TurnRecord, "turnId" | "person" | "options">,
  inputs: InboxRow[],
): EntryBody[] => openingMessages(turn, inputs).map((message) => bodyOf(redactor, turn.turnId, message));

/** Secrets are taken out on the way in: nothing reads them back. */
export const bodyOf = (redactor: Redactor, runId: string, message: Message): EntryBody =>
  redactBody({ type: "message", runId, message }, redactor);
