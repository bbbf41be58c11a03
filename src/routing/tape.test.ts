import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createSessionLeases, sessionLeaseName } from "../storage/sessions/session-lease.ts";
import type { SessionRecord } from "../storage/stores.ts";
import { createTape, termsOf } from "./tape.ts";

const key = {
  sessionKey: "agent:main:main",
  workspaceId: "w_default",
  agentId: "main",
  origin: { channel: "cli" },
  cwd: "/",
};

const all = { limit: 10, asks: "owner" as const };

function stage() {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const redactor = createRedactor();
  const holder = { id: "me", pid: 1, host: "here", processStart: "0" };
  const leases = createSessionLeases({ leases: stores.leases, clock, holder, isAlive: () => true });
  const mirrored: number[] = [];
  const tape = createTape({
    ...stores,
    leases,
    redactor,
    mirror: async ({ lastSeq }) => void mirrored.push(lastSeq),
  });
  const say = async (session: SessionRecord, ...texts: string[]) => {
    const bodies = texts.map((text) => ({
      type: "message" as const,
      message: { role: "user" as const, content: [{ type: "text" as const, text }] },
    }));
    await stores.entries.append(session.sessionId, bodies);
  };
  const open = async () => (await stores.sessions.open(key)).session;
  return { stores, tape, say, open, leases, redactor, mirrored, clock };
}

