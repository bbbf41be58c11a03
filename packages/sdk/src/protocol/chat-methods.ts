/** A conversation as a page or a program holds it: what was said, saying something, and stopping. */
import { Type, type TObject } from "typebox";
import type { Entry } from "../entry.ts";
import { before, change, limit, name, read, session, strict, type Method } from "./method.ts";

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
  "chat.history": read({ session, agentId: Type.Optional(name), before, limit }),
  /**
   * Says something in a session, without a session in the agent's main one. Unlike `agent.run` it does what the config key `queue.mode` says when
   * a turn is running there. `attachments` are ids of the media store. The key is kept: asked again, the same run is the answer.
   */
  "chat.send": {
    params: Type.Object(
      {
        session,
        agentId: Type.Optional(name),
        /** Empty only where something is attached. */
        text: Type.String({ maxLength: 1_000_000 }),
        attachments,
        idempotencyKey: keptKey,
      },
      strict,
    ),
    effect: "own",
  },
  /**
   * Goes back to before what the asker said at `seq` and says it again, or says `text` instead; what runs is stopped. Nothing is deleted: what
   * came from there on is set aside by an `event` entry named `set-aside`, and no model is shown it any more. Without `attachments`, those
   * that came with it stay; of a message that has neither words nor attachments nothing is left to answer, and it is refused.
   */
  "chat.resend": {
    params: Type.Object(
      {
        session,
        agentId: Type.Optional(name),
        seq: Type.Integer({ minimum: 2 }),
        /** Empty only where something is attached, now or before. */
        text: Type.Optional(Type.String({ maxLength: 1_000_000 })),
        attachments,
        idempotencyKey: keptKey,
      },
      strict,
    ),
    effect: "own",
  },
  /** Stops what runs and waits in a session. */
  "chat.abort": change({ session, agentId: Type.Optional(name) }),
} as const satisfies Record<string, Method<TObject>>;

export interface ChatHistoryView {
  sessionKey: string;
  /** Null where nothing has been said yet. */
  sessionId: string | null;
  entries: Entry[];
  /** For the page before this one; null where it begins the session. */
  before: number | null;
}

export interface ChatResults {
  "chat.history": ChatHistoryView;
  /** `joined`: it became part of a run that was there, which takes it up on its way. */
  "chat.send": { runId: string; joined: boolean; duplicate: boolean };
  "chat.resend": { runId: string; duplicate: boolean };
  /** How many runs were stopped, those that waited included. */
  "chat.abort": { stopped: number };
}
