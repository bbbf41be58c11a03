/** A conversation as a page or a program holds it: what was said, saying something, and stopping. */
import { Type } from "typebox";
import type { Entry } from "../entry.ts";
import { answer, before, limit, method, name, sessionKey, strict } from "./method.ts";

/** Ids of the media store; with a name where the file has one. */
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
  /** The newest page of a session, entries in order within; hand `before` back for the one before it. */
  "chat.history": method({
    params: { sessionKey, agentId: Type.Optional(name), before, limit },
    result: answer<ChatHistoryView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /**
   * Says something in a session, without a session in the agent's main one. Unlike `agent.run` it does what the config key `queue.mode` says when
   * a turn is running there. `attachments` are ids of the media store. The key is kept: asked again, the same run is the answer.
   */
  "chat.send": method({
    params: {
      sessionKey,
      agentId: Type.Optional(name),
      /** Empty only where something is attached. */
      text: Type.String({ maxLength: 1_000_000 }),
      attachments,
      idempotencyKey: keptKey,
    },
    /** `joined`: it became part of a run that was there, which takes it up on its way. */
    result: answer<{ runId: string; joined: boolean; duplicate: boolean }>(),
    effect: "own",
    permission: "agent.run",
    scope: "session",
  }),
  /**
   * Goes back to before what the asker said at `seq` and says it again, or says `text` instead; what runs is stopped. Nothing is deleted: what
   * came from there on is set aside by an `event` entry named `set-aside`, and no model is shown it any more. Without `attachments`, those
   * that came with it stay; of a message that has neither words nor attachments nothing is left to answer, and it is refused.
   */
  "chat.resend": method({
    params: {
      sessionKey,
      agentId: Type.Optional(name),
      seq: Type.Integer({ minimum: 2 }),
      /** Empty only where something is attached, now or before. */
      text: Type.Optional(Type.String({ maxLength: 1_000_000 })),
      attachments,
      idempotencyKey: keptKey,
    },
    result: answer<{ runId: string; duplicate: boolean }>(),
    effect: "own",
    permission: "agent.run",
    scope: "session",
  }),
  /** Stops what runs and waits in a session. */
  "chat.abort": method({
    params: { sessionKey, agentId: Type.Optional(name) },
    /** How many runs were stopped, those that waited included. */
    result: answer<{ stopped: number }>(),
    effect: "change",
    permission: "agent.run",
    scope: "session",
  }),
};

export interface ChatHistoryView {
  sessionKey: string;
  /** Null where nothing has been said yet. */
  sessionId: string | null;
  entries: Entry[];
  /** For the page before this one; null where it begins the session. */
  before: number | null;
}
