/**
 * Feeds conversations to the index: message by message as they are committed, and everything that is missing after a
 * pause.
 */
import {
  parseSessionKey,
  type MemoryLine,
  type MemorySource,
  type MemorySourceState,
  type MemoryStore,
} from "@pincer/sdk";
import { linesOfEntry } from "../index/lines-of-entry.ts";
import type { EntryStore, SessionRecord, SessionStore } from "../../storage/stores.ts";

export interface ConversationFeed {
  /** Brings one session in step. Answers with how many messages came in. Safe to repeat. */
  follow(index: ConversationIndex, session: SessionRecord): Promise<number>;
  /** The same for all, newest first; sessions that are gone leave the index. */
  catchUp(
    index: ConversationIndex,
    options?: CatchUpOptions,
  ): Promise<{ sessions: number; messages: number }>;
}

export type ConversationIndex = Pick<MemoryStore, "append" | "remove" | "sources">;

export interface CatchUpOptions {
  agentId?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface ConversationFeedParts {
  sessions: Pick<SessionStore, "list">;
  entries: Pick<EntryStore, "messagesFrom" | "asides">;
  /** IANA name: on which day something was said depends on it. */
  timezoneOf(agentId: string): string;
  /** Whether its agent's sessions are searched; what is not wanted counts as gone. */
  isWanted?(session: SessionRecord): boolean;
}

/** Messages per batch: short enough not to delay other work. */
const atOnce = 100;
const sessionsAtOnce = 500;

export const sessionSourceId = (sessionId: string): string => `session:${sessionId}`;

export const isSessionSource = (sourceId: string): boolean => sourceId.startsWith(sessionSourceId(""));

/** Where the readable copy of a session lies in the home; the line of an entry is its number. */
export const sessionPath = ({ agentId, sessionId }: Pick<SessionRecord, "agentId" | "sessionId">): string =>
  `agents/${agentId}/sessions/${sessionId}.jsonl`;

export function createConversationFeed({
  sessions,
  entries,
  timezoneOf,
  isWanted = () => true,
}: ConversationFeedParts): ConversationFeed {
  /** `last`: the highest entry that the index has of it. */
  async function bring(index: ConversationIndex, session: SessionRecord, last: number): Promise<number> {
    const source = sourceOf(session);
    const facts = { ...speakersOf(session.sessionKey), timezone: timezoneOf(session.agentId) };
    let count = 0;
    for (let from = last + 1; ;) {
      const found = await entries.messagesFrom(session.sessionId, from, atOnce);
      const isEnd = found.length < atOnce;
      const lines: MemoryLine[] = found.flatMap((entry) => linesOfEntry(entry, facts));
      // How far it was brought is noted with its last lines: cut short before, it is brought again from there.
      await index.append(source, lines, isEnd ? stampOf(session) : "");
      count += found.length;
      const newest = found.at(-1);
      if (isEnd || !newest) return count;
      from = newest.seq + 1;
    }
  }

  /**
   * A session that was replaced under the same id, from a backup, is indexed again, and so is one whose indexed
   * messages were retracted.
   */
  async function lastKept(
    index: ConversationIndex,
    state: MemorySourceState | undefined,
    { sessionId, lastSeq }: SessionRecord,
  ): Promise<number> {
    if (!state) return 0;
    const { lastLine } = state;
    const asides = await entries.asides(sessionId);
    const isTakenBack = asides.some(({ from, to }) => from <= lastLine && lastLine < to);
    if (lastLine <= lastSeq && !isTakenBack) return lastLine;
    await index.remove(state.id);
    return 0;
  }

  return {
    async follow(index, session) {
      const known = (await index.sources(session.agentId)).find(
        ({ id }) => id === sessionSourceId(session.sessionId),
      );
      return known?.stamp === stampOf(session)
        ? 0
        : bring(index, session, await lastKept(index, known, session));
    },
    async catchUp(index, { agentId, signal, onProgress } = {}) {
      const known = new Map(
        (await index.sources(agentId))
          .filter(({ id }) => isSessionSource(id))
          .map((state) => [state.id, state]),
      );
      const total = { sessions: 0, messages: 0 };
      const behind: Array<{ session: SessionRecord; last: number }> = [];
      for await (const session of each(sessions, agentId, signal)) {
        if (!isWanted(session)) continue;
        const id = sessionSourceId(session.sessionId);
        const state = known.get(id);
        known.delete(id);
        total.sessions++;
        if (state?.stamp !== stampOf(session))
          behind.push({ session, last: await lastKept(index, state, session) });
      }
      for (const id of known.keys()) await index.remove(id);
      for (const [done, { session, last }] of behind.entries()) {
        signal?.throwIfAborted();
        onProgress?.(done, behind.length);
        total.messages += await bring(index, session, last);
      }
      onProgress?.(behind.length, behind.length);
      return total;
    },
  };
}

async function* each(sessions: Pick<SessionStore, "list">, agentId?: string, signal?: AbortSignal) {
  let after: string | undefined;
  do {
    signal?.throwIfAborted();
    const page = await sessions.list({
      limit: sessionsAtOnce,
      ...(agentId === undefined ? {} : { agentId }),
      ...(after === undefined ? {} : { after }),
    });
    yield* page.sessions;
    after = page.next ?? undefined;
  } while (after !== undefined);
}

const stampOf = ({ lastSeq }: SessionRecord): string => String(lastSeq);

const sourceOf = (session: SessionRecord): MemorySource => ({
  id: sessionSourceId(session.sessionId),
  kind: "conversation",
  agentId: session.agentId,
  path: sessionPath(session),
  sessionKey: session.sessionKey,
});

/** Marks what other people said, and the answers to it, to distinguish it from the owner's words. */
export const labelOf = (sessionKey: string): string | undefined => speakersOf(sessionKey).label;

function speakersOf(sessionKey: string): { label: string | undefined; isGroup: boolean } {
  const parsed = parseSessionKey(sessionKey);
  if (!parsed.ok) return { label: "unknown", isGroup: false };
  const { conversation } = parsed.scope;
  if (conversation.type === "direct")
    return { label: `${conversation.channel ?? "direct"}:${conversation.peer}`, isGroup: false };
  if (conversation.type === "group")
    return { label: `${conversation.channel}:${conversation.group}`, isGroup: true };
  return { label: undefined, isGroup: false };
}
