import type { Message } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { compacted, inputOf, talk } from "./testing/compaction-stage.ts";
import {
  assistant,
  createSummariser,
  entriesOf,
  quarterOfChars as tokensOf,
  result,
  user,
} from "./testing/conversation.ts";

describe("too much for one summary", () => {
  const large = Array.from({ length: 8 }, (_, index) => user(`${index} ${"x".repeat(3998)}`));

  it("COMP-12 leaves the oldest out where what is new takes more than half of the window, and says so", async () => {
    const { summarise, requests } = createSummariser("They talked.");
    const input = inputOf([...large, ...talk(1)], { contextWindow: 10_000, tokensBefore: 8000 + 5100 });
    const { summary, from } = await compacted(input, { summarise, tokensOf });
    expect(summary).toContain(
      "(Of entries #2–#5 only the beginnings were read: too much was said to sum up all of it.)",
    );
    expect(from).toBe(2);
    expect(requests[0]?.text).toContain("In brief, what came next:\n- user: 0 xxx");
    expect(requests[0]?.text).not.toContain("#5 user");
    expect(requests[0]?.text).toContain("#6 user");
  });

  it("names what was told in brief for want of requests", async () => {
    const { summarise, requests } = createSummariser("They talked.");
    const years = Array.from({ length: 40 }, () => large).flat();
    const input = inputOf([...years, ...talk(1)], { contextWindow: 10_000 });
    const { summary, messages } = await compacted(input, { summarise, tokensOf });
    expect(summary).toMatch(/They talked\.\n\n\(Of entries #2–#\d+ only the beginnings were read: .*\)/u);
    expect(messages).toBe(320);
    expect(requests.length).toBeLessThanOrEqual(12);
  });

  it("COMP-12 reads all of it otherwise", async () => {
    const { summarise } = createSummariser("They talked.");
    const input = inputOf([...large, ...talk(1)], { contextWindow: 10_000, tokensBefore: 8000 + 4900 });
    expect((await compacted(input, { summarise, tokensOf })).summary).not.toContain("only the beginnings");
  });
});

describe("a turn that is cut in two", () => {
  const step = (id: string): Message[] => [assistant(`step ${id}`, [{ id }]), result(id, "x".repeat(400))];
  const work = [user("rename\neverything"), ...["1", "2", "3", "4"].flatMap(step)];
  const keep = { tokens: 250 };

  it("COMP-13 is summed up apart from what came before it, with the request word for word", async () => {
    const { summarise, requests } = createSummariser("The history.", "Half is done.");
    const body = await compacted(inputOf([...talk(2), ...work], { keep }), { summarise, tokensOf });
    expect(body.keepFrom).toBe(11);
    expect(body.summary).toBe(
      "The history.\n\n---\n\nTurn Context: What was asked for, word for word:\n> #6: rename\n> everything\n\nHalf is done.\n\n" +
        "(stands for entries #2–#10 of this session)",
    );
    expect(requests).toHaveLength(2);
    expect(requests[0]?.text).not.toContain("rename");
    expect(requests[1]?.text).not.toContain("ask 1");
  });

  it("COMP-13 keeps the request and the history as they were when it is cut again and again", async () => {
    const { summarise, requests } = createSummariser("The history.", "Half is done.", "More is done.");
    const parts = { summarise, tokensOf };
    let body = await compacted(inputOf([...talk(2), ...work], { keep }), parts);
    for (let round = 0; round < 20; round++) {
      const said = entriesOf(["a", "b", "c", "d"].flatMap(step), body.keepFrom);
      body = await compacted(inputOf([], { said, previous: body, keep }), parts);
    }
    expect(body.summary).toMatch(
      /^The history\.\n\n---\n\nTurn Context: What was asked for, word for word:\n> #6: rename\n> everything\n\nMore is done\.\n\n\(stands/u,
    );
    expect(requests[2]?.text).toContain("<summary-so-far>\nHalf is done.\n</summary-so-far>");
  });

  it("is taken up as a whole once the turn is over", async () => {
    const { summarise, requests } = createSummariser("The history.", "Half is done.", "All of it.");
    const first = await compacted(inputOf([...talk(2), ...work], { keep }), { summarise, tokensOf });
    const said = entriesOf([...step("5"), assistant("done"), ...talk(2)], first.keepFrom);
    const body = await compacted(inputOf([], { said, previous: first }), { summarise, tokensOf });
    expect(body.summary.startsWith("All of it.\n\n(stands")).toBe(true);
    expect(requests[2]?.text).toContain("The history.\n\n---\n\nTurn Context: What was asked for");
  });
});
