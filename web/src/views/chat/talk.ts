/**
 * One conversation over the link: its history in pages, its runs followed live wherever they began, and its messages
 * sent once, however often the connection breaks. Independent of the page that shows it.
 */
import type { GatewayEvent, Message, UserMessage } from "@pincer/sdk";
import { LinkError, type GatewayLink } from "@pincer/sdk/client";
import { emptyConversation, hear, type Conversation, type News } from "./conversation.ts";
import type { PendingMessage, PendingStore } from "./pending.ts";

export interface TalkParts {
  link: Pick<GatewayLink, "request" | "subscribe">;
  /** As the address names it; empty for the main one. */
  session: string;
  store: PendingStore;
  makeKey(): string;
  /** RFC 3339. */
  now(): string;
  /** Something has to be rendered again. */
  onChange(): void;
  /** Something was refused. */
  onTrouble(error: unknown): void;
}

export interface Words {
  text: string;
  files: PendingMessage["files"];
}

export interface Talk {
  conversation(): Conversation;
  pending(): readonly PendingMessage[];
  /** Whether the first page has come. */
  isOpen(): boolean;
  /** Asks again for what may have been missed. Never throws. */
  refresh(): Promise<void>;
  /** The page before what is there; nothing where there is none. Never throws. */
  older(): Promise<void>;
  /** The page behind; likewise. */
  newer(): Promise<void>;
  /** The stretch around an entry, unless it is there already. */
  around(seq: number): Promise<void>;
  /** Back to the newest. */
  latest(): Promise<void>;
  say(words: Words): void;
  /** Goes back to before an entry and says other words. */
  sayInstead(seq: number, words: Words): void;
  /** Answers an entry again. */
  retry(seq: number, words: Words): void;
  /** Of one that failed: the same again, or not at all. */
  again(key: string): void;
  discard(key: string): void;
  stop(): Promise<void>;
  /** Goes on with a run that stopped at a limit. */
  goOn(runId: string): Promise<void>;
  /** For good. Safe to call twice. */
  close(): void;
}

/** What is first seen, so that it is there soon. */
const firstPage = 60;
const pageSize = 100;
const largePage = 1000;

