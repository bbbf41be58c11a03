/** What turns changed in workdirs, and undoing it. */
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { createSessionUndo, type SessionUndo } from "../../routing/session-undo.ts";
import type { Snapshots } from "../../sandbox/snapshots/snapshots.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import type { Api } from "./api.ts";
import { routeOf, type FindSessionParts } from "./find-session.ts";

export interface UndoApiParts extends FindSessionParts {
  openedHome: FindSessionParts["openedHome"] & Pick<OpenHome, "leases" | "mirror">;
  redactor: Pick<Redactor, "text">;
  /** Left out where it is not kept. */
  snapshots: Pick<Snapshots, "list" | "find" | "undo" | "diff" | "seen"> | undefined;
}

const usualTurns = 20;

export function createUndoApi(parts: UndoApiParts): Api<"undo"> {
  const { openedHome, redactor, snapshots } = parts;
  const { stores, leases, mirror, workspaceId } = openedHome;
  const undo = snapshots && createSessionUndo({ ...stores, snapshots, leases, mirror, redactor });

  function kept(): SessionUndo {
    if (undo) return undo;
    throw failure("usage/bad-argument", "undo.off", {}, { hint: "undo.off.hint" });
  }

  /** A turn says itself which session it is of, unless one is named. */
  async function keyOf(session: string | undefined, turnId?: string): Promise<string> {
    const turn = session === undefined && turnId !== undefined ? await snapshots?.find(turnId) : undefined;
    if (turn) return turn.sessionKey;
    const byId = session === undefined ? undefined : await stores.sessions.get(session);
    return (
      byId?.sessionKey ?? routeOf(session === undefined ? {} : { sessionKey: session }, parts).sessionKey
    );
  }

  return {
    async list({ sessionKey: session, limit = usualTurns }) {
      const where = session === undefined ? {} : { sessionKey: await keyOf(session) };
      return { turns: await kept().list({ ...where, limit }) };
    },
    async show({ turnId, sessionKey: session }) {
      return { turn: await kept().show(await keyOf(session, turnId), turnId) };
    },
    async diff({ turnId, sessionKey: session }) {
      return kept().diff(await keyOf(session, turnId), turnId);
    },
    async seen({ turnId, sessionKey: session }) {
      await kept().seen(await keyOf(session, turnId), turnId);
      return { turnId };
    },
    async apply({ turnId, sessionKey: session, force = false }) {
      const sessionKey = await keyOf(session, turnId);
      return kept().apply({ workspaceId, sessionKey }, { turnId, force });
    },
  };
}
