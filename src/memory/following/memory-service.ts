/**
 * Searches memory and keeps its index current: knows where everything is written, owns the index thread, and decides
 * who may find what. In a gateway it follows changes; a short-lived command updates the index first.
 */
import type { MemoryHit, MemorySourceKind } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { createOneAtATime } from "../../infra/one-at-a-time.ts";
import { createRunAgain } from "../../infra/run-again.ts";
import type { EmbedderSpec } from "../embedders/embedder.ts";
import type { MemoryThread } from "../index/memory-thread.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { isOpenTo, scopeOf } from "./chat-scope.ts";
import { isSessionSource, sessionSourceId } from "./conversation-feed.ts";
import { createCurrentEmbedder } from "./embedder-choice.ts";
import type { Due } from "./follow-memory.ts";
import { createIndexRunner } from "./index-runner.ts";
import { createIndexWork } from "./index-work.ts";
import { createMemoryFollowing } from "./memory-following.ts";
import type { ChatPlace, MemoryService, MemorySyncOptions, UnconfirmedMemory } from "./memory.ts";
import { searchSettings } from "./search-settings.ts";
import { readWindow } from "./read-window.ts";
import type { AgentPlace, EmbedderChoice } from "./memory-surroundings.ts";
import {
  confirmLine,
  dropLine,
  listUnconfirmed,
  noSuchLine,
  type UnconfirmedFiles,
} from "../unconfirmed-lines.ts";

export interface OpenMemoryService extends MemoryService {
  /** Something was said there and is on the disk. Costs next to nothing. */
  said(session: Pick<SessionRecord, "sessionId">): void;
  /** The session is gone: its words leave the index before it resolves. */
  forget(sessionId: string): Promise<void>;
  /** From now on the index follows what is written, beginning with what was missed. */
  follow(): void;
  /** The config may be another one. */
  refresh(): void;
  /** Safe to call twice. */
  close(): Promise<void>;
}

type Progress = { done: number; total: number };

export interface MemoryServiceParts {
  config(): Config;
  clock: Clock;
  stores: Pick<TenantStores, "sessions" | "entries">;
  workspaceId: string;
  homeRoot: string;
  /** Never throws; an agent whose place is not there is left out. */
  places(): AgentPlace[];
  /** How many agents there are, wherever they work. */
  agentCount(): number;
  /** Deletes the index file; it must not be open anywhere. */
  discardIndex(): void;
  timezoneOf(agentId: string): string;
  start(embedder: EmbedderSpec, onExit: () => void): Promise<MemoryThread>;
  chooseEmbedder(): Promise<EmbedderChoice>;
  onError(error: unknown): void;
}

/** How long the thread stays after its last work. */
const idleMs = 15_000;
/** The newest entries of a conversation are what is being talked about. */
const ofThisTurn = 4;

