import { describe, expect, it } from "vitest";
import { compact, toResult } from "./compact.ts";
import type { BeforeCompact } from "./compaction.ts";
import { unavailable } from "./summary-format.ts";
import { compacted, inputOf, talk } from "./testing/compaction-stage.ts";
import {
  assistant,
  createSummariser,
  quarterOfChars as tokensOf,
  result,
  user,
} from "./testing/conversation.ts";

describe("compaction", () => {
  it("COMP-16 makes one entry that stands for what was said before the first kept one", async () => {
    const { summarise } = createSummariser("They talked.");
    const body = await compacted(inputOf(talk(3)), { summarise, tokensOf });
    expect(body).toEqual({
      type: "compaction",
      summary: "They talked.\n\n(stands for entries #2–#5 of this session)",
      keepFrom: 6,
      from: 2,
      messages: 4,
      trigger: "manual",
      tokensBefore: 9000,
      tokensAfter: expect.any(Number),
      readFiles: [],
      modifiedFiles: [],
      origins: ["system"],
      // Nobody has said whose words these were.
      label: { untrusted: true, sources: ["session"] },
      later: "",
    });
  });

  it("COMP-01 sums up 14 of 26 messages and keeps 12", async () => {
    const { summarise } = createSummariser("They talked.");
    const said = inputOf(talk(13), { keep: { messages: 12 }, trigger: "messages" });
    expect(await compacted(said, { summarise, tokensOf })).toMatchObject({
      from: 2,
      keepFrom: 16,
      trigger: "messages",
    });
  });

  it("COMP-04 answers with summary, first kept entry, sizes and files", async () => {
    const { summarise } = createSummariser("They talked.");
    const given = { path: "a.ts" };
    const messages = [
      user("go"),
      assistant("", [{ id: "1", name: "write", arguments: given }]),
      result("1"),
      ...talk(1),
    ];
    const outcome = await compact(inputOf(messages), { summarise, tokensOf });
    expect(toResult(outcome)).toEqual({
      ok: true,
      compacted: true,
      result: {
        summary: expect.stringContaining("They talked."),
        firstKeptEntryId: "5",
        tokensBefore: 9000,
        tokensAfter: expect.any(Number),
        details: { readFiles: [], modifiedFiles: ["a.ts"] },
      },
    });
  });

  it("COMP-04 says why nothing was done", async () => {
    expect(toResult({ type: "nothing" })).toEqual({ ok: true, compacted: false, reason: "nothing" });
    expect(toResult({ type: "cancelled" })).toEqual({ ok: true, compacted: false, reason: "cancelled" });
    expect(toResult({ type: "failed", reason: "down" })).toEqual({
      ok: false,
      compacted: false,
      reason: "down",
    });
  });

  it("does nothing where less than two messages would be summed up, or where everything may stay", async () => {
    const { summarise, requests } = createSummariser("They talked.");
    expect(await compact(inputOf([user("hi"), ...talk(1)]), { summarise, tokensOf })).toEqual({
      type: "nothing",
    });
    expect(await compact(inputOf([]), { summarise, tokensOf })).toEqual({ type: "nothing" });
    expect(await compact(inputOf(talk(4), { keep: { tokens: 9999 } }), { summarise, tokensOf })).toEqual({
      type: "nothing",
    });
    expect(requests).toEqual([]);
  });

  it("does nothing by itself that would make next to no room", async () => {
    const { summarise, requests } = createSummariser("They talked.");
    const input = inputOf(talk(4), { trigger: "tokens", keep: { tokens: 10 } });
    expect(await compact(input, { summarise, tokensOf })).toEqual({ type: "nothing" });
    expect(requests).toEqual([]);
  });

  it("sums up a single message that fills the window, but not the question that stays in sight anyway", async () => {
    const { summarise } = createSummariser("They talked.");
    const huge = user("word ".repeat(2000));
    const keep = { tokens: 50 };
    const later = [huge, assistant("Well."), user("And now?")];
    const said = inputOf(later, { keep, trigger: "tokens" });
    expect(await compacted(said, { summarise, tokensOf })).toMatchObject({ from: 2, keepFrom: 3 });

    const steps = [huge, assistant("", [{ id: "1", name: "look_up", arguments: {} }]), result("1")];
    const inTurn = inputOf(steps, { keep, trigger: "tokens" });
    expect(await compact(inTurn, { summarise, tokensOf })).toEqual({ type: "nothing" });
  });

  it("estimates what the request takes afterwards: the summary in the place of what it stands for", async () => {
    const { summarise } = createSummariser("z".repeat(4000));
    const messages = [user("x".repeat(20_000)), assistant("y".repeat(12_000)), ...talk(1)];
    const { tokensAfter = 0 } = await compacted(inputOf(messages), { summarise, tokensOf });
    // 9,000 before, of which 8,000 are summed up in a little more than 1,000.
    expect(tokensAfter).toBeGreaterThan(2000);
    expect(tokensAfter).toBeLessThan(2050);
  });

  it("counts prompt and tools as they are where more is summed up than the request showed", async () => {
    const { summarise } = createSummariser("short");
    const messages = [user("x".repeat(400_000)), assistant("fine"), ...talk(1)];
    const input = inputOf(messages, { tokensBefore: 9000, fixedTokens: 2000 });
    const { tokensAfter = 0 } = await compacted(input, { summarise, tokensOf });
    expect(tokensAfter).toBeGreaterThan(2000);
    expect(tokensAfter).toBeLessThan(2050);
  });

  it("says how many messages it was made of, whatever else lies between them", async () => {
    const { summarise } = createSummariser("short");
    const said = inputOf(talk(3)).said.map((entry) => ({ ...entry, seq: entry.seq * 10 }));
    const body = await compacted(inputOf([], { said }), { summarise, tokensOf });
    expect(body).toMatchObject({ from: 20, keepFrom: 60, messages: 4 });
  });

  it("COMP-14 tells failures and files below the text", async () => {
    const { summarise } = createSummariser("They worked.");
    const messages = [
      user("go"),
      assistant("", [
        { id: "1", arguments: { path: "b.ts" } },
        { id: "2", name: "exec" },
      ]),
      result("1"),
      result("2", "command not found", {
        toolName: "exec",
        isError: true,
        details: { data: { exitCode: 127 } },
      }),
      ...talk(1),
    ];
    const previous = { summary: "Before.", readFiles: ["a.ts"], modifiedFiles: ["m.ts"] };
    const body = await compacted(inputOf(messages, { previous }), { summarise, tokensOf });
    expect(body.summary).toBe(
      "They worked.\n\n## Tool Failures\n- exec (exitCode=127): command not found\n\n<read-files>\na.ts\nb.ts\n</read-files>\n\n" +
        "<modified-files>\nm.ts\n</modified-files>\n\n(stands for entries #2–#5 of this session, and takes up the summary before it)",
    );
    expect(body).toMatchObject({ readFiles: ["a.ts", "b.ts"], modifiedFiles: ["m.ts"] });
  });

  it("takes up the words of the summary before it, and not its lists", async () => {
    const { summarise, requests } = createSummariser("They worked.");
    const summary =
      "Before.\n\n## Tool Failures\n- read (status=error): gone\n\n(stands for entries #2–#9 of this session)";
    await compact(inputOf(talk(3), { previous: { summary } }), { summarise, tokensOf });
    expect(requests[0]?.text).toContain("<summary-so-far>\nBefore.\n</summary-so-far>");
  });

  it("COMP-15 falls back to a text that says so, with failures and files", async () => {
    const { summarise } = createSummariser({ type: "unable", reason: "refused" });
    const failed = result("1", "gone", { isError: true });
    const messages = [user("go"), assistant("", [{ id: "1" }]), failed, ...talk(1)];
    const { summary } = await compacted(inputOf(messages), { summarise, tokensOf });
    expect(summary).toBe(
      `${unavailable}\n\n## Tool Failures\n- read (status=error): gone\n\n(stands for entries #2–#4 of this session)`,
    );
  });

  it("writes nothing when a model is down", async () => {
    const down = { type: "failed", reason: "overloaded" } as const;
    expect(
      await compact(inputOf(talk(3)), { summarise: createSummariser(down).summarise, tokensOf }),
    ).toEqual(down);
  });

  it("writes nothing when it was stopped while the last answer came", async () => {
    const stop = new AbortController();
    const outcome = await compact(inputOf(talk(3), { signal: stop.signal }), {
      tokensOf,
      summarise: async () => {
        stop.abort();
        return { type: "said", text: "too late" };
      },
    });
    expect(outcome).toEqual({ type: "failed", reason: "stopped" });
  });

  it("says where more was said than it was given", async () => {
    const { summarise } = createSummariser("They talked.");
    const body = await compacted(inputOf(talk(3), { isCut: true }), { summarise, tokensOf });
    expect(body.summary).toContain("They talked.\n\n(What was said right before #2 is not in this summary.)");
  });
});

