import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linesOf, makeHome, startGateway, untilLines, type TestHome } from "./run-pincer.ts";

const homes = fileURLToPath(new URL("fixtures/homes", import.meta.url));

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe.each(readdirSync(homes))("a home of version %s", (version) => {
  const expected = JSON.parse(readFileSync(join(homes, version, "expected.json"), "utf8")) as {
    secret: string;
    exported: Record<string, string>;
    /** What was on its way when the home was left. */
    waiting: {
      answered: string[];
      sent: Array<{ to: string; text: string }>;
      strangers: string[];
      notices: number;
    };
    models: {
      credential: { id: string; provider: string; value: string };
      usage: { calls: number; cost: number; total: number };
    };
    memory: { query: string; path: string };
    hands: { made: string };
    gate: { tool: string; grant: string; unconfirmed: string };
    front: { token: string; role: string };
    channels: Array<{ channel: string; enabled: boolean }>;
    /** Of sessions, by their owner. */
    names: { work: string };
    context: {
      rules: Array<{ id: number; text: string; enforced: boolean }>;
      session: string;
      marks: string[];
      handoff: string;
      remembered: string;
    };
  };
  beforeEach(() => cpSync(join(homes, version), home.path, { recursive: true }));

  it("opens with everything that was said, word for word, and takes the next question", async () => {
    for (const [key, text] of Object.entries(expected.exported)) {
      expect((await home.run(["sessions", "export", key])).out).toBe(text);
    }
    const asked = await home.run(["ask", "--json", "--session", "work", "and today?"]);
    expect(asked).toMatchObject({ status: 0, err: "" });
    const { out } = await home.run(["sessions", "export", "work"]);
    expect(out.startsWith(expected.exported["work"] ?? "none")).toBe(true);
    expect(out).toContain("and today?");
  });

  it("is answered from by a gateway, which sends what had been said and knows who was let in", async () => {
    const out = join(home.path, "out.jsonl");
    await home.run(["config", "set", "channels.local", JSON.stringify({ outbox: out })]);
    const gateway = await startGateway(home);
    const { waiting } = expected;
    await untilLines(out, waiting.answered.length + waiting.sent.length);
    const said = linesOf(out) as Array<{ text: string; to: { id: string } }>;
    expect(said.map(({ to }) => to.id).sort()).toEqual(
      [...waiting.answered, ...waiting.sent.map(({ to }) => to)].sort(),
    );
    for (const { text } of waiting.sent) expect(said.map((line) => line.text)).toContain(text);
    const { pending } = JSON.parse((await home.run(["pairing", "list", "--json"])).out);
    expect(pending.map(({ senderId }: { senderId: string }) => senderId)).toEqual(waiting.strangers);
    const { notices } = JSON.parse((await home.run(["notices", "list", "--json"])).out);
    expect(notices).toHaveLength(waiting.notices);
    expect(await gateway.stop()).toBe(0);
  });

  it("keeps its settings, its history and its secrets", async () => {
    expect((await home.run(["config", "get", "agents.defaults.toolMaxSteps"])).out.trim()).toBe("7");
    expect((await home.run(["ask", "tool:shell_pwd"])).err).toContain("denied by tools.deny");
    expect(JSON.parse((await home.run(["config", "history", "--json"])).out).length).toBeGreaterThanOrEqual(
      2,
    );
    expect((await home.run(["secrets", "list"])).out).toContain("sample");
    // The secret still opens: it is known, and therefore hidden.
    expect(
      (await home.run(["ask", "--json", `tool:tools_echo {"text":"${expected.secret}"}`])).out,
    ).toContain("[secret:sample]");
  });

  it("SESS-09 COMP-01 keeps its rules, its handoffs and summaries, and what its sessions remember", async () => {
    const { rules, session, marks, handoff, remembered } = expected.context;
    const kept = JSON.parse((await home.run(["rules", "list", "--json"])).out) as {
      rules: Array<{ id: number; text: string; enforcement: object | null }>;
    };
    expect(
      kept.rules.map(({ id, text, enforcement }) => ({ id, text, enforced: enforcement !== null })),
    ).toEqual(rules);
    const anchors = await home.run(["tape", "anchors", "--session", session, "--json"]);
    const found = JSON.parse(anchors.out) as { marks: Array<{ type: string; summary: string }> };
    expect(found.marks.map(({ type }) => type)).toEqual(marks);
    expect(found.marks[0]?.summary).toBe(handoff);
    const memory = await home.run(["context", "show", session, "--text", "session-memory"]);
    expect(memory.out).toContain(remembered);
  });

  it("MEM-07 MEM-11 finds what was said in it, also where nothing was indexed yet, and what its notes say", async () => {
    // The key in it is no real one.
    await home.run(["config", "set", "agents.defaults.memorySearch.provider", "none"]);
    const find = async (words: string) => {
      const { out } = await home.run(["memory", "search", words, "--json"]);
      return (JSON.parse(out) as { hits: Array<{ path: string; text: string }> }).hits;
    };
    expect((await find("when is the demo?"))[0]?.text).toContain("the demo is on Friday");
    const { query, path } = expected.memory;
    expect((await find(query))[0]?.path).toContain(path);
  });

  it("AUTH-01 MODEL-08 keeps its credentials and what models have used", async () => {
    const { credential, usage } = expected.models;
    const { credentials } = JSON.parse((await home.run(["auth", "status", "--json"])).out);
    expect(credentials).toMatchObject([{ id: credential.id, state: "ready" }]);
    const echo = `tool:tools_echo {"text":"${credential.value}"}`;
    expect((await home.run(["ask", "--json", echo])).out).toContain(`[secret:${credential.id}]`);
    const used = JSON.parse((await home.run(["usage", "--from", "2026-01-01", "--json"])).out);
    expect(used.total).toMatchObject(usage);
  });

  it("knows what its turns changed", async () => {
    const { turns } = JSON.parse((await home.run(["undo", "--list", "--json"])).out);
    const changed = turns.flatMap(({ paths }: { paths: Array<{ path: string }> }) =>
      paths.map(({ path }) => path),
    );
    expect(changed).toEqual([expected.hands.made]);
  });

  it("SAFE-02 SEC-02 keeps what waits for its owner, what was granted, and what nobody confirmed", async () => {
    const { gate } = expected;
    // Its turn is in the queue: today's gate judges the call, and asks again where it has to.
    const asked = JSON.parse((await home.run(["approvals", "list", "--all", "--json"])).out);
    expect(asked.approvals.map(({ tool, state }: { tool: string; state: string }) => [tool, state])).toEqual([
      [gate.tool, "withdrawn"],
      [gate.tool, "spent"],
    ]);
    const { runs } = JSON.parse((await home.run(["runs", "list", "--json"])).out);
    expect(runs.filter(({ state }: { state: string }) => state === "queued")).toHaveLength(1);
    const { grants } = JSON.parse((await home.run(["approvals", "grants", "--json"])).out);
    expect(grants.map(({ shown }: { shown: string }) => shown)).toEqual([gate.grant]);
    const { lines } = JSON.parse((await home.run(["memory", "unconfirmed", "--json"])).out);
    expect(lines.map(({ text }: { text: string }) => text)).toEqual([gate.unconfirmed]);
  });

  it("TEN-05 GW-11 has a record that holds together, and lets those in whom it let in", async () => {
    const verified = await home.run(["audit", "verify", "--json"]);
    expect(verified).toMatchObject({ status: 0 });
    expect(JSON.parse(verified.out)).toMatchObject({ ok: true });
    const { access } = JSON.parse((await home.run(["access", "list", "--json"])).out) as {
      access: Array<{ kind: string; role: string }>;
    };
    const { front } = expected;
    expect(access.map(({ kind, role }) => [kind, role])).toEqual([["token", front.role]]);
  });

  it("CFG-11 knows the channels that were set up in it", async () => {
    const { channels } = JSON.parse((await home.run(["channels", "list", "--json"])).out) as {
      channels: Array<{ channel: string; enabled: boolean }>;
    };
    expect(channels.map(({ channel, enabled }) => ({ channel, enabled }))).toEqual(expected.channels);
  });

  it("UI-01 calls its sessions what their owner called them", async () => {
    const { sessions } = JSON.parse((await home.run(["sessions", "list", "--json"])).out) as {
      sessions: Array<{ sessionKey: string; label: string | null }>;
    };
    const named = sessions.filter(({ label }) => label !== null);
    const { names } = expected;
    expect(named.map(({ sessionKey, label }) => [sessionKey, label])).toEqual([
      ["agent:main:named:work", names.work],
    ]);
  });

  it("is found healthy, after modes that a copy may have lost are set again", async () => {
    expect((await home.run(["doctor", "--fix"])).status).toBe(0);
    expect((await home.run(["doctor"])).status).toBe(0);
  });

  it("can be rebuilt from its transcripts alone", async () => {
    for (const name of readdirSync(home.path)) if (name.startsWith("core.db")) rmSync(join(home.path, name));
    expect((await home.run(["doctor", "--fix"])).out).toMatch(/^x {2}loss: the database was lost/m);
    expect((await home.run(["doctor", "--confirm", "--yes"])).status).toBe(0);
    expect((await home.run(["doctor"])).status).toBe(0);
    for (const [key, text] of Object.entries(expected.exported)) {
      expect((await home.run(["sessions", "export", key])).out).toBe(text);
    }
  });
});

describe("a home of a newer version", () => {
  it("is left untouched, and the user is told to upgrade", async () => {
    await home.run(["ask", "hi"]);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(home.path, "core.db"));
    database.exec(
      "INSERT INTO schema_migrations VALUES (999, 'from the future', '2030-01-01T00:00:00.000Z')",
    );
    database.close();
    writeFileSync(join(home.path, "config.json5"), "{ configVersion: 999, tools: { deny: ['read'] } }");
    const { status, err } = await home.run(["ask", "hi"]);
    expect(status).toBe(1);
    expect(err).toContain("schema version 999");
    expect(err).toContain("Upgrade");
    expect(existsSync(join(home.path, "core.db"))).toBe(true);
    expect((await home.run(["config", "get", "tools.deny"])).out).toContain("read");
  });
});
