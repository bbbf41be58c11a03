/** Outgoing messages, and incoming messages that could not be answered. */
import { Type } from "typebox";
import type { Attachment } from "../inbound-message.ts";
import type { Destination } from "../outbound-message.ts";
import { answer, before, limit, method, name } from "./method.ts";

export const outboxMethods = {
  /** Newest first; without `states`, those that did not end well or have not ended. */
  "outbox.list": method({
    params: {
      limit,
      before,
      states: Type.Optional(
        Type.Array(Type.Enum(["queued", "sending", "uncertain", "sent", "failed", "dropped"])),
      ),
    },
    result: answer<{ messages: OutboxView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
  "outbox.get": method({
    params: { id: name },
    result: answer<{ message: OutboxView }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
  "outbox.retry": method({
    params: { id: name },
    result: answer<{ message: OutboxView }>(),
    effect: "change",
    permission: "outbox.write",
    scope: "tenant",
  }),
  "outbox.drop": method({
    params: { id: name },
    result: answer<{ dropped: string }>(),
    effect: "change",
    permission: "outbox.write",
    scope: "tenant",
  }),

  /** Messages that never had a turn, then turns; each newest first. */
  "deadletters.list": method({
    params: { limit, before },
    result: answer<{ letters: DeadLetterView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
  "deadletters.get": method({
    params: { id: name },
    result: answer<{ letter: DeadLetterView }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
  "deadletters.retry": method({
    params: { id: name },
    result: answer<{ retried: string }>(),
    effect: "change",
    permission: "outbox.write",
    scope: "tenant",
  }),
  "deadletters.drop": method({
    params: { id: name },
    result: answer<{ dropped: string }>(),
    effect: "change",
    permission: "outbox.write",
    scope: "tenant",
  }),
};

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
  /** turn: it was being answered. message: it failed before that, and belongs to no session yet. */
  kind: "turn" | "message";
  /** Pass that of the last one as `before` for the next page. */
  position: number;
  sessionKey: string | null;
  person: { role: string; id: string; name?: string };
  destination: Destination | null;
  claims: number;
  queuedAt: string;
  endedAt: string | null;
  /** It was not given up: it is held, because it might be done twice. */
  isHeld?: true;
  /** What was asked, in order. */
  texts: string[];
}
