import type { ApprovalView, AssistantMessage, Entry, RunView } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyConversation, hear, type Conversation, type News } from "./conversation.ts";
import type { Row } from "./row.ts";
import { createRowMaker } from "./rows.ts";

const time = "2026-01-01T12:00:00.000Z";
const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, total: 3, cost: 0.5 };

const user = (seq: number, text: string, runId = "r1"): Entry => ({
  type: "message",
  seq,
  time,
  runId,
  message: { role: "user", content: [{ type: "text", text, origin: "owner", from: "owner" }] },
});
const answer = (seq: number, content: AssistantMessage["content"], runId = "r1"): Entry => ({
  type: "message",
  seq,
  time,
  runId,
  message: { role: "assistant", content, provider: "p", model: "m", usage, stopReason: "stop" },
});
const words = (text: string) => ({ type: "text" as const, text });
const call = (id: string, name = "exec") => ({
  type: "toolCall" as const,
  id,
  name,
  arguments: { command: "ls" },
});
const result = (seq: number, toolCallId: string, text: string, isError = false): Entry => ({
  type: "message",
  seq,
  time: "2026-01-01T12:00:02.000Z",
  runId: "r1",
  message: { role: "toolResult", toolCallId, toolName: "exec", content: [words(text)], isError },
});
const page = (entries: Entry[], before: number | null = null, sessionId = "s1"): News => ({
  type: "page",
  place: "newest",
  page: { sessionKey: "agent:main:main", sessionId, entries, before },
});
const event = (name: string, payload: object, runId = "r1"): News => ({
  type: "event",
  runId,
  event: `agent.${name}`,
  payload,
  at: time,
});
const run = (runId: string, state: string, ending: RunView["ending"] = null): RunView => ({
  runId,
  position: 1,
  state,
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: "s1",
  person: { role: "owner", id: "chat:owner" },
  destination: null,
  rule: "",
  claims: 1,
  queuedAt: time,
  startedAt: time,
  endedAt: null,
  ending,
});

const after = (news: News[], from = emptyConversation): Conversation => news.reduce(hear, from);
const rowsOf = (conversation: Conversation, openAsides = new Set<number>()): Row[] =>
  createRowMaker()({ conversation, pending: [], notes: [], openAsides });
const said = (conversation: Conversation): string[] =>
  rowsOf(conversation).flatMap((row) => {
    if (row.type === "user" || row.type === "answer") return [`${row.type}: ${row.text}`];
    return row.type === "tool" ? [`${row.name} ${row.state}`] : row.type === "day" ? [] : [row.type];
  });

/** A whole turn as it happens: words, a call, its result, more words. */
const story: News[] = [
  event("step", { seq: 2, entry: user(2, "do it") }),
  event("thinking", { delta: "hm" }),
  event("delta", { delta: "I " }),
  event("delta", { delta: "will." }),
  event("tool_call", { call: call("c1") }),
  event("step", {
    seq: 3,
    entry: answer(3, [{ type: "thinking", thinking: "hm" }, words("I will."), call("c1")]),
  }),
  event("tool_result", { call: call("c1") }),
  event("step", { seq: 4, entry: result(4, "c1", "files") }),
  event("delta", { delta: "Done" }),
  event("delta", { delta: "." }),
  event("step", { seq: 5, entry: answer(5, [words("Done.")]) }),
];
const ended: News = { type: "ended", runId: "r1" };
const whole = ["user: do it", "answer: I will.", "exec done", "answer: Done."];

