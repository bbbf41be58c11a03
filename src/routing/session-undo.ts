/**
 * Undoes what turns of a session changed, between its turns, and tells the session: the next turn must not assume that
 * the files are as it left them.
 */
import type { EntryBody, TurnChangesView, TurnDiffView, UndoReportView } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Snapshots } from "../sandbox/snapshots/snapshots.ts";
import { sessionLeaseName, type SessionLeases } from "../storage/sessions/session-lease.ts";
import type { EntryStore, Fence, SessionRecord, SessionStore } from "../storage/stores.ts";

export interface SessionUndoParts {
  snapshots: Pick<Snapshots, "list" | "find" | "undo" | "diff" | "seen">;
  sessions: Pick<SessionStore, "findActive" | "get">;
  entries: Pick<EntryStore, "append" | "recent">;
  leases: SessionLeases;
  redactor: Pick<Redactor, "text">;
  /** Brings the readable copy up to date; must not throw. */
  mirror(session: SessionRecord): Promise<void>;
}

export interface SessionKey {
  workspaceId: string;
  sessionKey: string;
}

export interface UndoRequest {
  /** Left out, the newest of the session that is not undone. */
  turnId?: string | undefined;
  force: boolean;
  /** The same input undoes one turn, however often it is handed in. */
  input?: string | undefined;
}

export interface SessionUndo {
  /** Newest first; of one session, or of all. */
  list(where: { sessionKey?: string; limit: number }): Promise<TurnChangesView[]>;
  /** What `apply` would undo. Throws `usage/not-found`. */
  show(sessionKey: string, turnId?: string): Promise<TurnChangesView>;
  /** The same, line by line. Throws likewise. */
  diff(sessionKey: string, turnId?: string): Promise<TurnDiffView>;
  /** The owner has seen it. Throws likewise. */
  seen(sessionKey: string, turnId: string): Promise<void>;
  /** Throws `usage/…`, `session/busy`, and what disk and storage do. */
  apply(session: SessionKey, request: UndoRequest): Promise<UndoReportView>;
}

const nearby = 200;
const most = 1000;
const begun = "undo-begun";
const told = "undo-told";

export function createSessionUndo(parts: SessionUndoParts): SessionUndo {
  const { snapshots, sessions, entries, leases, redactor } = parts;

  async function show(sessionKey: string, turnId?: string, isOver = false): Promise<TurnChangesView> {
    const turns = await snapshots.list({ sessionKey, limit: most, isOver });
    const found = turnId === undefined ? turns.find(isStanding) : await snapshots.find(turnId);
    if (found?.sessionKey === sessionKey) return found;
    if (turnId === undefined)
      throw failure("usage/not-found", "undo.nothing", {}, { hint: "undo.nothing.hint" });
    throw failure("usage/not-found", "undo.unknown", { turnId }, { hint: "undo.unknown.hint" });
  }

  const apply: SessionUndo["apply"] = (session, { turnId, force, input }) =>
    leases.hold(sessionLeaseName(session), async (fence) => {
      const active = await sessions.findActive(session.workspaceId, session.sessionKey);
      const before = active && input !== undefined ? await notedFor(active, input) : {};
      if (before.report) return before.report;
      const turn = await show(session.sessionKey, before.turnId ?? turnId, true);
      // Before anything is undone: said once, it must not undo the turn before that after a crash.
      if (active && input !== undefined && before.turnId === undefined)
        await note(active, fence, [{ type: "event", name: begun, data: { input, turnId: turn.turnId } }]);
      const report =
        before.turnId !== undefined && turn.undoneBy !== undefined
          ? await reportOf(turn)
          : await snapshots.undo(turn.turnId, { force });
      if (active) await note(active, fence, [...tellModel(report), tellAgain(report, input)]);
      return report;
    });

  async function note(session: SessionRecord, fence: Fence, bodies: EntryBody[]): Promise<void> {
    await entries.append(session.sessionId, bodies, fence);
    const grown = await sessions.get(session.sessionId);
    if (grown) await parts.mirror(grown);
  }

  /** How far the same input came before a crash. */
  async function notedFor(
    { sessionId }: SessionRecord,
    input: string,
  ): Promise<{ turnId?: string; report?: UndoReportView }> {
    const events = (await entries.recent(sessionId, nearby)).flatMap((entry) =>
      entry.type === "event" && entry.data["input"] === input ? [entry] : [],
    );
    const report = events.find(({ name }) => name === told)?.data["report"] as UndoReportView | undefined;
    const turnId = events.find(({ name }) => name === begun)?.data["turnId"];
    return { ...(report ? { report } : {}), ...(typeof turnId === "string" ? { turnId } : {}) };
  }

  async function reportOf({ turnId, undoneBy = "", notKept }: TurnChangesView): Promise<UndoReportView> {
    const restored = (await snapshots.find(undoneBy))?.paths ?? [];
    return { turnId, undoId: undoneBy, restored, conflicts: [], notKept };
  }

  /** A message, since only messages are shown to the model. */
  function tellModel(report: UndoReportView): EntryBody[] {
    if (report.restored.length === 0) return [];
    const text = redactor.text(undoneForModel(report));
    return [{ type: "message", message: { role: "user", content: [{ type: "text", text }] } }];
  }

  const tellAgain = (report: UndoReportView, input = ""): EntryBody => ({
    type: "event",
    name: told,
    data: { input, report },
  });

  return {
    list: (where) => snapshots.list(where),
    show: (sessionKey, turnId) => show(sessionKey, turnId),
    async diff(sessionKey, turnId) {
      const { turnId: found } = await show(sessionKey, turnId);
      const { files, added, removed, text, isWhole } = (await snapshots.diff(found)) ?? nothingChanged;
      return { turnId: found, files, added, removed, text: redactor.text(text), isWhole };
    },
    async seen(sessionKey, turnId) {
      await snapshots.seen((await show(sessionKey, turnId)).turnId);
    },
    apply,
  };
}

const nothingChanged = { files: 0, added: 0, removed: 0, text: "", isWhole: true };

const isStanding = ({ undoneBy, undoes }: TurnChangesView): boolean =>
  undoneBy === undefined && undoes === undefined;

const mostNamed = 50;

/** Names come from files that anybody may have named: quoted, they cannot look like words of ours. */
function undoneForModel({ turnId, restored, conflicts }: UndoReportView): string {
  const lines = restored
    .slice(0, mostNamed)
    .map(({ path, change }) => `- ${change}: ${JSON.stringify(path)}`);
  const more = restored.length > mostNamed ? [`- and ${restored.length - mostNamed} more`] : [];
  const kept =
    conflicts.length === 0
      ? []
      : [`Changed again since and left: ${JSON.stringify(conflicts.slice(0, mostNamed))}`];
  return [
    `[Note by the system: the owner undid what turn ${turnId} changed in the workdir. By that these were:`,
    ...lines,
    ...more,
    ...kept,
    "Read a file again before you rely on what you remember of it.]",
  ].join("\n");
}
