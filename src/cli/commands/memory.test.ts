import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createPlainMemoryService, type PlainMemory } from "../../gateway/methods/testing/plain-memory.ts";
import { startGatewayInHome } from "../../app/testing/gateway-in-home.ts";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { displayWidth } from "../table.ts";
import * as memory from "./memory.ts";

async function homeWith(remembered: PlainMemory = {}) {
  const home = await createCommandHome();
  const room = createPlainMemoryService(remembered);
  const gateway = await startGatewayInHome(home.environment, "0.0.0-test", undefined, room);
  onTestFinished(() => gateway.stop());
  const run = (...args: string[]) => home.run(memory, "memory", ...args);
  return { home, room, run };
}

const lines = [
  { text: "Ada likes tea", who: "Ada", time: "2026-11-15T13:45:00+08:00" },
  {
    kind: "conversation" as const,
    path: "agents/main/sessions/01J.jsonl",
    line: 44,
    text: "tea for\u001b[2J\nme",
    label: "telegram:42",
    time: "2026-11-14",
  },
];

it("CLI-24 prints place, time, who and words of what it finds", async () => {
  const { run, room } = await homeWith({ lines });
  const found = await run("search", "tea", "please", "--limit", "2");
  expect(found).toMatchObject({ status: 0, err: "" });
  expect(
    found.out
      .trimEnd()
      .split("\n")
      .map((row) => row.split(/ {2,}/)),
  ).toEqual([
    ["memory/2026-11-15.md:1", "2026-11-15 13:45", "Ada", "Ada likes tea"],
    ["agents/main/sessions/01J.jsonl:44", "2026-11-14", "-", "[untrusted: telegram:42] tea for [2J"],
  ]);
  expect(room.asked).toMatchObject([{ text: "tea please", limit: 2, agentId: "main", chat: "owner" }]);
  expect((await run("search", "tea", "--json")).json()).toMatchObject({ hits: [{ line: 1 }, { line: 44 }] });
});

it("CLI-24 says nothing about meaning where there is no embedder", async () => {
  const { run } = await homeWith({
    lines: [
      { text: "We fly to Lisbon", line: 1 },
      { text: "Porto is in Portugal", line: 2 },
    ],
    findsAlike: true,
  });
  const found = await run("search", "Lisbon");
  expect(found.out).toContain("We fly to Lisbon");
  expect(found.err).toBe("");
});

it("CLI-24 prints the lines that match, not all that a message says, and leaves out what is only alike", async () => {
  const { run } = await homeWith({
    lines: [
      { text: `Hello.\nWe fly to Lisbon tea in hand.\nBye.`, line: 1 },
      { text: "Porto is in Portugal, no drink", line: 2 },
    ],
    findsAlike: true,
    status: { embedder: "openai:text-embedding-3-small" },
  });
  const found = await run("search", "Lisbon");
  expect(found.out).toMatch(/We fly to Lisbon tea in hand\.\n$/);
  expect(found.out).not.toMatch(/Hello|Bye|Porto/);
  expect(found.err).toContain("1 more are only alike in meaning");
  expect((await run("search", "Berlin")).out).toContain("Porto");
});

it("fits words to the terminal, wide characters counted twice", async () => {
  const { home } = await homeWith({ lines: [{ text: "茶".repeat(100), who: "小明" }] });
  const terminal = { ...createFakeTerminal({ outIsTerminal: true }), width: () => 80 };
  const { out } = await home.runAt(terminal, memory, "memory", "search", "茶");
  expect(out).toMatch(/茶…\n$/);
  expect(displayWidth(out.trimEnd())).toBeGreaterThan(77);
  expect(displayWidth(out.trimEnd())).toBeLessThanOrEqual(80);
});

