import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeHome, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

const json = async (args: string[]) => JSON.parse((await home.run([...args, "--json"])).out);
const sessionsDir = () => join(home.path, "agents", "main", "sessions");
/** Files of the home that hold any of the words. */
const filesWith = (...words: string[]) =>
  readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => words.some((word) => readFileSync(file).includes(word)));

describe("pincer sessions", () => {
  it("lists what there is, newest first, page by page", async () => {
    for (const name of ["one", "two", "three"]) await home.run(["ask", "--session", name, "hi"]);
    const first = await json(["sessions", "list", "--limit", "2"]);
    expect(first.sessions.map((session: { sessionKey: string }) => session.sessionKey)).toEqual([
      "agent:main:named:three",
      "agent:main:named:two",
    ]);
    const second = await json(["sessions", "list", "--limit", "2", "--after", first.next]);
    expect(second).toMatchObject({
      sessions: [{ sessionKey: "agent:main:named:one", messageCount: 2 }],
      next: null,
    });
    expect((await json(["sessions", "list", "--search", "TWO"])).sessions).toHaveLength(1);
  });

  it("UI-01 gives a session a name by which it is found, lists by channel and state, and takes the name away", async () => {
    await home.run(["ask", "--session", "work", "hi"]);
    await home.run(["ask", "--session", "play", "hi"]);
    const { err } = await home.run(["sessions", "rename", "work", "Plans", "for", "May"]);
    expect(err).toContain("is now called “Plans for May”");
    expect((await json(["sessions", "list", "--search", "plans FOR"])).sessions).toMatchObject([
      { sessionKey: "agent:main:named:work", label: "Plans for May" },
    ]);
    expect((await home.run(["sessions", "list"])).out).toContain("Plans for May");
    expect((await json(["sessions", "list", "--channel", "cli", "--state", "active"])).sessions).toHaveLength(
      2,
    );
    expect((await json(["sessions", "list", "--state", "ended"])).sessions).toEqual([]);
    expect(await json(["sessions", "rename", "work"])).toMatchObject({ label: null });
    expect((await home.run(["sessions", "rename", "nowhere", "x"])).status).toBe(1);
  });

  it("shows a session by its id or by its key in any spelling", async () => {
    await home.run(["ask", "--session", "work", "hello"]);
    const [session] = (await json(["sessions", "list"])).sessions;
    for (const which of [session.sessionId, "work", "agent:main:named:work"]) {
      const { out, status } = await home.run(["sessions", "show", which]);
      expect(status).toBe(0);
      expect(out).toContain("hello");
    }
  });

  it("says clearly when there is no such session", async () => {
    const { status, out, err } = await home.run(["sessions", "show", "nope"]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain("There is no session nope");
    expect(err).toContain("pincer sessions list");
  });

  it("SESS-06 exports a session and takes it into another home, unchanged", async () => {
    const other = makeHome();
    try {
      await home.run(["ask", "--session", "work", "你好\nworld"]);
      await home.run(["ask", "--session", "work", 'tool:tools_echo {"text":"x"}']);
      const file = join(home.path, "work.jsonl");
      expect((await home.run(["sessions", "export", "work", "-o", file])).status).toBe(0);
      expect(await other.run(["sessions", "import", file])).toMatchObject({ status: 0 });
      expect((await other.run(["sessions", "export", "work"])).out).toBe(readFileSync(file, "utf8"));
      expect((await other.run(["sessions", "import", file, "--json"])).out).toContain('"exists"');
      expect((await other.run(["ask", "--session", "work", "and on"])).status).toBe(0);
      expect(
        readFileSync(
          join(
            other.path,
            "agents",
            "main",
            "sessions",
            readdirSync(join(other.path, "agents", "main", "sessions"))[0] ?? "",
          ),
          "utf8",
        ),
      ).toContain("and on");
    } finally {
      other.remove();
    }
  });

  it("does not overwrite a file, and skips what is no transcript, with the reason", async () => {
    await home.run(["ask", "hi"]);
    const file = join(home.path, "note.txt");
    writeFileSync(file, "mine");
    const exported = await home.run(["sessions", "export", "main", "-o", file]);
    expect(exported.status).toBe(2);
    expect(readFileSync(file, "utf8")).toBe("mine");
    const imported = await home.run(["sessions", "import", file]);
    expect(imported.status).toBe(1);
    expect(imported.out).toContain("skipped");
    expect((await home.run(["sessions", "import", join(home.path, "gone")])).status).toBe(2);
  });

  it("deletes for good: what was said and with whom; an unattended delete needs --yes", async () => {
    const key = "agent:main:telegram:dm:99887766";
    await home.run(["ask", "--session", key, "the word is zanzibar"]);
    expect((await home.run(["sessions", "delete", key])).status).toBe(2);
    expect(filesWith("99887766", "zanzibar")).not.toEqual([]);
    const [name = ""] = readdirSync(sessionsDir());
    const transcript = readFileSync(join(sessionsDir(), name));
    expect((await home.run(["sessions", "delete", key, "--yes"])).status).toBe(0);
    expect(readdirSync(sessionsDir())).toEqual([]);
    expect(filesWith("99887766", "zanzibar")).toEqual([]);

    // As a crash in the middle, or a file system that was restored, might leave it.
    writeFileSync(join(sessionsDir(), name), transcript, { mode: 0o600 });
    expect((await home.run(["doctor", "--fix"])).status).toBe(0);
    expect((await json(["sessions", "list"])).sessions).toEqual([]);
    expect(filesWith("99887766", "zanzibar")).toEqual([]);
  });

  it("SESS-08 completes a transcript that a crash cut short, at the next ask", async () => {
    await home.run(["ask", "first"]);
    const file = join(sessionsDir(), readdirSync(sessionsDir())[0] ?? "");
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length - 40));
    await home.run(["ask", "second"]);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4, 5]);
    expect(readFileSync(file).subarray(0, whole.length).equals(whole)).toBe(true);
  });

  it("SESS-08 gives everything back from the transcripts when the database is lost", async () => {
    await home.run(["ask", "--session", "a", "one"]);
    await home.run(["ask", "--session", "b", "two"]);
    await home.run(["sessions", "rename", "a", "The first"]);
    const before = await home.run(["sessions", "export", "a"]);
    for (const name of readdirSync(home.path)) if (name.startsWith("core.db")) rmSync(join(home.path, name));
    const doctor = await home.run(["doctor", "--fix"]);
    expect(doctor.out).toMatch(/^x {2}loss: the database was lost/m);
    expect((await home.run(["sessions", "export", "a"])).out).toBe(before.out);
    const { sessions } = await json(["sessions", "list"]);
    expect(sessions.map(({ label }: { label: string | null }) => label).sort()).toEqual(["The first", null]);
  });

  it("refuses a link that was put in a transcript's place and keeps what was said", async () => {
    await home.run(["ask", "one"]);
    const file = join(sessionsDir(), readdirSync(sessionsDir())[0] ?? "");
    const victim = join(home.path, "victim");
    mkdirSync(victim);
    rmSync(file);
    const { symlinkSync } = await import("node:fs");
    symlinkSync(join(victim, "written"), file);
    const { status } = await home.run(["ask", "two"]);
    expect(status).toBe(0);
    expect(readdirSync(victim)).toEqual([]);
    expect((await json(["sessions", "list"])).sessions[0].messageCount).toBe(4);
  });
});
