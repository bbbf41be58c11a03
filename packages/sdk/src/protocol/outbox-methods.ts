/** What is on its way out, and what came in and could not be answered. */
import { Type, type TObject } from "typebox";
import type { Attachment } from "../inbound-message.ts";
import type { Destination } from "../outbound-message.ts";
import { before, change, limit, name, read, type Method } from "./method.ts";

export const outboxMethods = {
  /** Newest first; without states, those that are not over well. */
  "outbox.list": read({
    limit,
    before,
    states: Type.Optional(
      Type.Array(Type.Enum(["queued", "sending", "uncertain", "sent", "failed", "dropped"])),
    ),
  }),
  "outbox.get": read({ id: name }),
  "outbox.retry": change({ id: name }),
  "outbox.drop": change({ id: name }),

  /** Messages that never had a turn, then turns; each newest first. */
  "deadletters.list": read({ limit, before }),
  "deadletters.get": read({ id: name }),
  "deadletters.retry": change({ id: name }),
  "deadletters.drop": change({ id: name }),
} as const satisfies Record<string, Method<TObject>>;

export interface OutboxView {
  id: string;
  position: number;
  conversation: string;
  destination: Destination;
  kind: string;
  turnId: string | null;
  state: string;
  text: string;
  attachments: Attachment[];
  attempts: number;
  repeated: boolean;
  nextAt: string | null;
  notAfter: string;
  error: { code: string; message: string } | null;
  createdAt: string;
  sentAt: string | null;
}

export interface DeadLetterView {
  id: string;
  /** turn: it was being answered. message: it did not even get that far, and belongs to no session yet. */
  kind: "turn" | "message";
  /** Hand the last one's back as `before` for the next page. */
  position: number;
  sessionKey: string | null;
  person: { role: string; id: string; name?: string };
  destination: Destination | null;
  claims: number;
  queuedAt: string;
  endedAt: string | null;
  /** What was asked, in order. */
  texts: string[];
}

export interface OutboxResults {
  "outbox.list": { messages: OutboxView[] };
  "outbox.get": { message: OutboxView };
  "outbox.retry": { message: OutboxView };
  "outbox.drop": { dropped: string };
  "deadletters.list": { letters: DeadLetterView[] };
  "deadletters.get": { letter: DeadLetterView };
  "deadletters.retry": { retried: string };
  "deadletters.drop": { dropped: string };
}
