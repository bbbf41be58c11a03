import { constants } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Entry } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeLine } from "./line-codec.ts";
import { createMemorySessions, type MemorySessions } from "./testing/memory-sessions.ts";
import { sampleEntries, sampleSessionId } from "./testing/sample-session.ts";
import { createTranscriptMirror, type TranscriptMirror } from "./transcript-mirror.ts";

let home: string;
let sessions: MemorySessions;
let mirror: TranscriptMirror;

const fileOf = (agentId: string, sessionId: string) =>
  join(home, "agents", agentId, "sessions", `${sessionId}.jsonl`);
const file = () => fileOf("main", sampleSessionId);
const contentOf = (entries: Entry[]) => entries.map((entry) => `${encodeLine(entry)}\n`).join("");
const session = () => sessions.get(sampleSessionId);
const parts = () => ({
  sessionFile: fileOf,
  entries: sessions,
  markMirrored: sessions.markMirrored,
});
const namesBeside = () => readdir(dirname(file()));

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "pincer-mirror-"));
  sessions = createMemorySessions();
  mirror = createTranscriptMirror(parts());
  await sessions.restore(sampleEntries());
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe("completing", () => {
  it("SESS-04 writes agents/<agentId>/sessions/<sessionId>.jsonl for its owner alone", async () => {
    await mirror.complete(session());
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file()))).mode & 0o777).toBe(0o700);
    expect(session().mirroredSeq).toBe(session().lastSeq);
  });

  it("SESS-06 only ever appends, and only what is missing", async () => {
    const entries = sessions.entriesOf(sampleSessionId);
    const later = entries.splice(5);
    await mirror.complete(session());
    const { ino } = await stat(file());
    entries.push(...later);
    await mirror.complete(session());
    await mirror.complete(session());
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
    expect((await stat(file())).ino).toBe(ino);
  });

  it("SESS-06 reads nothing back from a file that is as it left it", async () => {
    const reads: Array<[after: number, limit: number]> = [];
    const watched = createTranscriptMirror({
      sessionFile: fileOf,
      entries: {
        after(sessionId, after, limit) {
          reads.push([after, limit]);
          return sessions.after(sessionId, after, limit);
        },
      },
      markMirrored: sessions.markMirrored,
    });
    const entries = sessions.entriesOf(sampleSessionId);
    const later = entries.splice(5);
    await watched.complete(session());
    entries.push(...later);
    reads.length = 0;
    await watched.complete(session());
    expect(reads).toEqual([[5, 200]]);
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
  });

  it.each<[string, () => Promise<void>]>([
    ["cut short", () => truncate(file(), 700)],
    ["removed", () => rm(file())],
    ["removed with its directory", () => rm(dirname(file()), { recursive: true })],
    ["continued by another process", () => createTranscriptMirror(parts()).complete(session())],
    ["written over", () => writeFile(file(), "my notes\n")],
  ])("SESS-02 looks again at a file that was %s meanwhile", async (_, meddle) => {
    const entries = sessions.entriesOf(sampleSessionId);
    const later = entries.splice(5);
    await mirror.complete(session());
    entries.push(...later.splice(0, 4));
    await meddle();
    entries.push(...later);
    await mirror.complete(session());
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
  });

  it("SESS-06 is done without waiting for the note of how far it came, and without minding if that fails", async () => {
    const failing = createTranscriptMirror({
      ...parts(),
      markMirrored: () => Promise.reject(new Error("the disk is gone")),
    });
    await failing.complete(session());
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
    expect(await failing.completeAll({ sessions })).toMatchObject({
      failed: [{ reason: "the disk is gone" }],
    });
  });

  it("SESS-13 keeps the first user message behind a header that stood alone", async () => {
    const entries = sessions.entriesOf(sampleSessionId);
    const later = entries.splice(1);
    await mirror.complete(session());
    entries.push(...later.slice(0, 2));
    await mirror.complete(session());
    expect(await readFile(file(), "utf8")).toContain("问题 1");
  });

  it("SESS-02 gives the whole file again, wherever a crash cut it", async () => {
    const content = Buffer.from(contentOf(sampleEntries()));
    await mirror.complete(session());
    for (let length = content.length; length >= 0; length--) {
      await truncate(file(), length);
      await mirror.complete(session());
      expect(content.equals(await readFile(file())), `cut at byte ${length}`).toBe(true);
    }
    expect(await namesBeside()).toEqual([`${sampleSessionId}.jsonl`]);
  }, 60_000);

  it("SESS-02 takes the zeros of a power cut for what they are", async () => {
    const content = contentOf(sampleEntries());
    await mirror.complete(session());
    for (const kept of [content.length - 300, content.indexOf("\n") + 1, 0]) {
      await truncate(file(), kept);
      await truncate(file(), kept + 4096);
      await mirror.complete(session());
      expect(await readFile(file(), "utf8")).toBe(content);
    }
    expect(await namesBeside()).toHaveLength(1);
  });

  it("SESS-02 finds its place behind entries longer than what it usually reads", async () => {
    const entries = sessions.entriesOf(sampleSessionId);
    const seq = entries.length + 1;
    entries.push({
      seq,
      time: "2026-01-01T13:00:00.000Z",
      type: "event",
      name: "long",
      data: { text: "长".repeat(100_000) },
    });
    await mirror.complete(session());
    const size = (await stat(file())).size;
    for (const cut of [0, 1, 200_000, 299_000]) {
      await truncate(file(), size - cut);
      await mirror.complete(session());
      expect((await readFile(file(), "utf8")) === contentOf(entries), `cut by ${cut}`).toBe(true);
    }
    expect(await namesBeside()).toHaveLength(1);
  });

  it("SESS-02 writes long sessions page by page", async () => {
    const entries = sessions.entriesOf(sampleSessionId);
    for (let seq = entries.length + 1; seq <= 1000; seq++) {
      entries.push({ seq, time: "2026-01-01T13:00:00.000Z", type: "event", name: "x", data: {} });
    }
    await mirror.complete(session());
    expect(await readFile(file(), "utf8")).toBe(contentOf(entries));
  });

  it("SESS-02 writes each entry once when asked several times at once", async () => {
    await Promise.all([mirror.complete(session()), mirror.complete(session()), mirror.complete(session())]);
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
  });

  it("SESS-02 writes each entry once when somebody else writes the same file meanwhile", async () => {
    let others = 0;
    const disturbed = createTranscriptMirror({
      sessionFile: fileOf,
      markMirrored: sessions.markMirrored,
      entries: {
        async after(...query) {
          const page = await sessions.after(...query);
          // By then the place to go on from has been found.
          if (query[2] > 2 && others++ === 0) await mirror.complete(session());
          return page;
        },
      },
    });
    await disturbed.complete(session());
    expect(others).toBe(1);
    expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
  });

  it("SESS-02 writes each entry once when two that do not know of each other write at once", async () => {
    const own = parts();
    for (let round = 0; round < 30; round++) {
      await sessions.restore(sampleEntries(4, `s_${round}`));
      const mirrors = [createTranscriptMirror(own), createTranscriptMirror(own)];
      await Promise.all(mirrors.map((each) => each.complete(sessions.get(`s_${round}`))));
      const content = await readFile(fileOf("main", `s_${round}`), "utf8");
      expect(content).toBe(contentOf(sampleEntries(4, `s_${round}`)));
    }
  });

  it("SESS-02 does not bring back a deleted session", async () => {
    const deleted = session();
    sessions.forget(sampleSessionId);
    await mirror.complete(deleted);
    await expect(stat(file())).rejects.toThrow("ENOENT");
  });
});