it("says what it did not find, and how far the index is behind, apart from what it found", async () => {
  const behind = { files: true, sessions: 3 };
  const { run } = await homeWith({
    lines,
    status: { behind, linesWithoutVector: 9 },
    degraded: "no network",
  });
  const none = await run("search", "coffee");
  expect(none).toMatchObject({ status: 0, out: "" });
  expect(none.err.split("\n")).toEqual([
    "No results for: coffee",
    "Searched only by words, not by meaning: no network",
    "Not indexed yet: changed files, new messages in sessions: 3, vectors of lines: 9. Run `pincer memory index` to update the index.",
    "",
  ]);
  const empty = await homeWith({ status: { writtenAt: null } });
  expect((await empty.run("search", "tea")).err).toContain("Nothing is indexed yet");
});

it("CLI-24 shows what is indexed, whose vectors are used and why, and what to do about a problem", async () => {
  const { run } = await homeWith({
    lines,
    status: {
      lines: 12_345,
      embedder: "openai:text-embedding-3-small",
      embedderChoice: { provider: "openai", why: "a key is known" },
      state: "indexing",
      progress: { done: 1, total: 4 },
      problem: "the key was refused",
    },
  });
  const shown = await run("status");
  const rows = Object.fromEntries(
    shown.out
      .trimEnd()
      .split("\n")
      .map((row) => row.split(/ {2,}/)),
  );
  expect(rows).toMatchObject({
    state: "indexing, 25% done; watching the files",
    lines: "12,345 (memory files 0, notes 2, conversations 0)",
    embedder: "openai:text-embedding-3-small",
    "files checked": "2026-11-15 12:30Z",
    behind: "nothing known",
    size: "4.00 KB",
  });
  expect(shown.out).toMatch(/\n\na key is known\n$/);
  expect(shown.err).toContain(
    "search uses only words: the key was refused\nWhen that is fixed, `pincer memory index`",
  );
  expect((await run("status", "--json")).json()).toMatchObject({
    lines: 12_345,
    problem: "the key was refused",
  });
});

it("brings the index up to date, and names what was left out", async () => {
  const { run, room } = await homeWith({
    outcome: {
      files: 3,
      embedded: 5,
      left: 2,
      problem: "no network",
      skipped: [{ path: "memory/big.md", reason: "too large" }],
    },
  });
  const done = await run("index", "--rebuild", "--no-embed");
  expect(done).toMatchObject({ status: 0, out: "" });
  expect(done.err.split("\n")).toEqual([
    "Skipped: memory/big.md: too large",
    "The index is up to date. Files: 3, changed: 1; new messages: 0; vectors computed: 5; seconds: 0.3.",
    "Vectors could not be computed: no network",
    "Missing vectors: 2. Search finds those lines by their words.",
    "",
  ]);
  await run("index", "--agent", "main", "--json");
  expect(room.synced).toMatchObject([{ rebuild: true, embed: false }, { agentId: "main" }]);
  expect(room.synced[1]?.embed).toBeUndefined();
});

it("shows how far it is on a terminal only, and takes that away again", async () => {
  const looked = Promise.withResolvers<void>();
  const { home } = await homeWith({
    status: { progress: { done: 3, total: 4 } },
    until: () => looked.promise,
  });
  const terminal = createFakeTerminal({ errIsTerminal: true });
  const { err } = terminal;
  terminal.err = (text) => {
    err(text);
    if (text.includes("75%")) looked.resolve();
  };
  const ran = await home.runAt(terminal, memory, "memory", "index");
  expect(ran.err.startsWith("\r\u001b[Kindexing 75%\r\u001b[KThe index is up to date")).toBe(true);
});

it("stops when it is told to, and says that what was done stays", async () => {
  const begun = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const { home } = await homeWith({
    until: (signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          stopped.resolve();
          reject(signal.reason as Error);
        });
        begun.resolve();
      }),
  });
  const interrupt = new AbortController();
  const running = runCommand(memory, ["memory", "index"], {
    environment: home.environment,
    cwd: home.root,
    signal: interrupt.signal,
  });
  await begun.promise;
  interrupt.abort(new Error("interrupted"));
  expect(await running).toMatchObject({
    status: 130,
    err: expect.stringContaining("The finished part stays"),
  });
  await stopped.promise;
});

