/** The stored history of a session, for its owner. */
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { isOwner } from "../../policy/caller.ts";
import { parseHandoff } from "../../routing/parse-handoff.ts";
import { createTape } from "../../routing/tape.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import { beginSession } from "../../agent/begin-session.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { actorOf, type Api, type Until } from "./api.ts";
import { findSession, type FindSessionParts } from "./find-session.ts";
import type { TellSession } from "./session-view.ts";

export interface TapeApiParts extends FindSessionParts {
  openedHome: FindSessionParts["openedHome"] & Pick<OpenHome, "leases" | "mirror">;
  redactor: Pick<Redactor, "text">;
  onChange?: TellSession | undefined;
}

const usualHits = 10;
const usualMarks = 20;
const isGuests = (until: Until | undefined): boolean => until?.caller !== undefined && !isOwner(until.caller);

export function createTapeApi(parts: TapeApiParts): Api<"tape"> {
  const { openedHome, redactor } = parts;
  const { stores, leases, mirror } = openedHome;
  const tape = createTape({ ...stores, leases, mirror, redactor });

  /** One that is over is only read. */
  async function findActive(session: string | undefined): Promise<SessionRecord> {
    const found = await findSession(session, parts);
    if (found.state === "active") return found;
    const { sessionId } = found;
    throw failure("usage/bad-argument", "tape.ended", { sessionId }, { hint: "tape.ended.hint" });
  }

  /** Where it worked when it began. */
  async function cwdOf({ sessionId }: SessionRecord): Promise<string> {
    const first = await stores.entries.at(sessionId, 1);
    return first?.type === "session" ? first.cwd : "";
  }

  return {
    info: async ({ sessionKey: session }) => tape.info(await findSession(session, parts)),
    async anchors({ sessionKey: session, limit = usualMarks }) {
      const { sessionId } = await findSession(session, parts);
      return { marks: await tape.marks(sessionId, limit) };
    },
    async search({ sessionKey: session, words, limit = usualHits }) {
      const { sessionId } = await findSession(session, parts);
      return tape.search(sessionId, words, { limit, asks: "owner" });
    },
    async handoff({ sessionKey: session, words = "", name, summary }, until) {
      const spoken = parseHandoff(words);
      return tape.handOff(await findActive(session), {
        name: name ?? spoken.name,
        summary: summary ?? spoken.summary,
        by: actorOf(until),
        isGuests: isGuests(until),
      });
    },
    async reset({ sessionKey: session }) {
      const found = await findActive(session);
      const { sessionKey, workspaceId, agentId, origin } = found;
      const begun = await beginSession(
        openedHome,
        {
          sessionKey,
          workspaceId,
          agentId,
          origin,
          cwd: await cwdOf(found),
        },
        parts.config().session.reset,
      );
      parts.onChange?.("session.changed", begun.session);
      return { sessionKey, sessionId: begun.session.sessionId, endedId: begun.ended?.sessionId ?? null };
    },
  };
}
