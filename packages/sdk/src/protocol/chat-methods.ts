/** A conversation as a page or a program holds it: what was said, saying something, and stopping. */
import { Type, type TObject } from "typebox";
import type { Entry } from "../entry.ts";
import { before, change, limit, name, read, session, strict, type Method } from "./method.ts";

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
        text: Type.String({ minLength: 1, maxLength: 1_000_000 }),
        attachments: Type.Optional(Type.Array(name, { maxItems: 20 })),
        idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
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
  /** How many runs were stopped, those that waited included. */
  "chat.abort": { stopped: number };
}