describe("session_before_compact", () => {
  it("COMP-09 is told everything that is known before", async () => {
    const events: Array<Parameters<BeforeCompact>[0]> = [];
    const { summarise } = createSummariser("They talked.");
    const messages = [
      user("before"),
      user("go"),
      assistant("", [{ id: "1", arguments: { path: "a.ts" } }]),
      result("1"),
      assistant("", [{ id: "2" }]),
      result("2", "x".repeat(900)),
    ];
    const input = inputOf(messages, { keep: { tokens: 10 }, customInstructions: "Mind the prices." });
    const said = input.said.map((entry, index) => ({ ...entry, runId: index === 0 ? "one" : "two" }));
    await compact(
      { ...input, said },
      { summarise, tokensOf, hook: async (event) => void events.push(event) },
    );
    expect(events).toEqual([
      {
        preparation: {
          messagesToSummarize: messages.slice(0, 1),
          turnPrefixMessages: messages.slice(1, 4),
          fileOps: { read: new Set(["a.ts"]), written: new Set(), edited: new Set() },
          tokensBefore: 9000,
          firstKeptEntryId: "6",
        },
        customInstructions: "Mind the prices.",
        signal: input.signal,
      },
    ]);
  });

  it("COMP-09 may forbid it, add instructions or bring a summary", async () => {
    const { summarise, requests } = createSummariser("They talked.");
    const withHook = (wish: Awaited<ReturnType<BeforeCompact>>) =>
      compact(inputOf(talk(3), { customInstructions: "One." }), {
        summarise,
        tokensOf,
        hook: async () => wish,
      });
    expect(await withHook({ cancel: true })).toEqual({ type: "cancelled" });
    expect(await withHook({ summary: "Mine." })).toMatchObject({
      body: { summary: "Mine.\n\n(stands for entries #2–#5 of this session)", keepFrom: 6 },
    });
    expect(requests).toEqual([]);
    await withHook({ customInstructions: "Two." });
    expect(requests[0]?.system).toContain("One.\nTwo.");
  });

  it("COMP-09 fails the compaction when it throws, since it may have been about to forbid it", async () => {
    const { summarise, requests } = createSummariser("They talked.");
    const hook = async () => Promise.reject(new Error("broken"));
    expect(await compact(inputOf(talk(3)), { summarise, tokensOf, hook })).toEqual({
      type: "failed",
      reason: "session_before_compact: broken",
    });
    expect(requests).toEqual([]);
  });
});
