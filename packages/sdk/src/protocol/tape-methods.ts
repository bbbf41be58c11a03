/** What is kept of a session, and what of it a model is shown. */
import { Type, type TObject } from "typebox";
import type { ContextView, HandoffView, TapeInfoView, TapeMarkView, TapeSearchView } from "./tape-views.ts";
import { change, limit, name, read, session, type Method } from "./method.ts";

export const tapeMethods = {
  /** What is kept of a session. `session` is an id or a key in any spelling, here and below; left out, the main session. */
  "tape.info": read({ session }),
  /** Anchors and summaries, newest first. */
  "tape.anchors": read({ session, limit }),
  /** Newest first, over every session of the key. What stands between quotes is one term; a hit holds all of them. */
  "tape.search": read({ session, words: Type.String({ minLength: 1, maxLength: 2000 }), limit }),
  /** Makes an anchor: from now on context starts behind it, with the summary as its opening. `words` are both, as they stand behind the command in a chat. */
  "tape.handoff": change({
    session,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    summary: Type.Optional(Type.String({ maxLength: 20_000 })),
    words: Type.Optional(Type.String({ maxLength: 20_000 })),
  }),
  /** Ends the active session of the key and begins another; what was said stays. */
  "tape.reset": change({ session }),

  /** What the next request of a session would hold, and why. The text comes with the part that `text` names. */
  "context.show": read({ session, agentId: Type.Optional(name), text: Type.Optional(name) }),
} as const satisfies Record<string, Method<TObject>>;

export interface TapeResults {
  "tape.info": TapeInfoView;
  "tape.anchors": { marks: TapeMarkView[] };
  "tape.search": TapeSearchView;
  "tape.handoff": HandoffView;
  /** `endedId` is null where nothing had been said. */
  "tape.reset": { sessionKey: string; sessionId: string; endedId: string | null };
  "context.show": ContextView;
}
