/**
 * The tape of a session: everything that was said stays on it, in order. It can be searched, and an anchor on it says
 * where context starts; nothing is ever removed.
 */
import {
  textOf,
  type AnchorEntryBody,
  type Entry,
  type EntryBody,
  type HandoffView,
  type MessageEntry,
  type TapeHitView,
  type TapeInfoView,
  type TapeMarkView,
  type TapeSearchView,
} from "@pincer/sdk";
import { messageTokens } from "../agent/context/estimate-tokens.ts";
import type { Redactor } from "../infra/redactor.ts";
import { sessionLeaseName, type SessionLeases } from "../storage/sessions/session-lease.ts";
import type { EntryStore, OpenSession, SessionRecord, SessionStore } from "../storage/stores.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";
import { handoffName } from "./parse-handoff.ts";
import { snippetAround } from "./snippet.ts";

export interface TapeParts {
  sessions: Pick<SessionStore, "open" | "get" | "findActive">;
  entries: Pick<EntryStore, "view" | "marks" | "search" | "append" | "recent">;
  leases: SessionLeases;
  redactor: Pick<Redactor, "text">;
  /** Brings the readable copy up to date; must not throw. */
  mirror(session: SessionRecord): Promise<void>;
}

export interface HandoffRequest {
  /** Left out, one is made. */
  name?: string | undefined;
  summary?: string | undefined;
  /** Who makes it: `cli:owner`, `telegram:42`. */
  by: string;
  /** Whose words it is, if they are not the owner's: stored with it, so that a handoff cannot pass as Pincer's own words. */
  isGuests?: boolean | undefined;
  /** The same input makes one anchor, however often it is handed in. */
  input?: string | undefined;
}

/** Every verb throws what the storage does. */
export interface Tape {
  info(session: SessionRecord): Promise<TapeInfoView>;
  /** Newest first. */
  marks(sessionId: string, limit: number): Promise<TapeMarkView[]>;
  /**
   * Newest first, over every session of the key. Terms are words, or what stands between quotes; without any, nothing is found. Only the owner
   * finds what tools answered, which was not said to anybody; others do not search as far back either.
   */
  search(
    sessionId: string,
    words: string,
    query: { limit: number; asks: TurnPerson["role"] },
  ): Promise<TapeSearchView>;
  /** Sets an anchor between turns: waits for one that runs. Throws `session/busy` when that takes too long. */
  handOff(
    session: Pick<SessionRecord, "workspaceId" | "sessionKey" | "sessionId">,
    request: HandoffRequest,
  ): Promise<HandoffView>;
  /** The same in the active session of the key, which is opened where there is none. */
  handOffIn(session: OpenSession, request: HandoffRequest): Promise<HandoffView>;
}

const mostCounted = 1000;
const nearby = 200;
const handedOff = "handed-off";
/** Messages that a search looks through. */
const mostSearched = { owner: 200_000, others: 5000 };

