/** A conversation in a page or a program: reading the history, sending messages, and stopping. */
import { Type } from "typebox";
import type { Entry } from "../entry.ts";
import {
  answer,
  before,
  language,
  limit,
  method,
  name,
  pasted,
  sessionKey,
  strict,
  typed,
} from "./method.ts";

/** Ids of the media store; with a name if the file has one. */
const attachments = Type.Optional(
  Type.Array(
    Type.Union([
      name,
      Type.Object({ id: name, name: Type.Optional(Type.String({ maxLength: 200 })) }, strict),
    ]),
    { maxItems: 20 },
  ),
);
const keptKey = Type.String({ minLength: 1, maxLength: 200 });

export const chatMethods = {
  /** The newest page of a session, entries in order; pass `before` for the previous page. */
  "chat.history": method({
    params: { sessionKey, agentId: Type.Optional(name), before, limit },
    result: answer<ChatHistoryView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /**
   * Sends a message to a session, by default the agent's main session. Unlike `agent.run` it follows the config key
   * `queue.mode` if a turn is running there. A session that has ended takes no message: it is resumed first. `attachments` are ids of the media store. The key is stored: a repeated
   * request returns the same run.
   */
  "chat.send": method({
    params: {
      sessionKey,
      agentId: Type.Optional(name),
      /** May be empty only if something is attached. */
      text: Type.String({ maxLength: 1_000_000 }),
      attachments,
      typed,
      pasted,
      language,
      idempotencyKey: keptKey,
    },
    /**
     * `joined`: it became part of a running run, which reads it on its way. `command`: it was a command, and this is its
     * answer; no model was asked.
     */
    result: answer<{
      runId: string;
      joined: boolean;
      duplicate: boolean;
      command?: { name: string; output: string };
    }>(),
    effect: "own",
    permission: "agent.run",
    scope: "session",
  }),
  /**
   * Goes back to before the caller's message at `seq` and sends it again, or sends `text` instead; a running turn is
   * stopped. Nothing is deleted: an `event` entry named `set-aside` hides everything from there on, and no model sees
   * it any more. Without `attachments`, those of the message stay; a message with neither text nor attachments is
   * refused.
   */
  "chat.resend": method({
    params: {
      sessionKey,
      agentId: Type.Optional(name),
      seq: Type.Integer({ minimum: 2 }),
      /** May be empty only if something is attached, now or before. */
      text: Type.Optional(Type.String({ maxLength: 1_000_000 })),
      attachments,
      /** These two are about `text`; without it they are what they were. A command in it is not run again. */
      typed,
      pasted,
      idempotencyKey: keptKey,
    },
    result: answer<{ runId: string; duplicate: boolean }>(),
    effect: "own",
    permission: "agent.run",
    scope: "session",
  }),
  /** Stops running and waiting runs of a session. */
  "chat.abort": method({
    params: { sessionKey, agentId: Type.Optional(name) },
    /** How many runs were stopped, including waiting ones. */
    result: answer<{ stopped: number }>(),
    effect: "change",
    permission: "agent.run",
    scope: "session",
  }),
};

export interface ChatHistoryView {
  sessionKey: string;
  /** Null if nothing has been said yet. */
  sessionId: string | null;
  /** Whether another has taken its key: `sessions.resume` goes on with it. */
  isEnded: boolean;
  entries: Entry[];
  /** For the previous page; null at the start of the session. */
  before: number | null;
}
