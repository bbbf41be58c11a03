/** The stored history of a session, and what a model sees of it. */
import { Type } from "typebox";
import type { ContextView, HandoffView, TapeInfoView, TapeMarkView, TapeSearchView } from "./tape-views.ts";
import { answer, limit, method, name, sessionKey } from "./method.ts";

export const tapeMethods = {
  /**
   * What is stored of a session. `sessionKey` is an id or a key in any spelling, here and below; by default the main
   * session.
   */
  "tape.info": method({
    params: { sessionKey },
    result: answer<TapeInfoView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** Anchors and summaries, newest first. */
  "tape.anchors": method({
    params: { sessionKey, limit },
    result: answer<{ marks: TapeMarkView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** Newest first, over every session of the key. Text in quotes is one term; a hit contains all terms. */
  "tape.search": method({
    params: { sessionKey, words: Type.String({ minLength: 1, maxLength: 2000 }), limit },
    result: answer<TapeSearchView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /**
   * Sets an anchor: from now on context starts after it, beginning with the summary. `words` are both, as typed after
   * the command in a chat.
   */
  "tape.handoff": method({
    params: {
      sessionKey,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      summary: Type.Optional(Type.String({ maxLength: 20_000 })),
      words: Type.Optional(Type.String({ maxLength: 20_000 })),
    },
    result: answer<HandoffView>(),
    effect: "change",
    permission: "sessions.write",
    scope: "session",
  }),
  /** Ends the active session of the key and starts another; nothing is deleted. */
  "tape.reset": method({
    params: { sessionKey },
    /** `endedId` is null if nothing had been said. */
    result: answer<{ sessionKey: string; sessionId: string; endedId: string | null }>(),
    effect: "change",
    permission: "sessions.write",
    scope: "session",
  }),

  /** What the next request of a session would contain, and why. The part named by `text` comes with its text. */
  "context.show": method({
    params: { sessionKey, agentId: Type.Optional(name), text: Type.Optional(name) },
    result: answer<ContextView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
};
