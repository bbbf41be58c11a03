/** What turns changed in workdirs, and undoing it. */
import { Type } from "typebox";
import type { TurnChangesView, TurnDiffView, UndoReportView } from "./undo-views.ts";
import { answer, limit, method, name, sessionKey } from "./method.ts";

export const undoMethods = {
  /** What turns changed in workdirs, newest first; for one session, or for all. */
  "undo.list": method({
    params: { sessionKey, limit },
    result: answer<{ turns: TurnChangesView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** Without a turn, the newest one of the session that is not undone; without a session, the main one. */
  "undo.show": method({
    params: { turnId: Type.Optional(name), sessionKey },
    result: answer<{ turn: TurnChangesView }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** The same line by line. */
  "undo.diff": method({
    params: { turnId: Type.Optional(name), sessionKey },
    result: answer<TurnDiffView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** The owner has seen what the turn changed: programs and messages ask no more because of it. */
  "undo.seen": method({
    params: { turnId: name, sessionKey },
    result: answer<{ turnId: string }>(),
    effect: "change",
    permission: "policy.write",
    scope: "session",
  }),
  /**
   * Undoes what the turn changed, except what was changed again since; with `force` that too. A turn of another
   * session is not found.
   */
  "undo.apply": method({
    params: { turnId: Type.Optional(name), sessionKey, force: Type.Optional(Type.Boolean()) },
    result: answer<UndoReportView>(),
    effect: "change",
    permission: "undo.apply",
    scope: "session",
  }),
};