describe("a conversation that is followed", () => {
  it("UI-01 shows words as they come, and each once when they are stored", () => {
    expect(said(after(story.slice(0, 4)))).toEqual(["user: do it", "answer: I will."]);
    expect(said(after(story.slice(0, 5)))).toEqual([
      "user: do it",
      "answer: I will.",
      "exec running",
      "working",
    ]);
    expect(said(after(story.slice(0, 6)))).toEqual([
      "user: do it",
      "answer: I will.",
      "exec running",
      "working",
    ]);
    expect(said(after(story.slice(0, 10)))).toEqual([...whole.slice(0, 3), "answer: Done."]);
    expect(said(after([...story, ended]))).toEqual(whole);
  });

  it("UI-01 comes to the same rows from whichever place somebody comes in, by what is stored and a snapshot", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: story.length }), fc.integer({ min: 0, max: 3 }), (cut, lost) => {
        const straight = after(story.slice(0, cut));
        const steps = story
          .slice(0, cut)
          .filter((news) => news.type === "event" && news.event === "agent.step");
        const { text, thinking } = straight.runs[0]?.said.at(-1) ?? { text: "", thinking: "" };
        // What the gateway sends to a client that connects now; it may have had some of the steps before.
        const attached = after([
          ...steps.slice(0, lost),
          event("start_over", { reason: "reconnected" }),
          ...steps,
          event("snapshot", { text, thinking }),
        ]);
        const rest = [...story.slice(cut), ended];
        expect(said(after(rest, attached))).toEqual(said(after(rest, straight)));
      }),
    );
  });

  it("UI-01 doubles nothing when everything is told again, in any cut", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: story.length }), (cut) => {
        const again = [
          ...story.slice(0, cut),
          event("start_over", { reason: "reconnected" }),
          ...story,
          ended,
        ];
        expect(said(after(again))).toEqual(whole);
        const stored = [2, 3, 4, 5].flatMap((seq) =>
          story.flatMap((news) =>
            news.type === "event" && (news.payload as { seq?: number }).seq === seq
              ? [(news.payload as { entry: Entry }).entry]
              : [],
          ),
        );
        expect(said(after([...again, page(stored), page(stored)]))).toEqual(whole);
      }),
    );
  });

  it("UI-01 is the same whether deltas come whole or in pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (pieces) => {
        const told = after(pieces.map((delta) => event("delta", { delta })));
        expect(said(told)).toEqual(said(after([event("delta", { delta: pieces.join("") })])));
      }),
    );
  });

  it("shows the entries of the session that is open, although those of another one had the same numbers", () => {
    const makeRows = createRowMaker();
    const shown = (conversation: Conversation) =>
      makeRows({ conversation, pending: [], notes: [], openAsides: new Set() }).flatMap((row) =>
        row.type === "user" || row.type === "answer" ? [row.text] : [],
      );
    const first = after([page([user(2, "first"), answer(3, [words("Well.")])], null, "s1")]);
    expect(shown(first)).toEqual(["first", "Well."]);
    const second = after([page([user(2, "second"), answer(3, [words("Good.")])], null, "s2")], first);
    expect(shown(second)).toEqual(["second", "Good."]);
  });

  it("shows an answer once that the history brings before its run reports it", () => {
    const told = after([
      event("step", { seq: 2, entry: user(2, "do it") }),
      event("delta", { delta: "Very well." }),
      page([user(2, "do it"), answer(3, [words("Very well.")])]),
    ]);
    expect(said(told).filter((row) => row === "answer: Very well.")).toHaveLength(1);
  });

  it("keeps the next words when the step of the last ones comes late", () => {
    const late = after([
      event("delta", { delta: "First." }),
      event("delta", { delta: "Second" }),
      event("step", { seq: 3, entry: answer(3, [words("First.")]) }),
    ]);
    expect(said(late)).toEqual(["answer: First.", "answer: Second"]);
    const called = after([
      event("delta", { delta: "First." }),
      event("tool_call", { call: call("c1") }),
      event("delta", { delta: "Second" }),
      event("step", { seq: 3, entry: answer(3, [words("First."), call("c1")]) }),
    ]);
    expect(said(called)).toEqual(["answer: First.", "exec running", "answer: Second"]);
  });

  it("shows a call that waits for the owner with its question, and goes on when that is answered", () => {
    const approval = { id: "a1", state: "pending", turnId: "r1", callId: "c1" } as ApprovalView;
    const asked = after([
      ...story.slice(0, 6),
      event("approval", { approval }),
      event("approval", { approval }),
    ]);
    expect(said(asked)).toEqual(["user: do it", "answer: I will.", "exec waiting", "approval"]);
    const answered = after([event("approval_answered", { id: "a1", state: "approved" })], asked);
    expect(said(answered)).toEqual(["user: do it", "answer: I will.", "exec running", "working"]);
  });

  it("tells calls that failed from those that were denied and those that never ended", () => {
    const calls = ["c1", "c2", "c3"].map((id) => call(id));
    const conversation = after([
      page([
        answer(2, calls),
        result(3, "c1", "execution_error: Denied: the owner said no", true),
        result(4, "c2", "execution_error: no such file", true),
      ]),
    ]);
    expect(said(conversation)).toEqual(["exec denied", "exec failed", "exec unanswered"]);
    expect(rowsOf(conversation).find((row) => row.type === "tool")).toMatchObject({ ms: 2000 });
  });

  it("knows which runs go on and how the last one ended", () => {
    const limit = after([
      page([user(2, "a")]),
      { type: "runs", runs: [run("r2", "done", { type: "step-limit", steps: 3 })] },
    ]);
    expect(limit.ending).toMatchObject({ runId: "r2", type: "step-limit", canGoOn: true });
    expect(said(limit)).toEqual(["user: a", "ending"]);
    const busy = after(
      [{ type: "runs", runs: [run("r4", "queued"), run("r3", "running"), run("r2", "done")] }],
      limit,
    );
    expect(busy.runs.map(({ runId, state }) => [runId, state])).toEqual([
      ["r3", "running"],
      ["r4", "queued"],
    ]);
    expect(after([{ type: "runs", runs: [run("r4", "done", { type: "answered" })] }], busy)).toMatchObject({
      runs: [],
      ending: null,
    });
  });
});

