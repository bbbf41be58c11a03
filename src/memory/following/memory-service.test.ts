import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createIds } from "../../infra/ids.ts";
import type { EmbedderSpec } from "../embedders/embedder.ts";
import { startMemoryThread } from "../index/memory-thread.ts";
import { createWorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { removeDatabaseFiles } from "../../storage/sqlite/sqlite-files.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import { request, say } from "../../storage/testing/samples.ts";
import type { ChatPlace } from "./memory.ts";
import { createMemoryService, type OpenMemoryService } from "./memory-service.ts";

let home: string;
let workdir: string;
let clock: HandClock;
let stores: TenantStores;
let memory: OpenMemoryService;
let errors: unknown[];
let threads: number;
let config: Config;
let noSecret: boolean;
let spec: EmbedderSpec;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-room-"));
  workdir = join(home, "workspace");
  mkdirSync(join(workdir, "memory"), { recursive: true });
  clock = createHandClock();
  stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  errors = [];
  threads = 0;
  noSecret = false;
  spec = { type: "none" };
  config = structuredClone(defaultConfig);
  memory = createMemoryService({
    config: () => config,
    clock,
    stores,
    workspaceId: "w1",
    homeRoot: home,
    places: () =>
      existsSync(workdir)
        ? [{ agentId: "main", workdir, files: createWorkdirFiles({ workdir, closed: home }) }]
        : [],
    timezoneOf: () => "UTC",
    agentCount: () => 1,
    discardIndex: () => removeDatabaseFiles(join(home, "index.db")),
    async start(embedder, onExit) {
      threads++;
      return startMemoryThread({
        file: join(home, "index.db"),
        tenantId: "t_default",
        embedder,
        cacheMaxEntries: 1000,
        onExit,
      });
    },
    async chooseEmbedder() {
      if (noSecret) throw new Error("There is no secret named NOPE.");
      return { spec, provider: spec.type, why: "nothing is configured" };
    },
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await memory.close();
  rmSync(home, { recursive: true, force: true });
  if (errors.length > 0) throw errors[0];
});

const write = (path: string, text: string) => writeFileSync(join(workdir, path), text);

async function converse(sessionKey: string, text: string): Promise<SessionRecord> {
  const { session } = await stores.sessions.open(request(sessionKey));
  // Behind it so much more that it is not what is being talked about.
  await stores.entries.append(
    session.sessionId,
    [text, "well", "so", "then", "anyway"].map((words) => say(words)),
  );
  const found = await stores.sessions.get(session.sessionId);
  if (!found) throw new Error("it is gone");
  return found;
}

/** Of what is found the lines that have the word: others come along because they stand beside one. */
const find = async (word: string, chat: ChatPlace = "owner") =>
  (await memory.search({ agentId: "main", text: word, limit: 20, chat })).hits
    .filter(({ text }) => text.includes(word))
    .map(({ path, line }) => `${path}:${line}`);

/** Turns the clock until the follower has nothing to do. */
async function untilFollowed(): Promise<void> {
  // The index has a thread of its own, which takes as long as the machine lets it.
  for (const until = performance.now() + 20_000; performance.now() < until;) {
    await clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
    const { files, sessions } = (await memory.search({ agentId: "main", text: "x", limit: 1, chat: "owner" }))
      .behind;
    if (!files && sessions === 0 && (await memory.status()).state === "idle") return;
  }
  throw new Error("it never followed");
}

const peer = { chatType: "direct", sessionKey: "agent:main:telegram:dm:42" } as const;
const group = { chatType: "group", sessionKey: "agent:main:telegram:group:7" } as const;

describe("the room of memory", () => {
  it("MEM-07 finds lines of files and of conversations, with path and line, without anybody having indexed them by hand", async () => {
    write("MEMORY.md", "# About me\n\n- The boiler is called Hilda\n");
    const session = await converse("agent:main:main", "the cellar door sticks");
    expect(await find("boiler")).toEqual(["MEMORY.md:3"]);
    expect(await find("cellar")).toEqual([`agents/main/sessions/${session.sessionId}.jsonl:2`]);
  });

  it("SEC-02 finds what nobody has confirmed, with its label, until the owner confirms or drops it", async () => {
    write(
      "MEMORY.md",
      "- The boiler is called Hilda\n- [unconfirmed, from web a.org] The valve is called Igor\n",
    );
    write("memory/2026-01-01.md", "- [unconfirmed] the valve leaks\n");
    const labels = async () =>
      (await memory.search({ agentId: "main", text: "valve", limit: 9, chat: "owner" })).hits
        .filter(({ text }) => text.includes("valve"))
        .map(({ path, label }) => [path, label])
        .toSorted();
    expect(await labels()).toEqual([
      ["MEMORY.md", "web a.org"],
      ["memory/2026-01-01.md", "unknown"],
    ]);
    const waiting = await memory.unconfirmed("main");
    const [first, second] = await waiting.list();
    await waiting.confirm(first?.ref ?? "");
    await waiting.drop(second?.ref ?? "");
    expect(await labels()).toEqual([["MEMORY.md", undefined]]);
    expect(await waiting.list()).toEqual([]);
    const nobody = await memory.unconfirmed("nobody");
    expect(await nobody.list()).toEqual([]);
    await expect(nobody.drop(first?.ref ?? "")).rejects.toMatchObject({ code: "usage/not-found" });
  });

  it("MEM-11 follows what is written while a gateway runs, and says how far it is behind", async () => {
    memory.follow();
    write("memory/2026-01-01.md", "planted tulips\n");
    await clock.advance(20_000);
    await untilFollowed();
    expect(await find("tulips")).toEqual(["memory/2026-01-01.md:1"]);
    const session = await converse("agent:main:main", "the neighbour keeps alpacas");
    memory.said(session);
    const early = await memory.search({ agentId: "main", text: "alpacas", limit: 5, chat: "owner" });
    expect(early.behind.sessions).toBe(1);
    expect(early.hits).toEqual([]);
    await untilFollowed();
    expect(await find("alpacas")).toHaveLength(1);
  });

  it("MEM-04 gives others nothing but what was said in their own conversation", async () => {
    write("MEMORY.md", "the alarm code is 7391\n");
    write("memory/2026-01-01.md", "told nobody about the alarm\n");
    await converse("agent:main:main", "the alarm is behind the picture");
    const theirs = await converse(peer.sessionKey, "your alarm is loud");
    const groups = await converse(group.sessionKey, "somebody: an alarm rang");
    const path = ({ sessionId }: SessionRecord) => `agents/main/sessions/${sessionId}.jsonl:2`;
    expect(await find("alarm")).toHaveLength(5);
    expect(await find("alarm", { chatType: "main", sessionKey: "agent:main:main" })).toHaveLength(5);
    expect(await find("alarm", peer)).toEqual([path(theirs)]);
    expect(await find("alarm", group)).toEqual([path(groups)]);
    config.memory.inject.group.days = 1;
    expect((await find("alarm", group)).toSorted()).toEqual(
      [path(groups), "memory/2026-01-01.md:1"].toSorted(),
    );
  });

  it("MEM-08 reads lines of a place that may be found, and no other", async () => {
    write("MEMORY.md", "one\ntwo\r\nthree\n");
    write("secret.md", "not memory\n");
    writeFileSync(join(home, "secrets.json"), "{}");
    const mine = await converse("agent:main:main", "mine");
    const theirs = await converse(peer.sessionKey, "theirs");
    const get = (path: string, chat: ChatPlace = "owner", startLine = 1) =>
      memory.get({ agentId: "main", path, startLine, chat });
    expect(await get("MEMORY.md", "owner", 2)).toEqual({
      path: "MEMORY.md",
      startLine: 2,
      endLine: 3,
      totalLines: 3,
      lines: ["two", "three"],
    });
    const path = ({ sessionId }: SessionRecord) => `agents/main/sessions/${sessionId}.jsonl`;
    expect((await get(path(theirs), peer)).lines.join("\n")).toContain("user: theirs");
    expect(await get(path(theirs))).toMatchObject({ label: "telegram:42" });
    for (const [asked, chat] of [
      ["secret.md", "owner"],
      ["../secrets.json", "owner"],
      ["memory/../../secrets.json", "owner"],
      ["memory/none.md", "owner"],
      ["MEMORY.md", peer],
      ["MEMORY.md", group],
      [path(mine), peer],
      [path(mine).replace("main", "other"), "owner"],
      ["agents/main/sessions/none.jsonl", "owner"],
    ] as const)
      await expect(get(asked, chat)).rejects.toMatchObject({ code: "usage/not-found" });
  });

  it("does not find the very question that it is asked with, which the owner at the terminal may", async () => {
    const chat = { chatType: "main", sessionKey: "agent:main:main" } as const;
    const session = await converse(chat.sessionKey, "the ladder is in the shed");
    await stores.entries.append(session.sessionId, [say("where is the ladder?")]);
    expect(await find("ladder", chat)).toEqual([`agents/main/sessions/${session.sessionId}.jsonl:2`]);
    expect(await find("ladder")).toHaveLength(2);
  });

  it("searches by words where an embedder cannot be used, says why, and takes it up when it can be", async () => {
    write("MEMORY.md", "the kettle is blue\n");
    noSecret = true;
    const found = await memory.search({ agentId: "main", text: "kettle", limit: 5, chat: "owner" });
    expect(found.hits).toHaveLength(1);
    expect(found.degraded).toContain("NOPE");
    expect((await memory.status()).embedderChoice.why).toContain("NOPE");
    noSecret = false;
    expect((await memory.status()).embedderChoice.why).toBe("nothing is configured");
  });

  it("finds words while an embedder keeps everybody waiting, and sends it nothing more once another is named", async () => {
    const asked: unknown[] = [];
    const server = createServer((request) => void asked.push(request.url));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    spec = { type: "compatible", baseUrl: `http://127.0.0.1:${port}`, model: "slow" };
    try {
      write("MEMORY.md", "the harp is upstairs\n");
      memory.follow();
      // The index is opened and the files are read meanwhile, which takes as long as the machine lets it.
      while (asked.length === 0) {
        await clock.advance(500);
        await new Promise((resolve) => setImmediate(resolve));
      }
      write("memory/2026-01-01.md", "the harp was tuned\n");
      spec = { type: "none" };
      config.agents.defaults.memorySearch.provider = "none";
      memory.refresh();
      await untilFollowed();
      expect((await find("harp")).toSorted()).toEqual(["MEMORY.md:1", "memory/2026-01-01.md:1"]);
      expect((await memory.status()).embedder).toBeNull();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("takes a workdir up that is made later, and lets go of one that is gone", async () => {
    rmSync(workdir, { recursive: true });
    memory.follow();
    await clock.advance(20_000);
    await untilFollowed();
    mkdirSync(join(workdir, "memory"), { recursive: true });
    write("MEMORY.md", "the trumpet is in the attic\n");
    memory.said(await converse("agent:main:main", "hello"));
    await untilFollowed();
    expect(await find("trumpet")).toEqual(["MEMORY.md:1"]);
    expect((await memory.status()).watching).toBe(true);
    rmSync(workdir, { recursive: true });
    await memory.sync({});
    expect(await find("trumpet")).toEqual([]);
  });

  it("says from the beginning that files have not been looked at", async () => {
    memory.follow();
    const { behind } = await memory.search({ agentId: "main", text: "x", limit: 1, chat: "owner" });
    expect(behind.files).toBe(true);
  });

  it("finds no more for a group than the config opens to it: the memory file itself, and notes of those days", async () => {
    write("MEMORY.md", "umbrella in the hall\n");
    write("memory/health.md", "umbrella and my illness\n");
    write("memory/2026-01-01.md", "umbrella bought\n");
    write("memory/2025-06-01.md", "umbrella lost\n");
    config.memory.inject.group = { memoryFile: true, days: 2 };
    expect((await find("umbrella", group)).toSorted()).toEqual(["MEMORY.md:1", "memory/2026-01-01.md:1"]);
    for (const path of ["memory/health.md", "memory/2025-06-01.md"])
      await expect(memory.get({ agentId: "main", path, chat: group })).rejects.toMatchObject({
        code: "usage/not-found",
      });
    expect((await memory.get({ agentId: "main", path: "MEMORY.md", chat: group })).totalLines).toBe(1);
  });

  it("makes one agent's part anew without touching the others'", async () => {
    write("MEMORY.md", "mine\n");
    await memory.sync({});
    await memory.sync({ rebuild: true, agentId: "other" });
    expect(await memory.status()).toMatchObject({ lines: 1 });
  });

  it("takes out what an agent's sources no longer name", async () => {
    write("MEMORY.md", "penguin\n");
    await converse("agent:main:main", "walrus");
    await memory.sync({});
    config.agents.list = [
      { id: "main", memorySearch: { sources: [] } },
    ] as unknown as Config["agents"]["list"];
    await memory.sync({});
    expect(await memory.status()).toMatchObject({ lines: 0, sources: 0 });
  });

  it("deletes the words of a session also where the index is broken: the index is thrown away", async () => {
    const session = await converse("agent:main:main", "the combination is 24-7-9");
    await memory.sync({});
    await clock.advance(20_000);
    rmSync(join(home, "index.db"));
    mkdirSync(join(home, "index.db"));
    await memory.forget(session.sessionId).catch(() => undefined);
    expect(errors.splice(0)).not.toEqual([]);
  });

  it("forgets a session at once when it is deleted", async () => {
    const session = await converse("agent:main:main", "the password was swordfish");
    expect(await find("swordfish")).toHaveLength(1);
    await stores.sessions.delete(session.sessionId, "owner");
    await memory.forget(session.sessionId);
    expect(await find("swordfish")).toEqual([]);
  });

  it("CLI-24 tells what it has, and makes it anew when asked", async () => {
    write("MEMORY.md", "one line\nanother line\n");
    await converse("agent:main:main", "said once");
    const seen: number[] = [];
    const first = await memory.sync({ onProgress: ({ done }) => seen.push(done) });
    expect(first).toMatchObject({ files: 1, changed: 1, messages: 5, embedded: 0, left: 0, skipped: [] });
    expect(await memory.sync({})).toMatchObject({ files: 1, changed: 0, messages: 0 });
    expect(await memory.sync({ rebuild: true })).toMatchObject({ files: 1, changed: 1, messages: 5 });
    expect(await memory.status()).toMatchObject({
      state: "idle",
      files: 1,
      lines: 7,
      sources: 2,
      embedder: null,
      embedderChoice: { provider: "none", why: "nothing is configured" },
      watching: false,
    });
    expect(seen.length).toBeGreaterThan(0);
  });

  it("lets the thread go when nobody needs it, and starts it again", async () => {
    write("MEMORY.md", "saxophone\n");
    await find("saxophone");
    await clock.advance(20_000);
    expect(await find("saxophone")).toEqual(["MEMORY.md:1"]);
    expect(threads).toBe(2);
  });

  it("indexes no sessions where the config leaves them out", async () => {
    config.agents.defaults.memorySearch.sources = ["memory"];
    await converse("agent:main:main", "private words");
    await memory.sync({});
    expect(await memory.status()).toMatchObject({ lines: 0 });
  });
});
