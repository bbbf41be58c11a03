/** A conversation as a page or a program holds it: everybody theirs, and the owner any. */
import type { Attachment, Entry, MediaStore, ScopeDefaults } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { MethodHandlers } from "../method-calls.ts";
import { failure } from "../../infra/failure.ts";
import type { Caller } from "../../policy/caller.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnPerson } from "../../storage/turns/turns.ts";
import { askerOf, isOwnConversation } from "../../routing/asker.ts";
import { askAtOnce } from "./ask-at-once.ts";
import { readOwnMessage } from "./own-message.ts";
import type { Engine } from "../../routing/engine.ts";

export interface ChatMethodParts {
  engine: Pick<Engine, "queue" | "beginning" | "route">;
  lanes: Pick<Lanes, "offer" | "reserve" | "abort" | "stop">;
  stores: Pick<TenantStores, "sessions" | "entries"> & { turns: Pick<TenantStores["turns"], "get"> };
  media: MediaStore;
  config(): Pick<Config, "queue">;
  /** What a session key leaves out. */
  home: ScopeDefaults;
  /** There is something to send. */
  wake(rows: OutboxRow[]): void;
}

type ChatMethods = Pick<MethodHandlers, "chat.history" | "chat.send" | "chat.resend" | "chat.abort">;

/** An upload, as somebody names it. */
type Given = string | { id: string; name?: string };

/** Of its own: what is said here joins what is said here, and not the question that a command waits for. */
const channel = "chat";
const usualPage = 50;
/** So that a page fits into a frame several times over; one entry always goes. */
const pageCharacters = 1_000_000;