export function openTalk(parts: TalkParts): Talk {
  const { link, session, store, makeKey, now, onChange, onTrouble } = parts;
  const named = session === "" ? {} : { sessionKey: session };
  const left = new AbortController();
  const { signal } = left;
  let conversation = emptyConversation;
  let pending: PendingMessage[] = store.of(session);
  let hasOpened = false;
  const followed = new Set<string>();
  const ended = new Set<string>();
  let paging: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  let isStale = false;

  function take(news: News): void {
    conversation = hear(conversation, news);
    settlePending();
    onChange();
  }

  const trouble = (error: unknown) => {
    if (!signal.aborted) onTrouble(error);
  };

  const history = (place: { before?: number; limit?: number } = {}) =>
    link.request("chat.history", { ...named, limit: pageSize, ...place }, { signal });

  async function readNewest(): Promise<void> {
    const over = new Set(ended);
    const page = await history(hasOpened ? {} : { limit: firstPage });
    const last = conversation.entries.at(-1)?.seq ?? 0;
    const isFar = conversation.isAtEnd && last > 0 && (page.entries[0]?.seq ?? 0) > last + 1;
    const wider =
      isFar && page.sessionId === conversation.sessionId ? await history({ limit: largePage }) : page;
    take({ type: "page", place: "newest", page: wider });
    hasOpened = true;
    const { runs } = await link.request("runs.list", { sessionKey: wider.sessionKey, limit: 10 }, { signal });
    for (const { runId, state } of runs) if (isOver(state)) ended.add(runId);
    take({ type: "runs", runs });
    if (conversation.isAtEnd && conversation.runs.length === 0) giveBackUnread(over);
    for (const { runId } of conversation.runs) follow(runId);
  }

  /** One at a time; asked for meanwhile, once more after it. */
  function refresh(): Promise<void> {
    isStale = true;
    refreshing ??= (async () => {
      while (isStale && !signal.aborted) {
        isStale = false;
        await readNewest().catch(trouble);
      }
      refreshing = undefined;
    })();
    return refreshing;
  }

  function follow(runId: string): void {
    if (followed.has(runId) || signal.aborted) return;
    followed.add(runId);
    const onEvent = (event: string, payload: unknown) => {
      take({ type: "event", runId, event, payload, at: now() });
      // Its call is stored by then, but reported as a step only when it begins.
      if (event === "agent.approval") void refresh();
    };
    link.request("agent.wait", { runId, stream: true, after: 0 }, { signal, onEvent }).then(
      () => {
        followed.delete(runId);
        ended.add(runId);
        take({ type: "ended", runId });
        void refresh();
      },
      (error: unknown) => {
        // Readers without the permission learn of the end by events.
        followed.delete(runId);
        if (!(error instanceof LinkError) || error.reason !== "usage/not-found") return;
        ended.add(runId);
        take({ type: "ended", runId });
      },
    );
  }

  function told(event: GatewayEvent): void {
    if (!("sessionKey" in event.payload) || event.payload.sessionKey !== conversation.sessionKey) return;
    if ("runId" in event.payload) {
      const { runId, state } = event.payload;
      if (event.event !== "run.ended") {
        // One that goes on has not ended any more.
        ended.delete(runId);
        take({ type: "run", runId, state });
        return follow(runId);
      }
      if (followed.has(runId)) return;
    }
    void refresh();
  }

  const page = (how: () => Promise<void>): Promise<void> =>
    (paging ??= how()
      .catch(trouble)
      .finally(() => (paging = undefined)));

  function change(key: string, how: Partial<PendingMessage>): void {
    const message = pending.find((each) => each.key === key);
    if (!message) return;
    const next = { ...message, ...how };
    pending = pending.map((each) => (each === message ? next : each));
    store.keep(next);
    settlePending();
    onChange();
  }

  function drop(key: string): void {
    pending = pending.filter((each) => each.key !== key);
    store.drop(key);
    onChange();
  }

  async function dispatch(message: PendingMessage): Promise<void> {
    const { key: idempotencyKey, text, files, seq, isRetry } = message;
    const attachments = files.map(({ id, name }) => (name === "" ? { id } : { id, name }));
    const given = { ...named, ...(attachments.length > 0 && { attachments }), idempotencyKey };
    try {
      // Without the signal: a message is sent even if the person leaves the conversation or is offline.
      const taken =
        seq === undefined
          ? await link.request("chat.send", { ...given, text })
          : await link.request("chat.resend", { ...given, seq, ...(!isRetry && { text }) });
      // On return the same key gives its outcome.
      if (signal.aborted) return;
      change(idempotencyKey, {
        state: "taken",
        runId: taken.runId,
        joined: "joined" in taken && taken.joined === true,
      });
      if (!ended.has(taken.runId)) follow(taken.runId);
      if (taken.duplicate) void refresh();
    } catch (error) {
      // It stays in the browser until the next sign-in.
      if (signal.aborted || (error instanceof LinkError && error.code === "CLOSED")) return;
      change(idempotencyKey, { state: "failed", problem: wordsOf(error) });
    }
  }

  /** What has become an entry, or belongs to a run that is over, is shown as such. */
  function settlePending(): void {
    if (pending.length === 0) return;
    const { entries } = conversation;
    const isThere = ({ runId, text, files, state, joined }: PendingMessage) =>
      state === "taken" &&
      runId !== undefined &&
      ((ended.has(runId) && !joined) ||
        entries.some(
          (entry) =>
            entry.type === "message" && entry.runId === runId && isSaidIn(entry.message, { text, files }),
        ));
    const there = pending.filter(isThere);
    if (there.length === 0) return;
    for (const { key } of there) store.drop(key);
    pending = pending.filter((each) => !there.includes(each));
  }

  /**
   * What joined an answer that was stopped may never have been read. `over`: runs that had ended before the entries were asked for, so that an
   * entry of theirs is there or will never be. Under another key, since the gateway has taken the old one.
   */
  function giveBackUnread(over: ReadonlySet<string>): void {
    const isLost = ({ state, joined, runId }: PendingMessage) =>
      state === "taken" && joined === true && runId !== undefined && over.has(runId);
    for (const lost of pending.filter(isLost)) {
      const { runId, joined: _, ...rest } = lost;
      store.drop(lost.key);
      if (isSaidSince(conversation.entries, runId, lost)) {
        pending = pending.filter((each) => each !== lost);
        continue;
      }
      const kept: PendingMessage = { ...rest, key: makeKey(), state: "failed", isUnread: true };
      store.keep(kept);
      pending = pending.map((each) => (each === lost ? kept : each));
    }
    onChange();
  }

  function send(given: Omit<PendingMessage, "key" | "session" | "at" | "state">): void {
    const message: PendingMessage = { ...given, key: makeKey(), session, at: now(), state: "sending" };
    pending = [...pending, message];
    store.keep(message);
    onChange();
    void dispatch(message);
  }

  const ears = link.subscribe(["runs", "sessions"], told);
  for (const message of pending) {
    if (message.state === "sending") void dispatch(message);
    // The gateway has it, and forgets keys in time: sent again after that, it would be said twice.
    if (message.state === "taken" && message.runId !== undefined) follow(message.runId);
  }
  void refresh();

  return {
    conversation: () => conversation,
    pending: () => pending,
    isOpen: () => hasOpened,
    refresh,
    older: () =>
      page(async () => {
        const { before } = conversation;
        if (before === null) return;
        take({ type: "page", place: "older", page: await history({ before }) });
      }),
    newer: () =>
      page(async () => {
        if (conversation.isAtEnd) return;
        const last = conversation.entries.at(-1)?.seq ?? 0;
        const found = await history({ before: last + pageSize + 1 });
        const isAtEnd = (found.entries.at(-1)?.seq ?? 0) < last + pageSize;
        take({ type: "page", place: "newer", page: found, isAtEnd });
        if (isAtEnd) void refresh();
      }),
    around: (seq) =>
      page(async () => {
        if (conversation.entries.some((entry) => entry.seq === seq)) return;
        const found = await history({ before: seq + pageSize / 2 });
        take({ type: "page", place: "around", page: found });
      }),
    async latest() {
      if (conversation.isAtEnd) return;
      await page(async () => take({ type: "page", place: "around", page: await history(), isAtEnd: true }));
      await refresh();
    },
    say: (words) => send({ ...words }),
    sayInstead: (seq, words) => send({ ...words, seq }),
    retry: (seq, words) => send({ ...words, seq, isRetry: true }),
    again(key) {
      const message = pending.find((each) => each.key === key);
      if (!message) return;
      // A key that was refused may be taken as it is; nothing was stored under it.
      const { problem: _, isUnread: __, ...rest } = message;
      pending = pending.map((each) => (each === message ? { ...rest, state: "sending" } : each));
      store.keep({ ...rest, state: "sending" });
      onChange();
      void dispatch({ ...rest, state: "sending" });
    },
    discard: drop,
    async stop() {
      await link.request("chat.abort", named, { signal }).catch(trouble);
    },
    async goOn(runId) {
      try {
        const { sessionKey } = conversation;
        const taken = await link.request("agent.continue", { sessionKey, runId }, { signal });
        ended.delete(taken.runId);
        take({ type: "run", runId: taken.runId, state: "queued" });
        follow(taken.runId);
      } catch (error) {
        trouble(error);
      }
    },
    close() {
      left.abort();
      ears();
    },
  };
}

/** Whether a message is these words; where there are none, these files. */
const isSaidIn = (message: Message, words: Words): boolean =>
  message.role === "user" &&
  (words.text === ""
    ? hasFiles(message, words)
    : message.content.some((block) => block.type === "text" && block.text === words.text));

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
          : entry.message.content.some((block) => block.type === "text" && block.text.includes(words.text))),
    );
}

const hasFiles = (message: UserMessage, { files }: Words): boolean =>
  files.every(({ id }) => message.files?.some(({ media }) => media === id));

const isOver = (state: string): boolean => state === "done" || state === "failed" || state === "dead";

function wordsOf(error: unknown): string {
  const hint = error instanceof LinkError && error.hint !== undefined ? ` ${error.hint}` : "";
  return `${error instanceof Error ? error.message : String(error)}${hint}`;
}
