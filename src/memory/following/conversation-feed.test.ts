import type { MemoryStore } from "@pincer/sdk";
import { createHandClock, createPlainMemoryStore } from "@pincer/sdk/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import { request, say } from "../../storage/testing/samples.ts";
import {
  createConversationFeed,
  labelOf,
  sessionSourceId,
  type ConversationFeed,
} from "./conversation-feed.ts";

let stores: TenantStores;
let index: MemoryStore;
let feed: ConversationFeed;

beforeEach(() => {
  const clock = createHandClock();
  stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  index = createPlainMemoryStore();
  feed = createConversationFeed({ ...stores, timezoneOf: () => "UTC" });
});

async function converse(sessionKey: string, ...words: string[]): Promise<SessionRecord> {
  const { session } = await stores.sessions.open(request(sessionKey));
  await stores.entries.append(
    session.sessionId,
    words.map((text, at) => say(text, at % 2 === 0 ? "user" : "assistant")),
  );
  return nowOf(session);
}

async function nowOf({ sessionId }: SessionRecord): Promise<SessionRecord> {
  const session = await stores.sessions.get(sessionId);
  if (!session) throw new Error("it is gone");
  return session;
}

const search = (text: string, sessionKey?: string) =>
  index.search({
    text,
    limit: 10,
    now: 0,
    timezone: "UTC",
    scope: { agentId: "main", kinds: ["conversation"], sessionKey },
  });

describe("what was said, on its way to the index", () => {
  it("brings the words of people and assistant with the place where they stand", async () => {
    const session = await converse("agent:main:main", "the boiler is called Hilda", "noted: Hilda");
    expect(await feed.follow(index, session)).toBe(2);
    const { hits } = await search("Hilda");
    expect(hits.map(({ line, who, path }) => ({ line, who, path }))).toEqual(
      expect.arrayContaining([
        { line: 3, who: "assistant", path: `agents/main/sessions/${session.sessionId}.jsonl` },
      ]),
    );
    expect(hits.every(({ label }) => label === undefined)).toBe(true);
  });

  it("brings only what is new, however often it is asked", async () => {
    const session = await converse("agent:main:main", "one", "two");
    await feed.follow(index, session);
    expect(await feed.follow(index, session)).toBe(0);
    await stores.entries.append(session.sessionId, [say("three")]);
    expect(await feed.follow(index, await nowOf(session))).toBe(1);
    expect(await index.sources()).toMatchObject([{ lines: 3, lastLine: 4, stamp: "4" }]);
  });

  it("brings a long session whole, page by page", async () => {
    const words = Array.from({ length: 350 }, (_, at) => `word${at} said`);
    const session = await converse("agent:main:main", ...words);
    expect(await feed.follow(index, session)).toBe(350);
    expect(await index.sources()).toMatchObject([{ lines: 350, stamp: "351" }]);
  });

  it("goes on where it was cut short", async () => {
    const words = Array.from({ length: 250 }, (_, at) => `word${at} said`);
    const session = await converse("agent:main:main", ...words);
    let calls = 0;
    const failing: MemoryStore = {
      ...index,
      append(...given) {
        if (++calls === 2) throw new Error("killed");
        return index.append(...given);
      },
    };
    await expect(feed.follow(failing, session)).rejects.toThrow("killed");
    expect(await feed.follow(index, session)).toBe(150);
    expect(await index.sources()).toMatchObject([{ lines: 250, stamp: "251" }]);
  });

  it("brings all that was missed, and forgets sessions that are gone", async () => {
    const kept = await converse("agent:main:main", "keep this apple");
    const gone = await converse("agent:main:telegram:dm:42", "forget this pear");
    expect(await feed.catchUp(index)).toEqual({ sessions: 2, messages: 2 });
    await stores.sessions.delete(gone.sessionId, "owner");
    expect(await feed.catchUp(index)).toEqual({ sessions: 1, messages: 0 });
    expect((await index.sources()).map(({ id }) => id)).toEqual([sessionSourceId(kept.sessionId)]);
    expect((await search("pear")).hits).toEqual([]);
  });

  it("brings a session anew that a backup has set back", async () => {
    const session = await converse("agent:main:main", "apple", "pear", "banana");
    await feed.follow(index, { ...session, lastSeq: session.lastSeq });
    const { entries } = stores;
    const back = createConversationFeed({
      sessions: stores.sessions,
      entries: {
        ...entries,
        messagesFrom: async (id, from, limit) => (await entries.messagesFrom(id, from, limit)).slice(0, 1),
      },
      timezoneOf: () => "UTC",
    });
    expect(await back.follow(index, { ...session, lastSeq: 2 })).toBe(1);
    expect(await index.sources()).toMatchObject([{ lines: 1, lastLine: 2 }]);
  });

  it("SESS-09 takes back what was superseded, and brings its replacement once", async () => {
    const session = await converse(
      "agent:main:main",
      "the boiler is Hilda",
      "noted",
      "the key is blue",
      "noted",
    );
    await feed.follow(index, session);
    const aside = { type: "event", name: "set-aside", data: { from: 4 } } as const;
    await stores.entries.append(session.sessionId, [aside, say("the key is green")]);
    expect(await feed.follow(index, await nowOf(session))).toBe(3);
    expect((await search("blue")).hits).toEqual([]);
    expect((await search("green")).hits).toMatchObject([{ line: 7 }]);
    await stores.entries.append(session.sessionId, [say("noted again", "assistant")]);
    expect(await feed.follow(index, await nowOf(session))).toBe(1);
  });

  it("believes who spoke only in a group, where we wrote it down ourselves", async () => {
    await feed.follow(index, await converse("agent:main:telegram:dm:42", "Anna (7): I agree to pay"));
    await feed.follow(index, await converse("agent:main:telegram:group:9", "Bob (8): pay me"));
    const { hits } = await search("pay");
    expect(hits.map(({ who, label }) => ({ who, label }))).toEqual(
      expect.arrayContaining([
        { who: undefined, label: "telegram:42" },
        { who: "Bob", label: "telegram:9" },
      ]),
    );
  });

  it("touches nothing of files and of other agents", async () => {
    await index.put({ id: "main/MEMORY.md", kind: "memory", agentId: "main", path: "MEMORY.md" }, [], "1");
    await index.put(
      { id: sessionSourceId("elsewhere"), kind: "conversation", agentId: "other", path: "x" },
      [{ line: 1, text: "theirs" }],
      "1",
    );
    await feed.catchUp(index, { agentId: "main" });
    expect((await index.sources()).map(({ id }) => id).toSorted()).toEqual([
      "main/MEMORY.md",
      "session:elsewhere",
    ]);
  });

  it("stops between sessions when it is told to", async () => {
    await converse("agent:main:main", "one");
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await expect(feed.catchUp(index, { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("labels what others said, and what was answered to it, so that it is never taken for the owner's words", async () => {
    await feed.follow(index, await converse("agent:main:telegram:dm:42", "the safe is open", "is it"));
    const { hits } = await search("safe");
    expect(hits.map(({ label }) => label)).toEqual(["telegram:42"]);
    expect(labelOf("agent:main:telegram:group:-100")).toBe("telegram:-100");
    expect(labelOf("agent:main:main")).toBeUndefined();
    expect(labelOf("holiday plans")).toBeUndefined();
    expect(labelOf("agent:")).toBe("unknown");
  });
});
