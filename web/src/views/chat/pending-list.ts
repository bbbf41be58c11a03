/** The messages of one conversation that are not entries yet: kept in the browser, and gone from the list when they are. */
import type { Message, Spoken, UserMessage } from "@pincer/sdk";
import type { Conversation } from "./conversation.ts";
import type { PendingMessage, PendingStore } from "./pending.ts";
import { readUserMessage } from "./read-message.ts";

export interface Words extends Spoken {
  files: PendingMessage["files"];
}

export interface PendingParts {
  /** As the address names it; empty for the main one. */
  session: string;
  store: PendingStore;
  makeKey(): string;
  /** RFC 3339. */
  now(): string;
}

/** What a message needs to be sent. */
export type NewMessage = Omit<PendingMessage, "key" | "session" | "at" | "state">;

export interface PendingList {
  all(): readonly PendingMessage[];
  add(given: NewMessage): PendingMessage;
  /** Undefined where it is no longer there. */
  change(key: string, how: Partial<PendingMessage>): PendingMessage | undefined;
  /** As it was before it failed, to be sent again under its key: nothing was stored under that. */
  again(key: string, how: Partial<PendingMessage>): PendingMessage | undefined;
  drop(key: string): void;
  /** Leaves out what has become an entry, or belongs to a run that is over. */
  settle({ entries }: Conversation, ended: ReadonlySet<string>): void;
  /**
   * What joined an answer that was stopped may never have been read. `over`: runs that had ended before the entries were asked for, so that an
   * entry of theirs is there or will never be. Under another key, since the gateway has taken the old one.
   */
  giveBackUnread({ entries }: Conversation, over: ReadonlySet<string>): void;
}

export function createPendingList({ session, store, makeKey, now }: PendingParts): PendingList {
  let pending: PendingMessage[] = store.of(session);

  function replace(message: PendingMessage, next: PendingMessage): PendingMessage {
    pending = pending.map((each) => (each === message ? next : each));
    store.keep(next);
    return next;
  }

  const find = (key: string) => pending.find((each) => each.key === key);

  function drop(key: string): void {
    pending = pending.filter((each) => each.key !== key);
    store.drop(key);
  }

  return {
    all: () => pending,
    add(given) {
      const message: PendingMessage = { ...given, key: makeKey(), session, at: now(), state: "sending" };
      pending = [...pending, message];
      store.keep(message);
      return message;
    },
    change(key, how) {
      const message = find(key);
      return message && replace(message, { ...message, ...how });
    },
    again(key, how) {
      const message = find(key);
      if (!message) return undefined;
      const { problem: _, isUnread: __, ...rest } = message;
      return replace(message, { ...rest, ...how, state: "sending" });
    },
    drop,
    settle({ entries }, ended) {
      const isThere = ({ runId, text, files, state, joined }: PendingMessage) =>
        state === "taken" &&
        runId !== undefined &&
        ((ended.has(runId) && !joined) ||
          entries.some(
            (entry) =>
              entry.type === "message" && entry.runId === runId && isSaidIn(entry.message, { text, files }),
          ));
      for (const { key } of pending.filter(isThere)) drop(key);
    },
    giveBackUnread({ entries }, over) {
      const isLost = ({ state, joined, runId }: PendingMessage) =>
        state === "taken" && joined === true && runId !== undefined && over.has(runId);
      for (const lost of pending.filter(isLost)) {
        const { runId, joined: _, ...rest } = lost;
        if (isSaidSince(entries, runId, lost)) {
          drop(lost.key);
          continue;
        }
        store.drop(lost.key);
        replace(lost, { ...rest, key: makeKey(), state: "failed", isUnread: true });
      }
    },
  };
}

/** Whether a message is these words; where there are none, these files. */
const isSaidIn = (message: Message, words: Words): boolean =>
  message.role === "user" &&
  (words.text === "" ? hasFiles(message, words) : readUserMessage(message).text === words.text);

/** Whether somebody's words stand in a conversation at or after a run, also where a later run has read them. */
function isSaidSince(entries: Conversation["entries"], runId: string | undefined, words: Words): boolean {
  const from = entries.findIndex((entry) => "runId" in entry && entry.runId === runId);
  return entries
    .slice(Math.max(from, 0))
    .some(
      (entry) =>
        entry.type === "message" &&
        entry.message.role === "user" &&
        (words.text === ""
          ? hasFiles(entry.message, words)
          : readUserMessage(entry.message).text.includes(words.text)),
    );
}

const hasFiles = (message: UserMessage, { files }: Words): boolean =>
  files.every(({ id }) => message.files?.some(({ media }) => media === id));