export function createMemoryService(parts: MemoryServiceParts): OpenMemoryService {
  const { config, clock, stores } = parts;
  const embedder = createCurrentEmbedder(parts.chooseEmbedder);
  const runner = createIndexRunner({
    clock,
    idleMs,
    async start(onExit) {
      await embedder.look();
      return parts.start((await embedder.now()).spec, onExit);
    },
  });
  const work = createIndexWork(parts);
  const closing = new AbortController();
  /** What writes to the index waits for each other: a session that is forgotten must not come back from what was read before. */
  const inOrder = createOneAtATime();
  const writing = <Result>(task: (index: MemoryThread) => Promise<Result>) =>
    inOrder("index", () => runner.use(task));
  const following = createMemoryFollowing({ ...parts, bring });
  let lastSync: string | null = null;
  let progress: Progress | undefined;
  const listeners = new Set<(progress: Progress) => void>();
  let working = 0;
  let embedding = new AbortController();
  let inStep: Promise<unknown> = Promise.resolve();

  /** The settings that it was built for. */
  const settled = () => JSON.stringify([config().agents, config().memory, config().models.providers]);
  let known = settled();

  const isOpen = (chat: ChatPlace, place: { kind: MemorySourceKind; path: string }) =>
    isOpenTo(chat, place, { days: config().memory.inject.group.days, now: clock.now() });

  function tell(now: Progress): void {
    progress = now;
    for (const listen of listeners) listen(now);
  }

  async function atWork<Result>(task: () => Promise<Result>): Promise<Result> {
    working++;
    try {
      return await task();
    } finally {
      working--;
      if (working === 0) progress = undefined;
    }
  }

  /** Takes up another embedder, if there is one by now; nothing more is sent to the one before. */
  async function lookForEmbedder(): Promise<void> {
    if (!(await embedder.look())) return;
    embedding.abort(new Error("another embedder is used"));
    embedding = new AbortController();
    await runner.renew();
  }

  function embed(index: MemoryThread, signal?: AbortSignal) {
    const signals = [closing.signal, embedding.signal, ...(signal ? [signal] : [])];
    return index.embedMissing({ signal: AbortSignal.any(signals), onProgress: tell });
  }

  const embedLater = createRunAgain(
    async () => {
      const { signal } = embedding;
      // What another embedder took the place of did not fail.
      await runner
        .use((index) => embed(index))
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    },
    { signal: closing.signal, onError: parts.onError },
  );

  async function bring(due: Due, signal: AbortSignal): Promise<void> {
    await atWork(() =>
      writing(async (index) => {
        if (due.everything) await bringAll(index, { signal });
        else {
          if (due.agents.size > 0) await work.files(index, { agents: due.agents, signal });
          for (const sessionId of due.sessions) await work.session(index, sessionId);
        }
      }),
    );
    // By itself: an embedder that fails or takes long must not keep words from being found.
    embedLater();
  }

  async function bringAll(
    index: MemoryThread,
    { agentId, signal }: { agentId?: string | undefined; signal?: AbortSignal | undefined },
  ) {
    const agents = agentId === undefined ? {} : { agents: new Set([agentId]) };
    const found = await work.files(index, { ...agents, signal, onProgress: tell });
    const { messages } = await work.conversations(index, { agentId, signal, onProgress: tell });
    await work.leftOver(index);
    lastSync = timestamp(clock);
    return { ...found, messages };
  }

  async function sync({ agentId, rebuild, embed: isWanted = true, signal, onProgress }: MemorySyncOptions) {
    const began = clock.monotonic();
    if (onProgress) listeners.add(onProgress);
    try {
      await lookForEmbedder();
      return await atWork(async () => {
        const found = await writing(async (index) => {
          if (rebuild) await work.forget(index, agentId);
          return bringAll(index, { agentId, signal });
        });
        const vectors = isWanted
          ? await runner.use((index) => embed(index, signal))
          : { embedded: 0, left: 0 };
        return { ...found, ...vectors, seconds: (clock.monotonic() - began) / 1000 };
      });
    } finally {
      if (onProgress) listeners.delete(onProgress);
    }
  }

  /** The caller already sees the latest messages: finding those would be no news. */
  async function tellingWhatIsOld(chat: ChatPlace): Promise<(hit: MemoryHit) => boolean> {
    if (chat === "owner") return () => true;
    const session = await stores.sessions.findActive(parts.workspaceId, chat.sessionKey);
    if (!session) return () => true;
    const own = sessionSourceId(session.sessionId);
    return ({ sourceId, line }) => sourceId !== own || line <= session.lastSeq - ofThisTurn;
  }

  /** Nobody follows what is written while no gateway runs: it is looked for before each search, one after another. */
  async function beInStep(): Promise<void> {
    if (following.isOn()) return;
    inStep = writing((index) => bringAll(index, { signal: closing.signal })).catch(parts.onError);
    await inStep;
  }

  return {
    async search({ agentId, text, limit, chat }) {
      await beInStep();
      const { sources, weightsFor, candidateMultiplier } = searchSettings(config(), agentId);
      const isOld = await tellingWhatIsOld(chat);
      return runner.use(async (index) => {
        const { spec, problem } = await embedder.now();
        const answer = await index.search({
          text,
          // Some of it falls out again.
          limit:
            chat === "owner" || chat.chatType !== "group" ? limit + ofThisTurn : (limit + ofThisTurn) * 4,
          scope: scopeOf(chat, agentId, { sources, inject: config().memory.inject }),
          now: clock.now(),
          timezone: parts.timezoneOf(agentId),
          weights: weightsFor(spec.type),
          candidateMultiplier,
        });
        const degraded = answer.degraded ?? problem;
        const hits = answer.hits.filter((hit) => isOld(hit) && isOpen(chat, hit)).slice(0, limit);
        return {
          ...answer,
          hits,
          ...(degraded === undefined ? {} : { degraded }),
          behind: following.behind(),
        };
      });
    },
    get: ({ agentId, chat, ...request }) =>
      readWindow(
        {
          stores,
          place: parts.places().find((each) => each.agentId === agentId),
          isOpen: (file) => isOpen(chat, file),
          scope: scopeOf(chat, agentId, {
            sources: searchSettings(config(), agentId).sources,
            inject: config().memory.inject,
          }),
        },
        request,
      ),
    async status() {
      await lookForEmbedder();
      const isOff = !config().agents.defaults.memorySearch.enabled;
      return runner.use(async (index) => {
        const { provider, why } = await embedder.now();
        return {
          ...(await index.status()),
          state: isOff ? ("off" as const) : working > 0 ? ("indexing" as const) : ("idle" as const),
          behind: following.behind(),
          embedderChoice: { provider, why },
          files: (await index.sources()).filter(({ id }) => !isSessionSource(id)).length,
          lastSync,
          progress,
          watching: following.isWatching(),
        };
      });
    },
    sync,
    unconfirmed: async (agentId) =>
      openUnconfirmed(parts.places().find((each) => each.agentId === agentId)?.files),
    said: ({ sessionId }) => following.said(sessionId),
    async forget(sessionId) {
      try {
        await writing((index) => index.remove(sessionSourceId(sessionId)));
      } catch (error) {
        // What is to be forgotten must not stay because the index is broken: it can be made again.
        parts.onError(error);
        await runner.renew();
        parts.discardIndex();
        following.missed();
      }
    },
    follow: following.begin,
    refresh() {
      const asNow = settled();
      if (asNow === known) return;
      known = asNow;
      lookForEmbedder().catch(parts.onError);
      following.refresh();
    },
    async close() {
      closing.abort(new Error("the memory is closed"));
      await following.stop();
      await inStep;
      await runner.close();
    },
  };
}

/** Over the files of a workdir; without one there is nothing that waits. */
function openUnconfirmed(files: UnconfirmedFiles | undefined): UnconfirmedMemory {
  const nothing = async (ref: string): Promise<never> => {
    throw noSuchLine(ref);
  };
  if (!files) return { list: async () => [], confirm: nothing, drop: nothing };
  return {
    list: () => listUnconfirmed(files),
    confirm: (ref) => confirmLine(files, ref),
    drop: (ref) => dropLine(files, ref),
  };
}