describe("a file that is not ours", () => {
  const whole = () => contentOf(sampleEntries());
  const other = () =>
    sampleEntries().map((entry) =>
      entry.type === "anchor" ? Object.assign(entry, { name: "another" }) : entry,
    );

  it.each<[string, () => string]>([
    ["is ahead of the database", () => contentOf(sampleEntries(9))],
    ["says something else", () => contentOf(other().slice(0, -2))],
    ["ends in a line with a wrong sum", () => whole().replace(/"sum":"......../g, '"sum":"00000000')],
    ["is no transcript", () => "my notes\n"],
    ["is no transcript and has no line break", () => "my notes"],
    ["ends in a piece that does not belong there", () => `${whole()}{"seq":`],
  ])("SESS-06 is renamed when it %s, and written anew", async (_, content) => {
    await mkdir(dirname(file()), { recursive: true });
    await writeFile(file(), content());
    await mirror.complete(session());
    expect(await readFile(file(), "utf8")).toBe(whole());
    expect(await readFile(`${file()}.bak-1`, "utf8")).toBe(content());
    await writeFile(file(), "once more");
    await mirror.complete(session());
    expect(await readFile(`${file()}.bak-2`, "utf8")).toBe("once more");
  });

  it.skipIf(!constants.O_NOFOLLOW)("ROUTE-13 is never written through a link", async () => {
    const victim = join(home, "victim");
    await writeFile(victim, "precious");
    await mkdir(dirname(file()), { recursive: true });
    await symlink(victim, file());
    await expect(mirror.complete(session())).rejects.toMatchObject({ code: "transcript/unreadable" });
    expect(await readFile(victim, "utf8")).toBe("precious");
  });

  it("ROUTE-13 is never looked for under an id that leads elsewhere", async () => {
    for (const sessionId of ["../../escape", "a/b", "..", "con", "", "A"]) {
      await expect(mirror.complete({ agentId: "main", sessionId, mirroredSeq: 0 })).rejects.toMatchObject({
        code: "session/bad-key",
      });
      await expect(mirror.remove({ agentId: "main", sessionId })).rejects.toMatchObject({
        code: "session/bad-key",
      });
    }
    await expect(mirror.complete({ ...session(), agentId: "../x" })).rejects.toMatchObject({
      code: "session/bad-key",
    });
  });
});

it("SESS-02 completes at boot what is behind, passing over what fails", async () => {
  for (const id of ["s_1", "s_2", "s_3"]) await sessions.restore(sampleEntries(1, id));
  await mkdir(fileOf("main", "s_2"), { recursive: true });
  const progress: number[] = [];
  const outcome = await mirror.completeAll({ sessions, onProgress: (done) => progress.push(done) });
  expect(outcome.completed).toBe(3);
  expect(outcome.failed).toEqual([{ sessionId: "s_2", reason: expect.stringContaining("not a plain file") }]);
  expect(progress).toEqual([1, 2, 3, 4]);
  expect(await readFile(fileOf("main", "s_3"), "utf8")).toBe(contentOf(sampleEntries(1, "s_3")));
});

it("SESS-02 completes at boot a recent file that a power cut took back though it was noted as written", async () => {
  await mirror.complete(session());
  await truncate(file(), 100);
  await mirror.completeAll({ sessions });
  expect(await readFile(file(), "utf8")).toBe(contentOf(sampleEntries()));
});

it("SESS-02 stops at boot when told to", async () => {
  await expect(mirror.completeAll({ sessions, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});

it("SESS-06 removing leaves nothing of the content, not even the renamed files", async () => {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), "foreign");
  await mirror.complete(session());
  await mirror.remove(session());
  await mirror.remove(session());
  expect(await namesBeside()).toEqual([]);
});
