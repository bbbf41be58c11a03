import type { Entry, GatewayEvent, RunView } from "@pincer/sdk";
import { LinkError } from "@pincer/sdk/client";
import { expect, it } from "vitest";
import { createPendingStore } from "./pending.ts";
import { openTalk, type TalkParts } from "./talk.ts";

const time = "2026-01-01T12:00:00.000Z";
const user = (seq: number, text: string, runId: string): Entry => ({
  type: "message",
  seq,
  time,
  runId,
  message: { role: "user", content: [{ type: "text", text, origin: "owner", from: "owner" }] },
});

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** A gateway that answers when it is told to, and the talk with it. */
function stage(storage = memory()) {
  const asked: Array<{ method: string; params: Record<string, unknown> }> = [];
  const waiting = new Map<string, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const following = new Map<string, (event: string, payload: unknown) => void>();
  const signals = new Map<string, AbortSignal>();
  let entries: Entry[] = [];
  let runs: RunView[] = [];
  let isEnded = false;
  let tell: (event: GatewayEvent) => void = () => {};
  const troubles: unknown[] = [];
  const commands: Array<{ line: string; output: string }> = [];
  const link = {
    async request(
      method: string,
      params: Record<string, unknown>,
      options?: { onEvent?: (event: string, payload: unknown) => void; signal?: AbortSignal },
    ) {
      asked.push({ method, params });
      if (method === "chat.history")
        return { sessionKey: "agent:main:main", sessionId: "s1", isEnded, entries, before: null };
      if (method === "runs.list") return { runs };
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const name = `${method} ${String(params["runId"] ?? params["idempotencyKey"] ?? "")}`;
      waiting.set(name, { resolve, reject });
      if (options?.signal) signals.set(name, options.signal);
      if (options?.onEvent) following.set(String(params["runId"]), options.onEvent);
      return promise;
    },
    subscribe(_topics: unknown, listener: (event: GatewayEvent) => void) {
      tell = listener;
      return () => {};
    },
  };
  let keys = 0;
  const open = () =>
    openTalk({
      link: link as unknown as TalkParts["link"],
      session: "",
      store: createPendingStore(storage, "owner"),
      makeKey: () => `key${++keys}`,
      now: () => time,
      onChange: () => {},
      onTrouble: (error) => troubles.push(error),
      language: () => "en",
      onCommand: (line, output) => commands.push({ line, output }),
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    open,
    asked,
    troubles,
    signals,
    settle,
    tell: (event: GatewayEvent) => tell(event),
    follow: (runId: string, event: string, payload: object) => following.get(runId)?.(event, payload),
    answer(what: string, value: unknown) {
      waiting.get(what)?.resolve(value);
      return settle();
    },
    refuse(what: string, error: unknown) {
      waiting.get(what)?.reject(error);
      return settle();
    },
    store(...more: Entry[]) {
      entries = [...entries, ...more];
    },
    end() {
      isEnded = true;
    },
    running(...more: RunView[]) {
      runs = more;
    },
    sent: () =>
      asked.filter(({ method }) => method === "chat.send").map(({ params }) => params["idempotencyKey"]),
  };
}

it("UI-01 sends again under the same key what was not answered before a reload, and shows it until it is an entry", async () => {
  const storage = memory();
  const first = stage(storage);
  const before = first.open();
  await first.settle();
  before.say({ text: "hello", files: [] });
  before.close();
  const { open, sent, answer, follow, settle } = stage(storage);
  const talk = open();
  await settle();
  expect(sent()).toEqual(["key1"]);
  expect(talk.pending()).toMatchObject([{ text: "hello", state: "sending" }]);
  await answer("chat.send key1", { runId: "r1", joined: false, duplicate: true });
  expect(talk.pending()).toMatchObject([{ state: "taken", runId: "r1" }]);
  follow("r1", "agent.step", { seq: 2, entry: user(2, "hello", "r1") });
  expect(talk.pending()).toEqual([]);
  expect(createPendingStore(storage, "owner").of("")).toEqual([]);
});

it("UI-01 keeps what was refused, with the reason, until somebody decides", async () => {
  const { open, refuse, settle, sent, answer } = stage();
  const talk = open();
  await settle();
  talk.say({ text: "hello", files: [{ id: "sha256:1", name: "a.txt", type: "text/plain" }] });
  await refuse(
    "chat.send key1",
    new LinkError({ code: "SESSION_BUSY", message: "Too much waits.", hint: "Later." }),
  );
  expect(talk.pending()).toMatchObject([{ state: "failed", problem: "Too much waits. Later." }]);
  talk.again("key1");
  expect(sent()).toEqual(["key1", "key1"]);
  await answer("chat.send key1", { runId: "r1", joined: true, duplicate: false });
  expect(talk.pending()).toMatchObject([{ state: "taken", joined: true }]);
  talk.discard("key1");
  expect(talk.pending()).toEqual([]);
});

it("UI-01 gives back what joined an answer that was stopped before it was read, to be sent as a message of its own", async () => {
  const storage = memory();
  const { open, answer, settle, sent, store } = stage(storage);
  const talk = open();
  await settle();
  store(user(1, "speak", "r1"));
  talk.say({ text: "shorter", files: [] });
  await answer("chat.send key1", { runId: "r1", joined: true, duplicate: false });
  await answer("agent.wait r1", {});
  await settle();
  expect(talk.pending()).toMatchObject([{ key: "key2", text: "shorter", state: "failed", isUnread: true }]);
  expect(createPendingStore(storage, "owner").of("")).toMatchObject([{ key: "key2" }]);
  talk.again("key2");
  expect(sent()).toEqual(["key1", "key2"]);
  expect(talk.pending()[0]?.isUnread).toBeUndefined();
});

it("UI-01 knows what was sent without words by its files, whether it was read or not", async () => {
  const file = { id: "sha256:1", name: "a.pdf", type: "application/pdf" };
  const list = { type: "text" as const, text: "[file: a.pdf]", origin: "quoted" as const };
  const files = [{ media: "sha256:1", mimeType: "application/pdf", name: "a.pdf" }];
  const sent: Entry = {
    ...user(2, "", "r1"),
    type: "message",
    runId: "r1",
    message: { role: "user", content: [list], files },
  };
  const read = stage();
  const talk = read.open();
  await read.settle();
  talk.say({ text: "", files: [file] });
  await read.answer("chat.send key1", { runId: "r1", joined: true, duplicate: false });
  read.follow("r1", "agent.step", { seq: 1, entry: user(1, "speak", "r1") });
  expect(talk.pending()).toHaveLength(1);
  read.follow("r1", "agent.step", { seq: 2, entry: sent });
  expect(talk.pending()).toEqual([]);
  const lost = stage();
  const other = lost.open();
  await lost.settle();
  lost.store(user(1, "speak", "r1"));
  other.say({ text: "", files: [file] });
  await lost.answer("chat.send key1", { runId: "r1", joined: true, duplicate: false });
  await lost.answer("agent.wait r1", {});
  await lost.settle();
  expect(other.pending()).toMatchObject([{ text: "", files: [file], isUnread: true }]);
});

it("UI-01 gives nothing back that a later run has read", async () => {
  const { open, answer, settle, store } = stage();
  const talk = open();
  await settle();
  store(user(1, "speak", "r1"), user(2, "shorter", "r2"));
  talk.say({ text: "shorter", files: [] });
  await answer("chat.send key1", { runId: "r1", joined: true, duplicate: false });
  await answer("agent.wait r1", {});
  await settle();
  expect(talk.pending()).toEqual([]);
});

it("UI-01 sends what waits for a connection although the conversation was left, and leaves the unsent messages to the next visit", async () => {
  const storage = memory();
  const { open, answer, settle, signals } = stage(storage);
  const talk = open();
  await settle();
  talk.say({ text: "hello", files: [] });
  talk.close();
  expect(signals.get("chat.send key1")?.aborted).not.toBe(true);
  createPendingStore(storage, "owner").drop("key1");
  await answer("chat.send key1", { runId: "r1", joined: false, duplicate: false });
  expect(createPendingStore(storage, "owner").of("")).toEqual([]);
});

it("UI-01 follows what the gateway has taken instead of sending it again, and forgets it with its run", async () => {
  const storage = memory();
  const first = stage(storage);
  const before = first.open();
  await first.settle();
  before.say({ text: "hello", files: [] });
  await first.answer("chat.send key1", { runId: "r1", joined: false, duplicate: false });
  before.close();
  const { open, sent, refuse, settle } = stage(storage);
  const talk = open();
  await settle();
  expect(sent()).toEqual([]);
  expect(talk.pending()).toMatchObject([{ state: "taken", runId: "r1" }]);
  await refuse(
    "agent.wait r1",
    new LinkError({ code: "INVALID_REQUEST", message: "No such run.", reason: "usage/not-found" }),
  );
  expect(talk.pending()).toEqual([]);
  expect(createPendingStore(storage, "owner").of("")).toEqual([]);
});

it("keeps what was written for the same person who signs in again", async () => {
  const storage = memory();
  const { open, refuse, settle } = stage(storage);
  const talk = open();
  await settle();
  talk.say({ text: "hello", files: [] });
  await refuse("chat.send key1", new LinkError({ code: "CLOSED", message: "closed" }));
  expect(createPendingStore(storage, "owner").of("")).toMatchObject([{ state: "sending" }]);
});

it("UI-01 follows a run that was begun elsewhere, once, and reads what is stored when it has ended", async () => {
  const { open, settle, tell, asked, answer, store, follow } = stage();
  const talk = open();
  await settle();
  const news = { runId: "r9", agentId: "main", sessionKey: "agent:main:main", state: "queued" };
  tell({ event: "run.queued", payload: news });
  tell({ event: "run.started", payload: { ...news, state: "running" } });
  tell({ event: "run.started", payload: { ...news, runId: "r10", sessionKey: "agent:main:other" } });
  const waits = asked.filter(({ method }) => method === "agent.wait");
  expect(waits.map(({ params }) => params)).toEqual([{ runId: "r9", stream: true, after: 0 }]);
  follow("r9", "agent.delta", { delta: "Hel" });
  expect(talk.conversation().runs).toMatchObject([{ runId: "r9", said: [{ text: "Hel" }] }]);
  store(user(2, "from elsewhere", "r9"));
  await answer("agent.wait r9", {});
  await settle();
  expect(talk.conversation()).toMatchObject({ runs: [], entries: [{ seq: 2 }] });
});

it("UI-01 goes on with a session that has ended before it says anything there", async () => {
  const { open, settle, end, answer, refuse, asked, sent } = stage();
  end();
  const talk = open();
  await settle();
  talk.say({ text: "hello", files: [] });
  await settle();
  expect(asked.at(-1)).toMatchObject({ method: "sessions.resume" });
  expect(sent()).toEqual([]);
  await refuse("sessions.resume ", new LinkError({ code: "SESSION_BUSY", message: "Later." }));
  expect(talk.pending()).toMatchObject([{ state: "failed", problem: "Later." }]);
  talk.again("key1");
  await answer("sessions.resume ", {});
  expect(sent()).toEqual(["key1"]);
});

it("SEC-02 says what of a message was pasted, also when it is sent again, and knows it as an entry in parts", async () => {
  const storage = memory();
  const first = stage(storage);
  const before = first.open();
  await first.settle();
  const pasted = [{ start: 3, end: 6 }];
  before.say({ text: "to a@b", pasted, files: [] });
  before.close();
  const { open, asked, answer, settle, store } = stage(storage);
  const talk = open();
  await settle();
  expect(asked.findLast(({ method }) => method === "chat.send")?.params).toMatchObject({
    text: "to a@b",
    typed: true,
    pasted,
  });
  await answer("chat.send key1", { runId: "r1", joined: false, duplicate: false });
  const said = user(2, "to ", "r1");
  if (said.type === "message" && said.message.role === "user")
    said.message.content.push({
      type: "text",
      text: "a@b",
      origin: "quoted",
      from: "pasted",
      pasted: "certain",
    });
  store(said);
  await talk.refresh();
  expect(talk.pending()).toEqual([]);
});

it("UI-01 goes back and says other words, or the same ones again", async () => {
  const { open, settle, asked } = stage();
  const talk = open();
  await settle();
  const pasted = [{ start: 0, end: 2 }];
  talk.sayInstead(4, { text: "other", pasted, files: [] });
  talk.retry(4, { text: "same", files: [] });
  const params = asked.filter(({ method }) => method === "chat.resend").map((each) => each.params);
  expect(params).toEqual([
    { seq: 4, text: "other", typed: true, pasted, idempotencyKey: "key1" },
    { seq: 4, idempotencyKey: "key2" },
  ]);
});