export function createTape({ sessions, entries, leases, redactor, mirror }: TapeParts): Tape {
  const handOff: Tape["handOff"] = (session, request) =>
    leases.hold(sessionLeaseName(session), async (fence) => {
      const active = await sessions.findActive(session.workspaceId, session.sessionKey);
      const { sessionId } = active ?? session;
      const { input, by, isGuests = false } = request;
      const made = input && (await madeFor(sessionId, input));
      if (made) return viewHandoff(sessionId, made);

      const anchors = (await entries.marks(sessionId, mostCounted)).filter(isAnchor);
      const name = handoffName(redactor.text(request.name ?? "")) || nextName(anchors);
      const summary = redactor.text(request.summary ?? "");
      const bodies: EntryBody[] = [
        { type: "anchor", name, state: { summary, by, ...(isGuests && { origin: "peer" }) } },
        // Beside the anchor and not in it: what is in it is told to the model.
        ...(input ? [{ type: "event" as const, name: handedOff, data: { input } }] : []),
      ];
      const [entry] = await entries.append(sessionId, bodies, fence);
      const grown = await sessions.get(sessionId);
      if (grown) await mirror(grown);
      if (!entry || !isAnchor(entry)) throw new Error("what was appended is no anchor");
      return viewHandoff(sessionId, entry);
    });

  /** A crash may have come between the anchor and the end of its message. */
  async function madeFor(sessionId: string, input: string): Promise<AnchorEntry | undefined> {
    const recent = await entries.recent(sessionId, nearby);
    const noted = recent.find(
      (entry) => entry.type === "event" && entry.name === handedOff && entry.data["input"] === input,
    );
    return recent.filter(isAnchor).findLast(({ seq }) => noted && seq < noted.seq);
  }

  return {
    handOff,
    async handOffIn(session, request) {
      return handOff((await sessions.open(session)).session, request);
    },
    async info(session) {
      const { sessionId, lastSeq } = session;
      const marks = (await entries.marks(sessionId, mostCounted)).flatMap(viewMark);
      const { said } = await entries.view(sessionId, { before: lastSeq + 1, limit: mostCounted });
      return {
        sessionKey: session.sessionKey,
        sessionId,
        state: session.state,
        since: session.createdAt,
        entries: lastSeq,
        messages: session.messageCount,
        anchors: marks.filter(({ type }) => type === "anchor").length,
        summaries: marks.filter(({ type }) => type === "summary").length,
        lastMark: marks[0] ?? null,
        shown: {
          from: said[0]?.seq ?? null,
          messages: said.length,
          tokens: said.reduce((sum, { message }) => sum + messageTokens(message), 0),
        },
      };
    },
    async marks(sessionId, limit) {
      return (await entries.marks(sessionId, limit)).flatMap(viewMark);
    },
    async search(sessionId, words, { limit, asks }) {
      const terms = termsOf(words);
      if (terms.length === 0) return { hits: [], searchedBackTo: null };
      const { found, stoppedAt } = await entries.search(sessionId, {
        terms,
        limit,
        everySession: true,
        ...(asks === "owner"
          ? { most: mostSearched.owner }
          : { most: mostSearched.others, isWanted: wasSaid }),
      });
      return { hits: found.map((hit) => viewHit(hit, sessionId, terms)), searchedBackTo: stoppedAt };
    },
  };
}

/** By people or to them. What a tool told later comes as a message, too, in the name of the tool. */
const wasSaid = ({ message }: MessageEntry): boolean =>
  message.role === "assistant" || (message.role === "user" && !textOf(message).startsWith('"tool:'));

type AnchorEntry = Entry & AnchorEntryBody;

const isAnchor = (entry: Entry): entry is AnchorEntry => entry.type === "anchor";

/** One after the highest number that was given. */
function nextName(anchors: readonly AnchorEntry[]): string {
  const given = anchors.map(({ name }) => Number(/^handoff-(\d{1,9})$/.exec(name)?.[1] ?? 0));
  return `handoff-${Math.max(0, ...given) + 1}`;
}

const textIn = (state: AnchorEntryBody["state"], key: string): string => {
  const value = state?.[key];
  return typeof value === "string" ? value : "";
};

const viewHandoff = (sessionId: string, { seq, time, name, state }: AnchorEntry): HandoffView => ({
  sessionId,
  seq,
  time,
  name,
  summary: textIn(state, "summary"),
});

function viewMark(entry: Entry): TapeMarkView[] {
  const { seq, time } = entry;
  if (isAnchor(entry)) {
    const { name, state } = entry;
    const by = textIn(state, "by");
    return [{ seq, time, type: "anchor", name, summary: textIn(state, "summary"), ...(by && { by }) }];
  }
  if (entry.type !== "compaction") return [];
  return [{ seq, time, type: "summary", name: entry.trigger ?? "summary", summary: entry.summary }];
}

function viewHit(
  { sessionId, entry }: { sessionId: string; entry: MessageEntry },
  searched: string,
  terms: readonly string[],
): TapeHitView {
  const { message, seq, time } = entry;
  return {
    sessionId,
    isElsewhere: sessionId !== searched,
    seq,
    time,
    role: message.role === "toolResult" ? message.toolName : message.role,
    snippet: snippetAround(textOf(message), terms),
  };
}

/** Words between blanks; what stands between quotes, of any of the usual kinds, is one. */
export function termsOf(words: string): string[] {
  const found = words.matchAll(/"([^"]+)"|“([^”]+)”|「([^」]+)」|(\S+)/g);
  return [...found]
    .map((match) => (match.slice(1).find((part) => part !== undefined) ?? "").trim())
    .filter(Boolean);
}