export function createChatMethods(parts: ChatMethodParts): ChatMethods {
  const { engine, lanes, stores, media, config, home, wake } = parts;

  /** The session that is meant, and what it is known by; the record only where something was said in it. Throws PincerError. */
  async function place(
    caller: Caller,
    { session, agentId }: { session?: string; agentId?: string },
  ): Promise<{ sessionKey: string; workspaceId: string; record: SessionRecord | undefined }> {
    const byId = session === undefined ? undefined : await stores.sessions.get(session);
    if (byId) {
      if (!isOwnConversation(caller, byId.sessionKey, home)) throw foreign(byId.sessionKey);
      return { ...byId, record: byId };
    }
    const { sessionKey, scope } = engine.route(askerOf(caller, channel, asked(session, agentId), home));
    const { workspaceId } = scope;
    return { sessionKey, workspaceId, record: await stores.sessions.findActive(workspaceId, sessionKey) };
  }

  /** What was uploaded, as a message carries it. Throws `usage/not-found`. */
  async function attachmentOf(given: Given): Promise<Attachment> {
    const { id, name } = typeof given === "string" ? { id: given, name: undefined } : given;
    const content = await media.read(id).catch((cause: unknown) => {
      throw failure("usage/not-found", "chat.no-media", { id }, { hint: "chat.no-media.hint", cause });
    });
    const mimeType = "application/octet-stream";
    const { claimedType: _, ...kept } = await media.store(content, {
      mimeType,
      ...(name === undefined ? {} : { name }),
    });
    return kept;
  }

  /** Whose turn an entry is of. */
  async function personOf(entry: Entry | undefined): Promise<TurnPerson | undefined> {
    const runId = entry?.type === "message" ? entry.runId : undefined;
    return runId === undefined ? undefined : (await stores.turns.get(runId))?.person;
  }

  return {
    async "chat.history"({ sessionKey: session, agentId, before, limit = usualPage }, { caller }) {
      const { sessionKey, record } = await place(caller, asWritten(session, agentId));
      if (!record) return { sessionKey, sessionId: null, entries: [], before: null };
      const { sessionId } = record;
      const page =
        before === undefined
          ? await stores.entries.recent(sessionId, limit)
          : await stores.entries.before(sessionId, before, limit);
      const entries = newestThatFit(page);
      const first = entries[0]?.seq ?? 1;
      return { sessionKey, sessionId, entries, before: first > 1 ? first : null };
    },

    async "chat.send"({ sessionKey: session, agentId, text, attachments = [], idempotencyKey }, { caller }) {
      if (text === "" && attachments.length === 0) throw failure("usage/bad-argument", "chat.nothing-to-say");
      // An id names the conversation that it belongs to: what is said goes on in the one that is active.
      const { sessionKey } = await place(caller, asWritten(session, agentId));
      const files = await Promise.all(attachments.map(attachmentOf));
      const { mode, cap } = config().queue;
      const { turn, duplicate, joined, interrupts, start } = await askAtOnce(parts, {
        ...askerOf(caller, channel, { sessionKey }, home),
        input: text,
        attachments: files,
        wishes: {},
        idempotencyKey,
        direct: false,
        queue: { mode, cap },
      });
      start();
      if (interrupts !== undefined) await lanes.abort(interrupts, "interrupt");
      return { runId: turn.turnId, joined, duplicate };
    },

    async "chat.resend"(
      { sessionKey: session, agentId, seq, text, attachments, idempotencyKey },
      { caller },
    ) {
      const { sessionKey, record } = await place(caller, asWritten(session, agentId));
      const { sessionId } = requireActive(record, sessionKey);
      const asker = askerOf(caller, channel, { sessionKey }, home);
      const entry = await stores.entries.at(sessionId, seq);
      const said = readOwnMessage(entry, asker.person, await personOf(entry));
      if (!said) throw notOwn(seq);
      const input = text ?? said.text;
      const given = attachments ?? said.files;
      if (input === "" && given.length === 0) throw failure("usage/bad-argument", "chat.nothing-to-say");
      const files = await Promise.all(given.map(attachmentOf));
      const { turn, duplicate, interrupts, start } = await askAtOnce(parts, {
        ...asker,
        input,
        attachments: files,
        wishes: { setAside: { sessionId, from: seq } },
        idempotencyKey,
        direct: false,
        // What is being answered is what will be set aside.
        queue: { mode: "interrupt", cap: config().queue.cap },
      });
      start();
      if (interrupts !== undefined) await lanes.abort(interrupts, "interrupt");
      return { runId: turn.turnId, duplicate };
    },

    async "chat.abort"({ sessionKey: session, agentId }, { caller }) {
      const { sessionKey, workspaceId } = await place(caller, asWritten(session, agentId));
      const { count, outbox } = await lanes.stop(workspaceId, sessionKey, "client");
      wake(outbox);
      return { stopped: count };
    },
  };
}

const asWritten = (session: string | undefined, agentId: string | undefined) => ({
  ...(session === undefined ? {} : { session }),
  ...(agentId === undefined ? {} : { agentId }),
});

const asked = (sessionKey: string | undefined, agentId: string | undefined) => ({
  ...(sessionKey === undefined ? {} : { sessionKey }),
  ...(agentId === undefined ? {} : { agentId }),
});

function newestThatFit(page: Entry[]): Entry[] {
  let size = 0;
  const from = page.findLastIndex((entry) => (size += JSON.stringify(entry).length) > pageCharacters);
  return from < 0 ? page : page.slice(Math.min(from + 1, page.length - 1));
}

function requireActive(record: SessionRecord | undefined, sessionKey: string): SessionRecord {
  if (record?.state === "active") return record;
  throw record
    ? failure(
        "usage/bad-argument",
        "tape.ended",
        { sessionId: record.sessionId },
        { hint: "tape.ended.hint" },
      )
    : failure("usage/not-found", "chat.nothing-said", { sessionKey });
}

const notOwn = (seq: number) =>
  failure("usage/not-found", "chat.not-yours", { seq }, { hint: "chat.not-yours.hint" });

const foreign = (sessionKey: string) =>
  failure(
    "permission/missing",
    "permission.foreign-session",
    { sessionKey },
    { hint: "permission.foreign-session.hint" },
  );
