/**
 * Messages that may not have arrived: stored in the browser under their keys until the gateway has answered. Sending
 * again under the same key is accepted once. Drafts are stored here as well.
 */
import type { PastedRange, Spoken } from "@pincer/sdk";

export interface PendingMessage {
  /** The idempotency key. */
  key: string;
  /** As the address names the session; empty for the main one. */
  session: string;
  text: string;
  /** What of it was pasted; left out by versions that did not know. */
  pasted?: readonly PastedRange[] | undefined;
  files: ReadonlyArray<{ id: string; name: string; type: string }>;
  at: string;
  /** Goes back to before this entry. */
  seq?: number;
  /** The same words again: nothing is sent but which ones. */
  isRetry?: boolean;
  /** The session has ended: it is resumed first. */
  resumes?: boolean;
  /** sending: on its way, or waiting for a connection. taken: the gateway has it, and it is no entry yet. failed: it was refused. */
  state: "sending" | "taken" | "failed";
  runId?: string;
  joined?: boolean;
  /** It joined an answer that ended before it was read: it is nowhere but here. */
  isUnread?: boolean;
  problem?: string;
}

export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface PendingStore {
  /** Those of one session, oldest first. */
  of(session: string): PendingMessage[];
  keep(message: PendingMessage): void;
  drop(key: string): void;
  draft(session: string): Spoken;
  keepDraft(session: string, draft: Spoken): void;
}

/** A browser keeps about five million characters for a page; what is longer is not lost, only not kept over a reload. */
const longestDraft = 500_000;

/** `who` separates the people who share a browser. */
export function createPendingStore(storage: TextStorage, who: string): PendingStore {
  const pendingName = `pincer.pending.${who}`;
  const draftName = (session: string): string => `pincer.draft.${who} ${session}`;
  const all = (): PendingMessage[] => read(storage, pendingName);
  const write = (messages: readonly PendingMessage[]) => {
    if (messages.length === 0) return storage.removeItem(pendingName);
    tryTo(() => storage.setItem(pendingName, JSON.stringify(messages)));
  };
  return {
    of: (session) => all().filter((each) => each.session === session),
    keep(message) {
      const messages = all();
      const at = messages.findIndex(({ key }) => key === message.key);
      write(at < 0 ? [...messages, message] : messages.with(at, message));
    },
    drop: (key) => write(all().filter((each) => each.key !== key)),
    draft: (session) => readDraft(tryTo(() => storage.getItem(draftName(session))) ?? ""),
    keepDraft(session, { text, pasted }) {
      if (text === "") return storage.removeItem(draftName(session));
      const kept = JSON.stringify({ text, pasted });
      if (text.length <= longestDraft) tryTo(() => storage.setItem(draftName(session), kept));
    },
  };
}

/** Older versions kept the bare words, of which nobody knows more. */
function readDraft(kept: string): Spoken {
  const parsed = tryTo(() => JSON.parse(kept) as Partial<Spoken> | null);
  const pasted: unknown = parsed?.pasted;
  return typeof parsed?.text === "string" && Array.isArray(pasted)
    ? { text: parsed.text, pasted: pasted as PastedRange[] }
    : { text: kept, pasted: undefined };
}

/** The stored value may come from another version, or be forged. */
function read(storage: TextStorage, name: string): PendingMessage[] {
  const parsed = tryTo(() => JSON.parse(storage.getItem(name) ?? "[]") as unknown);
  return Array.isArray(parsed) ? parsed.filter(isPending) : [];
}

function isPending(value: unknown): value is PendingMessage {
  if (typeof value !== "object" || value === null) return false;
  const given = value as Partial<Record<keyof PendingMessage, unknown>>;
  const isText = (name: keyof PendingMessage) => typeof given[name] === "string";
  return isText("key") && isText("session") && isText("text") && isText("at") && Array.isArray(given.files);
}

/** Undefined if the browser has no storage for this page, or no space. */
function tryTo<Value>(how: () => Value): Value | undefined {
  try {
    return how();
  } catch {
    return undefined;
  }
}
