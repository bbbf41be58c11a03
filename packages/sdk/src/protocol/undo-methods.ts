/** What turns changed in workdirs, and putting it back. */
import { Type } from "typebox";
import type { TurnChangesView, UndoReportView } from "./undo-views.ts";
import { answer, limit, method, name, sessionKey } from "./method.ts";

export const undoMethods = {
  /** What turns changed in workdirs, newest first; of one session, or of all. */
  "undo.list": method({
    params: { sessionKey, limit },
    result: answer<{ turns: TurnChangesView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** Without a turn, the newest of the session that is not undone; without a session, the main one. */
  "undo.show": method({
    params: { turnId: Type.Optional(name), sessionKey },
    result: answer<{ turn: TurnChangesView }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** Puts back what the turn changed, but for what was changed again since; with `force` that, too. A turn that is not of the session is not found in it. */
  "undo.apply": method({
    params: { turnId: Type.Optional(name), sessionKey, force: Type.Optional(Type.Boolean()) },
    result: answer<UndoReportView>(),
    effect: "change",
    permission: "undo.apply",
    scope: "session",
  }),
};
