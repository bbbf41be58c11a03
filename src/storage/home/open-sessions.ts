/** What guards and copies the sessions of a home: their leases and their transcripts. */
import { join } from "node:path";
import type { Home } from "../../config/home.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import { createProcessLiveness } from "../sessions/process-liveness.ts";
import { createSessionLeases, type SessionLeases } from "../sessions/session-lease.ts";
import type { LeaseHolder } from "../stores.ts";
import type { TenantStores } from "../storage.ts";
import { createTranscriptMirror, type TranscriptMirror } from "../transcript/transcript-mirror.ts";

export interface OpenSessions {
  /** Held in the name of this process; each opening counts as a holder of its own. */
  leases: SessionLeases;
  transcripts: TranscriptMirror;
  /** This opening, as others see it. */
  holder: LeaseHolder;
  /** Whether the holder of a lease still runs, as far as anybody on this machine can tell. */
  isAlive(holder: LeaseHolder): boolean;
}

/** Keeps nothing open: the stores stay their opener's to close. */
export function openSessions({
  stores,
  home,
  clock,
  ids,
}: {
  stores: TenantStores;
  home: Home;
  clock: Clock;
  ids: Ids;
}): OpenSessions {
  const liveness = createProcessLiveness();
  const holder = liveness.self(ids.make("h"));
  return {
    holder,
    isAlive: liveness.isAlive,
    leases: createSessionLeases({
      leases: stores.leases,
      clock,
      holder,
      isAlive: liveness.isAlive,
    }),
    transcripts: createTranscriptMirror({
      sessionFile: (agentId, sessionId) => transcriptFile(home, agentId, sessionId),
      entries: stores.entries,
      markMirrored: stores.sessions.markMirrored,
      takeBack: stores.sessions.takeBack,
      onTakenBack({ sessionId, count }) {
        const text = { key: "notice.taken-back", parameters: { sessionId, count } };
        // The entries are back, which is what counts.
        stores.notices
          .add({ kind: "storage", subject: `taken-back:${sessionId}`, text })
          .catch(() => undefined);
      },
    }),
  };
}

/** Where the readable copy of a session lies. */
export const transcriptFile = (home: Home, agentId: string, sessionId: string): string =>
  join(home.sessionsDir(agentId), `${sessionId}.jsonl`);