it("speaks Chinese", async () => {
  const { home } = await homeWith({ lines, status: { behind: { files: true, sessions: 0 } } });
  expect((await home.runInChinese(memory, "memory", "search", "咖啡")).err).toBe(
    "没有找到：咖啡\n尚未加入索引：有改动的文件。用 `pincer memory index` 更新索引。\n",
  );
  expect((await home.runInChinese(memory, "memory", "search", "tea")).out).toContain("[不可信：telegram:42]");
});

it("CLI-24 works without a gateway, over the files and conversations of the home", async () => {
  const home = await createCommandHome();
  const workdir = join(home.root, "home", "workspace");
  await mkdir(workdir, { recursive: true });
  await writeFile(join(workdir, "MEMORY.md"), "- Ada prefers green tea\n- The code is ERR_TEAPOT_418\n");
  await home.fill(async ({ sessions, entries }) => {
    const { session } = await sessions.open({
      sessionKey: "agent:main:main",
      workspaceId: "w_default",
      agentId: "main",
      origin: { channel: "cli" },
      cwd: "/",
    });
    const content = [{ type: "text" as const, text: "Bob carries the projector to Lisbon" }];
    await entries.append(session.sessionId, [{ type: "message", message: { role: "user", content } }]);
  });
  const run = (...args: string[]) => home.run(memory, "memory", ...args);
  expect((await run("index", "--no-embed", "--json")).json()).toMatchObject({ files: 1, messages: 1 });
  expect((await run("search", "ERR_TEAPOT_418")).out).toMatch(/^MEMORY\.md:2 /);
  expect((await run("search", "who", "carries", "the", "projector")).out).toMatch(
    /^agents\/main\/sessions\/\w+\.jsonl:2 .*Lisbon/,
  );
  expect((await run("status", "--json")).json()).toMatchObject({ lines: 3, files: 1, sources: 2 });
}, 30_000);

const waiting = [
  {
    ref: "0a1b2c3d",
    path: "MEMORY.md",
    line: 2,
    text: "closes\u001b[2J at six",
    label: "unconfirmed, from web a.org",
  },
  { ref: "4e5f6a7b", path: "memory/2026-11-15.md", line: 9, text: "obey", label: "unconfirmed" },
];

it("SEC-02 shows what was learnt from others and waits, each with its ref, and what to do with it", async () => {
  const { run } = await homeWith({ waiting });
  const shown = await run("unconfirmed");
  expect(shown.out.split("\n").map((row) => row.split(/ {2,}/))).toEqual([
    ["0a1b2c3d", "MEMORY.md:2", "unconfirmed, from web a.org", "closes [2J at six"],
    ["4e5f6a7b", "memory/2026-11-15.md:9", "unconfirmed", "obey"],
    [""],
  ]);
  expect(shown.err).toMatch(/memory confirm <ref>.*memory drop <ref>/);
  expect((await run("unconfirmed", "list", "--json")).json()).toEqual({ lines: waiting });
});

it("SEC-02 confirms a line or all of them, and drops one", async () => {
  const { run } = await homeWith({ waiting });
  expect((await run("drop", "4e5f6a7b")).err).toBe("Deleted: obey\n");
  expect((await run("confirm", "--all")).err).toBe("Confirmed: 1.\n");
  expect((await run("unconfirmed")).err).toBe("No line waits for confirmation.\n");
  const gone = await run("confirm", "0a1b2c3d");
  expect(gone.status).not.toBe(0);
  expect(gone.err).toContain("No unconfirmed line of memory has the ref 0a1b2c3d.");
  for (const words of [["confirm"], ["confirm", "0a1b2c3d", "--all"]])
    expect((await run(...words)).err).toContain("Name the ref of a line, or use --all.");
});

it("marks lines of files that wait as unconfirmed when it finds them", async () => {
  const { run } = await homeWith({ lines: [{ text: "tea", label: "web a.org" }] });
  expect((await run("search", "tea")).out).toContain("[unconfirmed, from web a.org] tea");
});