describe("the tape of a session", () => {
  it("SESS-09 sets an anchor behind which context starts, and takes nothing off the tape", async () => {
    const { stores, tape, say, open, mirrored } = stage();
    const session = await open();
    await say(session, "one", "two");
    const made = await tape.handOffIn(key, { name: "phase-1", summary: "we counted", by: "telegram:42" });
    expect(made).toMatchObject({
      sessionId: session.sessionId,
      seq: 4,
      name: "phase-1",
      summary: "we counted",
    });
    expect(mirrored).toEqual([4]);
    await say(session, "three");

    const view = await stores.entries.view(session.sessionId, { before: 99, limit: 10 });
    expect(view.mark).toMatchObject({ type: "anchor", state: { summary: "we counted", by: "telegram:42" } });
    expect(view.said.map(({ seq }) => seq)).toEqual([5]);
    const { hits } = await tape.search(session.sessionId, "two", all);
    expect(hits).toMatchObject([{ seq: 3, snippet: "two" }]);
    expect(await tape.info(await open())).toMatchObject({
      entries: 5,
      messages: 3,
      anchors: 1,
      summaries: 0,
      lastMark: { seq: 4, type: "anchor", name: "phase-1", summary: "we counted", by: "telegram:42" },
      shown: { from: 5, messages: 1 },
    });
  });

  it("SESS-09 names anchors by itself, one after the highest number", async () => {
    const { tape } = stage();
    const names: string[] = [];
    for (const name of [undefined, "handoff-7", "other", undefined])
      names.push((await tape.handOffIn(key, { name, by: "cli:owner" })).name);
    expect(names).toEqual(["handoff-1", "handoff-7", "other", "handoff-8"]);
  });

  it("sets one anchor for one message, however often it is handed in", async () => {
    const { tape, open } = stage();
    const first = await tape.handOffIn(key, { by: "telegram:42", input: "in_1" });
    expect(await tape.handOffIn(key, { by: "telegram:42", input: "in_1" })).toEqual(first);
    await tape.handOffIn(key, { by: "telegram:42", input: "in_2" });
    expect(await tape.marks((await open()).sessionId, 10)).toHaveLength(2);
  });

  it("waits for the turn that runs", async () => {
    const { tape, leases, clock, open } = stage();
    const session = await open();
    const turn = Promise.withResolvers<void>();
    const running = leases.hold(sessionLeaseName(key), () => turn.promise);
    await Promise.resolve();
    const done: string[] = [];
    const handing = tape.handOff(session, { by: "cli:owner" }).then(() => done.push("anchor"));
    await clock.advance(3000);
    expect(done).toEqual([]);
    turn.resolve();
    await running;
    while (done.length === 0) {
      await clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await handing;
    expect(await tape.marks(session.sessionId, 10)).toHaveLength(1);
  });

  it("SESS-09 lists anchors and summaries, newest first", async () => {
    const { stores, tape, say, open } = stage();
    const session = await open();
    await say(session, "one");
    await tape.handOffIn(key, { name: "a", by: "cli:owner" });
    await stores.entries.append(session.sessionId, [
      { type: "compaction", summary: "in short", keepFrom: 3, trigger: "manual" },
    ]);
    expect(await tape.marks(session.sessionId, 10)).toMatchObject([
      { seq: 4, type: "summary", name: "manual", summary: "in short" },
      { seq: 3, type: "anchor", name: "a", summary: "" },
    ]);
  });

  it("SESS-09 searches every session of the key, in any language, and says which was said in another one", async () => {
    const { stores, tape, say, open, clock } = stage();
    const first = await open();
    await say(first, "请把发票发给我", "the BLUE whale sings");
    await clock.advance(1000);
    const { session } = await stores.sessions.openNew(key);
    await say(session, "a whale that is blue");
    const { hits } = await tape.search(session.sessionId, "blue whale", all);
    expect(hits.map(({ isElsewhere, role }) => ({ isElsewhere, role }))).toEqual([
      { isElsewhere: false, role: "user" },
      { isElsewhere: true, role: "user" },
    ]);
    expect((await tape.search(session.sessionId, '"blue whale"', all)).hits).toMatchObject([
      { sessionId: first.sessionId, seq: 3 },
    ]);
    expect((await tape.search(session.sessionId, "发票", all)).hits).toMatchObject([{ seq: 2 }]);
    expect(await tape.search(session.sessionId, "  ", all)).toEqual({ hits: [], searchedBackTo: null });
  });

  it("SESS-09 finds what tools answered for the owner alone, at once or later", async () => {
    const { stores, tape, say, open } = stage();
    const session = await open();
    const content = [{ type: "text" as const, text: "the PIN is 4711" }];
    const result = {
      role: "toolResult" as const,
      toolCallId: "c",
      toolName: "read",
      isError: false,
      content,
    };
    await stores.entries.append(session.sessionId, [{ type: "message", message: result }]);
    await say(session, '"tool:exec": the PIN is 4712', "Ann (7): what is the PIN?");
    const found = async (asks: "owner" | "peer") =>
      (await tape.search(session.sessionId, "pin", { limit: 10, asks })).hits.map(({ snippet }) => snippet);
    expect(await found("peer")).toEqual(["Ann (7): what is the PIN?"]);
    expect(await found("owner")).toHaveLength(3);
  });

  it("SESS-09 says how far back a search went when there is more", async () => {
    const { tape, say, open } = stage();
    const session = await open();
    await say(session, "heron", ...Array.from({ length: 5100 }, () => "hay"));
    const found = (asks: "owner" | "peer") => tape.search(session.sessionId, "heron", { limit: 10, asks });
    expect(await found("peer")).toMatchObject({ hits: [], searchedBackTo: { seq: expect.any(Number) } });
    expect(await found("owner")).toMatchObject({ hits: [{ seq: 2 }], searchedBackTo: null });
  });

  it("SESS-09 gives an anchor a name of at most 60 whole characters, however it comes", async () => {
    const { tape } = stage();
    const nameFor = async (name: string) => (await tape.handOffIn(key, { name, by: "cli:owner" })).name;
    expect(await nameFor("👍🏽".repeat(100))).toBe("👍🏽".repeat(60));
    expect(await nameFor("  ")).toBe("handoff-1");
  });

  it("keeps no secret in an anchor", async () => {
    const { tape, redactor, open } = stage();
    redactor.add("key", "sk-12345678");
    await tape.handOffIn(key, { name: "sk-12345678", summary: "use sk-12345678", by: "cli:owner" });
    expect(JSON.stringify(await tape.marks((await open()).sessionId, 1))).not.toContain("sk-12345678");
  });
});

it("takes what stands between quotes as one term", () => {
  expect(termsOf('a "b c" “d e” 「f g」 h')).toEqual(["a", "b c", "d e", "f g", "h"]);
});
