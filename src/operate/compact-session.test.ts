import type { EntryBody } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { request } from "../storage/testing/samples.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";
import { compactSession, type CompactAsk, type CompactParts } from "./compact-session.ts";
import { viewSession } from "../gateway/methods/session-view.ts";

const old: EntryBody = { type: "compaction", summary: "an old one", keepFrom: 1 };

/** A turn that leaves these entries and says this. */
async function stage(leaves: EntryBody[], says: Partial<AskAnswer> = {}) {
  const clock = createHandClock();
  const { sessions, entries } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const { session } = await sessions.open(request("agent:main:main"));
  const { sessionId, sessionKey } = session;
  await entries.append(sessionId, [old]);
  const asked: CompactAsk[] = [];
  let open = 0;
  const opened = <Door>(door: Door) => ({ ...door, close: async () => void open-- });
  const parts: CompactParts = {
    async openSessions() {
      open++;
      return opened({
        find: async () => viewSession((await sessions.get(sessionId)) ?? session),
        recent: (_session: unknown, limit: number) => entries.recent(sessionId, limit),
      });
    },
    async openApp() {
      open++;
      return opened({
        async ask(asking: CompactAsk) {
          asked.push(asking);
          await entries.append(sessionId, leaves);
          return { sessionId, sessionKey, result: "done", ...says } as AskAnswer;
        },
      });
    },
  };
  const { signal } = new AbortController();
  const run = (instructions?: string) => compactSession(parts, { session: "main", instructions, signal });
  return { run, asked, sessions, stillOpen: () => open };
}

describe("summing a session up by hand", () => {
  it("COMP-04 tells what the summary says, what stays and what it saved", async () => {
    const { run, asked, stillOpen } = await stage([
      {
        type: "compaction",
        summary: "we counted",
        keepFrom: 7,
        trigger: "manual",
        tokensBefore: 900,
        tokensAfter: 100,
        readFiles: ["a.md"],
        modifiedFiles: [],
      },
      { type: "message", message: { role: "user", content: [{ type: "text", text: "done" }] } },
    ]);
    const { result } = await run("keep the dates");
    expect(result).toEqual({
      ok: true,
      compacted: true,
      result: {
        summary: "we counted",
        firstKeptEntryId: "7",
        tokensBefore: 900,
        tokensAfter: 100,
        details: { readFiles: ["a.md"], modifiedFiles: [] },
      },
    });
    expect(asked).toMatchObject([
      {
        sessionKey: "agent:main:main",
        input: "/compact keep the dates",
        wishes: { compact: { instructions: "keep the dates" } },
      },
    ]);
    expect(stillOpen()).toBe(0);
  });

  it("COMP-04 takes no earlier summary for its own, and says why there is none", async () => {
    const { run } = await stage([], { result: "There is too little to sum up." });
    expect((await run()).result).toEqual({
      ok: true,
      compacted: false,
      reason: "There is too little to sum up.",
    });
    const failed = await stage([], { error: { code: "turn/aborted", message: "Stopped." } });
    expect((await failed.run()).result).toEqual({ ok: false, compacted: false, reason: "Stopped." });
  });

  it("leaves a session alone that is over", async () => {
    const { run, sessions, asked } = await stage([]);
    await sessions.openNew(request("agent:main:main"));
    await expect(run()).rejects.toMatchObject({ code: "usage/bad-argument" });
    expect(asked).toEqual([]);
  });
});
