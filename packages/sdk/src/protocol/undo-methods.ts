/** What turns changed in workdirs, and putting it back. */
import { Type, type TObject } from "typebox";
import type { TurnChangesView, UndoReportView } from "./undo-views.ts";
import { change, limit, name, read, session, type Method } from "./method.ts";

export const undoMethods = {
  /** What turns changed in workdirs, newest first; of one session, or of all. */
  "undo.list": read({ session, limit }),
  /** Without a turn, the newest of the session that is not undone; without a session, the main one. */
  "undo.show": read({ turnId: Type.Optional(name), session }),
  /** Puts back what the turn changed, but for what was changed again since; with `force` that, too. A turn that is not of the session is not found in it. */
  "undo.apply": change({ turnId: Type.Optional(name), session, force: Type.Optional(Type.Boolean()) }),
} as const satisfies Record<string, Method<TObject>>;

export interface UndoResults {
  "undo.list": { turns: TurnChangesView[] };
  "undo.show": { turn: TurnChangesView };
  "undo.apply": UndoReportView;
}
