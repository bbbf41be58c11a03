/**
 * The sessions of one agent as its tools may see them: the owner's private chats see all, everybody else only their
 * own.
 */
import type { Entry, ToolVisibility } from "@pincer/sdk";
import type { Say } from "../../infra/texts.ts";
import type { ApprovalStore } from "../../storage/approvals/approvals.ts";
import { childMark } from "../../storage/sessions/child-session.ts";
import type { EntryStore, SessionRecord, SessionStore } from "../../storage/stores.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import {
  isOwner,
  type Caller,
  type Refused,
  type SessionAccess,
  type SessionLine,
  type TurnCounts,
} from "../../tools/conversation/conversation-access.ts";
import { readHistory } from "./read-history.ts";
import type { SendToSession } from "./send-to-session.ts";
import type { SessionPlaces } from "./session-places.ts";

export interface SessionAccessParts {
  sessions: Pick<SessionStore, "list">;
  entries: Pick<EntryStore, "recent" | "before" | "asides">;
  turns: Pick<TurnStore, "list">;
  /** Left out if nobody can be asked. */
  approvals?: Pick<ApprovalStore, "list"> | undefined;
  sessionPlaces: SessionPlaces;
  sendToSession: SendToSession;
  workspaceId: string;
  say: Say;
}

const pageSize = 100;
const mostPages = 5;
const mostTurns = 500;
const mostApprovals = 20;
/** How many entries to search for the last answer. */
const mostEntries = 30;

export function createSessionAccess(parts: SessionAccessParts): SessionAccess {
  const { sessions, entries, turns, approvals, sessionPlaces, sendToSession, workspaceId, say } = parts;

  /** The requested session, if the caller may read it. A missing and a forbidden one get the same refusal. */
  async function readable(session: string, { place }: Caller): Promise<SessionRecord | Refused> {
    const found = place && (await sessionPlaces.find(session, place.agentId));
    if (found && mayRead(place, found.sessionKey)) return found;
    const what = seesAll(place)
      ? "sessions_list tells which there are"
      : "only this one can be read from here";
    return { refused: `there is no session ${JSON.stringify(session)} to read; ${what}` };
  }

  async function underWay(sessionKey?: string): Promise<TurnRecord[]> {
    const states = ["running" as const, "waiting" as const, "queued" as const];
    const found = await turns.list({
      states,
      limit: mostTurns,
      ...(sessionKey !== undefined && { sessionKey }),
    });
    return found.filter((turn) => turn.workspaceId === workspaceId);
  }

  async function* allOf(agentId: string): AsyncGenerator<SessionRecord> {
    let after: string | undefined;
    for (let count = 0; count < mostPages; count++) {
      const without = [childMark];
      const page = await sessions.list({
        agentId,
        limit: pageSize,
        without,
        ...(after !== undefined && { after }),
      });
      yield* page.sessions;
      if (page.next === null) return;
      after = page.next;
    }
  }

  return {
    async list({ limit, search }, { place }) {
      if (!place) return [];
      const found: SessionRecord[] = [];
      for await (const session of allOf(place.agentId)) {
        if (session.workspaceId !== workspaceId || !mayRead(place, session.sessionKey)) continue;
        if (isWanted(session, search)) found.push(session);
        if (found.length >= limit) break;
      }
      const open = await underWay();
      return found.map((session) => lineOf(session, open));
    },
    async history({ session, limit, before }, caller) {
      const found = await readable(session, caller);
      if ("refused" in found) return found;
      const { sessionId, sessionKey } = found;
      return { sessionKey, ...(await readHistory(entries, sessionId, { limit, before })) };
    },
    async status(session, caller) {
      const own = caller.place?.sessionKey;
      const asked = session ?? own;
      if (asked === undefined) return { refused: "nobody knows which session this is" };
      const found = await readable(asked, caller);
      // The caller's own session may be empty.
      if ("refused" in found && asked !== own) return found;
      const record = "refused" in found ? undefined : found;
      const sessionKey = record?.sessionKey ?? asked;
      const isActive = record?.state !== "ended";
      const pending =
        (isActive && (await approvals?.list({ states: ["pending"], sessionKey, limit: mostApprovals }))) ||
        [];
      return {
        sessionKey,
        state: record?.state ?? "none",
        model: record && lastModel(await entries.recent(record.sessionId, mostEntries)),
        messages: record?.messageCount ?? 0,
        summaries: record?.compactionCount ?? 0,
        tokens: record?.tokens ?? { input: 0, output: 0, total: 0, context: 0 },
        hasMemory: record?.memoryEnabled ?? false,
        turns: countsOf(isActive ? await underWay(sessionKey) : []),
        approvals: {
          pending: pending.length,
          // Only the owner sees open questions.
          named: seesAll(caller.place) ? pending.map(({ id, subject }) => ({ id, tool: subject.tool })) : [],
        },
      };
    },
    find: sendToSession.find,
    send: sendToSession.send,
    shown: ({ session, text }) => say("conversation.to-session", { session: session.sessionKey, text }),
  };
}

/** True if nobody but the owner reads along. */
const seesAll = (place: ToolVisibility | undefined): boolean => isOwner(place) && place?.chatType === "main";

/** Private chats are never readable from a group, even by the owner. */
const mayRead = (place: ToolVisibility | undefined, sessionKey: string): boolean =>
  place !== undefined && (seesAll(place) || place.sessionKey === sessionKey);

/** Ended sessions are listed only in searches: there is one per day. */
function isWanted({ state, sessionKey, origin }: SessionRecord, search: string | undefined): boolean {
  if (search === undefined) return state === "active";
  const wanted = search.toLowerCase();
  return [sessionKey, origin.subject ?? ""].some((text) => text.toLowerCase().includes(wanted));
}

function lineOf(session: SessionRecord, open: readonly TurnRecord[]): SessionLine {
  const { sessionId, sessionKey, state, updatedAt, origin } = session;
  const isActive = state === "active";
  return {
    session: isActive ? sessionKey : sessionId,
    sessionKey,
    title: origin.subject,
    lastActivity: updatedAt,
    state,
    turns: countsOf(isActive ? open.filter((turn) => turn.sessionKey === sessionKey) : []),
  };
}

function countsOf(open: readonly TurnRecord[]): TurnCounts {
  const count = (state: TurnRecord["state"]) => open.filter((turn) => turn.state === state).length;
  return { running: count("running"), waiting: count("waiting"), queued: count("queued") };
}

function lastModel(newest: readonly Entry[]): string | undefined {
  const said = newest.findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
  if (said?.type !== "message" || said.message.role !== "assistant") return undefined;
  return `${said.message.provider}/${said.message.model}`;
}
