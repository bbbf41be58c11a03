/**
 * One conversation over the link: its history in pages, its runs followed live wherever they began, and its messages
 * sent once, however often the connection breaks. Independent of the page that shows it.
 */
import type { GatewayEvent } from "@pincer/sdk";
import { LinkError, type GatewayLink } from "@pincer/sdk/client";
import type { Language } from "../../texts/texts.ts";
import { emptyConversation, hear, type Conversation, type News } from "./conversation.ts";
import { createPendingList, type NewMessage, type PendingParts, type Words } from "./pending-list.ts";
import type { PendingMessage } from "./pending.ts";

export interface TalkParts extends PendingParts {
  link: Pick<GatewayLink, "request" | "subscribe">;
  /** Something has to be rendered again. */
  onChange(): void;
  /** Something was refused. */
  onTrouble(error: unknown): void;
  /** The language in which commands answer. */
  language(): Language;
  /** What was said was a command, and this is its answer. */
  onCommand(line: string, output: string): void;
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
  const { link, session, now, onChange, onTrouble } = parts;
  const named = session === "" ? {} : { sessionKey: session };
  const left = new AbortController();
  const { signal } = left;
  let conversation = emptyConversation;
  const pending = createPendingList(parts);
  let hasOpened = false;
  const followed = new Set<string>();
  const ended = new Set<string>();
  let paging: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  let isStale = false;

  function take(news: News): void {
    conversation = hear(conversation, news);
    pending.settle(conversation, ended);
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
    if (conversation.isAtEnd && conversation.runs.length === 0) {
      pending.giveBackUnread(conversation, over);
      onChange();
    }
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
    if (!pending.change(key, how)) return;
    pending.settle(conversation, ended);
    onChange();
  }

  async function dispatch(message: PendingMessage): Promise<void> {
    const { key: idempotencyKey, text, pasted, files, seq, isRetry, resumes } = message;
    const words = { text, typed: true, ...(pasted && { pasted: [...pasted] }) };
    const attachments = files.map(({ id, name }) => (name === "" ? { id } : { id, name }));
    const given = { ...named, ...(attachments.length > 0 && { attachments }), idempotencyKey };
    try {
      if (resumes) await resume(idempotencyKey);
      // Without the signal: a message is sent even if the person leaves the conversation or is offline.
      const taken =
        seq === undefined
          ? await link.request("chat.send", { ...given, ...words, language: parts.language() })
          : await link.request("chat.resend", { ...given, seq, ...(!isRetry && words) });
      // On return the same key gives its outcome.
      if (signal.aborted) return;
      const command = "command" in taken ? (taken.command as { output: string } | undefined) : undefined;
      if (command) {
        pending.drop(idempotencyKey);
        onChange();
        return parts.onCommand(text, command.output);
      }
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

  /** Said in a session that has ended, a message goes on with that one. */
  async function resume(key: string): Promise<void> {
    await link.request("sessions.resume", { sessionKey: session });
    pending.change(key, { resumes: false });
    void refresh();
  }

  function send(given: NewMessage): void {
    const message = pending.add(conversation.isEnded ? { ...given, resumes: true } : given);
    onChange();
    void dispatch(message);
  }

  const ears = link.subscribe(["runs", "sessions"], told);
  for (const message of pending.all()) {
    if (message.state === "sending") void dispatch(message);
    // The gateway has it, and forgets keys in time: sent again after that, it would be said twice.
    if (message.state === "taken" && message.runId !== undefined) follow(message.runId);
  }
  void refresh();

  return {
    conversation: () => conversation,
    pending: () => pending.all(),
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
      const message = pending.again(key, { resumes: conversation.isEnded });
      if (!message) return;
      onChange();
      void dispatch(message);
    },
    discard(key) {
      pending.drop(key);
      onChange();
    },
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

const isOver = (state: string): boolean => state === "done" || state === "failed" || state === "dead";

function wordsOf(error: unknown): string {
  const hint = error instanceof LinkError && error.hint !== undefined ? ` ${error.hint}` : "";
  return `${error instanceof Error ? error.message : String(error)}${hint}`;
}