describe("how a run ended", () => {
  const failed = run("r2", "done", { type: "model-failed", reason: "500: boom" });
  const emptyPage = (sessionId: string, isEnded: boolean): News => ({
    type: "page",
    place: "newest",
    page: { sessionKey: "agent:main:main", sessionId, isEnded, entries: [], before: null },
  });

  it("is told in its own session, not in one that follows under the same key", () => {
    const here = after([page([user(2, "a")]), { type: "runs", runs: [failed] }]);
    expect(here.ending).toMatchObject({ runId: "r2", canGoOn: true });
    const next = after([emptyPage("s2", false)], here);
    expect(next.ending).toBeNull();
    expect(after([{ type: "runs", runs: [failed] }], next).ending).toBeNull();
  });

  it("is told in a session that has ended, which cannot go on", () => {
    const ended = after([emptyPage("s1", true), { type: "runs", runs: [failed] }]);
    expect(ended.ending).toMatchObject({ runId: "r2", canGoOn: false });
  });
});

describe("the history of a conversation", () => {
  const all = Array.from({ length: 30 }, (_, index) => user(index + 1, `m${index + 1}`));
  const paged = (
    place: "older" | "newer" | "around",
    entries: Entry[],
    before: number | null,
    isAtEnd = false,
  ): News => ({
    type: "page",
    place,
    page: { sessionKey: "agent:main:main", sessionId: "s1", entries, before },
    isAtEnd,
  });

  it("UI-01 grows upward by pages, each entry once", () => {
    const grown = after([
      page(all.slice(20), 21),
      paged("older", all.slice(8, 22), 9),
      paged("older", all.slice(0, 8), null),
    ]);
    expect(grown.entries.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    expect(grown.before).toBeNull();
  });

  it("UI-01 is somewhere else after a jump, and comes back to the end by pages", () => {
    const jumped = after([page(all.slice(25), 26), paged("around", all.slice(4, 9), 5)]);
    expect([jumped.entries.length, jumped.isAtEnd]).toEqual([5, false]);
    const stayed = after(
      [page(all.slice(25), 26), event("step", { seq: 31, entry: user(31, "new") })],
      jumped,
    );
    expect(stayed.entries.map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9]);
    const back = after([paged("newer", all.slice(9, 30), 10, true)], stayed);
    expect([back.entries.length, back.isAtEnd]).toEqual([26, true]);
  });

  it("begins anew when another session has taken its place, and when too much was missed", () => {
    const missed = after([page(all.slice(0, 5)), page(all.slice(20), 21)]);
    expect(missed.entries[0]?.seq).toBe(21);
    const other = after([page(all.slice(0, 5)), page([user(1, "anew")], null, "s2")]);
    expect(said(other)).toEqual(["user: anew"]);
  });

  it("UI-01 folds hidden messages, however often, and shows them on request", () => {
    const aside = (seq: number, from: number): Entry => ({
      type: "event",
      seq,
      time,
      name: "set-aside",
      data: { from },
    });
    const entries = [
      user(2, "first"),
      answer(3, [words("one")]),
      user(4, "second"),
      answer(5, [words("two")]),
      aside(6, 4),
      user(7, "third"),
      answer(8, [words("three")]),
      aside(9, 7),
      user(10, "fourth"),
    ];
    const conversation = after([page(entries)]);
    expect(said(conversation)).toEqual(["user: first", "answer: one", "aside", "user: fourth"]);
    expect(rowsOf(conversation).find((row) => row.type === "aside")).toMatchObject({ from: 4, count: 4 });
    const open = rowsOf(conversation, new Set([4])).filter((row) => row.isAside);
    expect(open.map(({ type }) => type)).toEqual(["user", "answer", "user", "answer"]);
  });

  it("makes the same rows of the same entries, so that nothing is drawn again", () => {
    const make = createRowMaker();
    const parts = { pending: [], notes: [], openAsides: new Set<number>() };
    const first = make({ ...parts, conversation: after([page(all)]) });
    const grown = after([page([...all, user(31, "m31")])]);
    const second = make({ ...parts, conversation: grown });
    expect(second.slice(0, first.length).every((row, index) => row === first[index])).toBe(true);
    expect(second).toHaveLength(first.length + 1);
    const keys = second.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
