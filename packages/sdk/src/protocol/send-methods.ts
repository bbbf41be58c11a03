/** Messages that somebody sends by hand, without a turn. */
import { Type } from "typebox";
import { answer, language, method, name } from "./method.ts";

export const sendMethods = {
  /**
   * Puts a message into the outbox and answers when it is on disk. `to` is `channel:id`, `channel/account:id`, the
   * name of a contact, `owner` or the key of a session, and must be unambiguous. The key is stored with the row: a
   * repeated request returns the same row.
   */
  "send.message": method({
    params: {
      to: name,
      text: Type.String({ minLength: 1, maxLength: 100_000 }),
      accountId: Type.Optional(name),
      replyTo: Type.Optional(name),
      agentId: Type.Optional(name),
      idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
      language,
    },
    result: answer<SentView>(),
    effect: "own",
    permission: "messages.send",
    scope: "tenant",
  }),
};

export interface SentView {
  id: string;
  /** As in the outbox: queued, sending, uncertain, sent, failed, dropped. */
  state: string;
  /** All rows: a long text becomes several, in order. */
  ids: string[];
  /** The resolved recipient: `channel:account:kind:id`. */
  recipient: string;
  /** The same key was used for it before. */
  duplicate: boolean;
  /** Whether a gateway is running that delivers it; otherwise it waits for the next one. */
  delivers: boolean;
}
