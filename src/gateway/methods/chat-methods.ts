/** A conversation as a page or a program holds it: everybody theirs, and the owner any. */
import type { Attachment, Entry, MediaStore, ScopeDefaults } from "@pincer/sdk";
import type { MethodHandlers } from "../method-calls.ts";
import { failure } from "../../infra/failure.ts";
import type { Caller } from "../../policy/caller.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnPerson } from "../../storage/turns/turns.ts";
import { askerOf, isOwnConversation } from "../../routing/asker.ts";
import { readOwnMessage } from "./own-message.ts";
import type { Engine } from "../../routing/engine.ts";
import type { Ask } from "../../routing/questions.ts";

export interface ChatMethodParts {
  engine: Pick<Engine, "route">;
  ask: Ask;
  lanes: Pick<Lanes, "stop">;
  stores: Pick<TenantStores, "sessions" | "entries"> & { turns: Pick<TenantStores["turns"], "get"> };
  media: MediaStore;
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
  const { engine, ask, lanes, stores, media, home, wake } = parts;

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
      if (!record) return { sessionKey, sessionId: null, isEnded: false, entries: [], before: null };
      const { sessionId } = record;
      const isEnded = record.state === "ended";
      const page =
        before === undefined
          ? await stores.entries.recent(sessionId, limit)
          : await stores.entries.before(sessionId, before, limit);
      const entries = newestThatFit(page);
      const first = entries[0]?.seq ?? 1;
      return { sessionKey, sessionId, isEnded, entries, before: first > 1 ? first : null };
    },

    async "chat.send"(params, { caller }) {
      const { sessionKey: session, agentId, text, attachments = [], idempotencyKey } = params;
      const { typed = false, pasted, language } = params;
      if (text === "" && attachments.length === 0) throw failure("usage/bad-argument", "chat.nothing-to-say");
      const { sessionKey, record } = await place(caller, asWritten(session, agentId));
      // Nothing is said in another session than the one that was named.
      if (record) requireActive(record, sessionKey);
      const files = await Promise.all(attachments.map(attachmentOf));
      const { runId, joined, duplicate, command } = await ask({
        ...askerOf(caller, channel, { sessionKey }, home),
        input: text,
        attachments: files,
        wishes: {},
        idempotencyKey,
        typed,
        pasted,
        direct: false,
        queue: "configured",
        ...(language === undefined ? {} : { language }),
      });
      return { runId, joined, duplicate, ...(command ? { command } : {}) };
    },

    async "chat.resend"(params, { caller }) {
      const { sessionKey: session, agentId, seq, text, attachments, idempotencyKey } = params;
      const { sessionKey, record } = await place(caller, asWritten(session, agentId));
      const { sessionId } = requireActive(record, sessionKey);
      const asker = askerOf(caller, channel, { sessionKey }, home);
      const entry = await stores.entries.at(sessionId, seq);
      const said = readOwnMessage(entry, asker.person, await personOf(entry));
      if (!said) throw notOwn(seq);
      const {
        text: input,
        typed,
        pasted,
      } = text === undefined ? said : { text, typed: params.typed ?? false, pasted: params.pasted };
      const given = attachments ?? said.files;
      if (input === "" && given.length === 0) throw failure("usage/bad-argument", "chat.nothing-to-say");
      const files = await Promise.all(given.map(attachmentOf));
      const { runId, duplicate } = await ask({
        ...asker,
        input,
        attachments: files,
        wishes: { setAside: { sessionId, from: seq } },
        idempotencyKey,
        typed,
        pasted,
        isRepeated: true,
        direct: false,
        // The message being answered is the one that will be superseded.
        queue: "interrupt",
      });
      return { runId, duplicate };
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
