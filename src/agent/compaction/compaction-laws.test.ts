import { wellFormedMessages, type CompactionEntryBody } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compact } from "./compact.ts";
import { digestSummary } from "./digest-summary.ts";
import { compacted, inputOf } from "./testing/compaction-stage.ts";
import {
  assistant,
  conversations,
  createSummariser,
  entriesOf,
  quarterOfChars as tokensOf,
  result,
  user,
} from "./testing/conversation.ts";

describe("whatever was said", () => {
  it("a summary stands for a beginning, and what is kept is well-formed as it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations,
        fc.oneof(
          fc.record({ tokens: fc.nat(1500) }),
          fc.record({ messages: fc.integer({ min: 1, max: 30 }) }),
        ),
        async (said, keep) => {
          const outcome = await compact(inputOf([], { said, keep }), { summarise: digestSummary, tokensOf });
          if (outcome.type !== "compacted") return;
          const { body } = outcome;
          const place = said.findIndex(({ seq }) => seq === body.keepFrom);
          expect(body.from).toBe(said[0]?.seq);
          expect(place).toBeGreaterThanOrEqual(1);
          expect(body.summary).toContain(`(stands for entries #2–#${said[place - 1]?.seq} of this session)`);
          const kept = said.slice(place).map(({ message }) => message);
          expect(wellFormedMessages(kept).messages).toBe(kept);
        },
      ),
    );
  });

  it("summaries of summaries stay small beside the window, five hundred times over", async () => {
    const { summarise } = createSummariser("word ".repeat(3000));
    let body: CompactionEntryBody | undefined;
    for (let round = 0; round < 500; round++) {
      const calls = Array.from({ length: 12 }, (_, index) => {
        const call = {
          id: `${index}`,
          name: index % 2 ? "read" : "write",
          arguments: { path: `src/${round}/${index}.ts` },
        };
        return [assistant("step", [call]), result(call.id, "fault ".repeat(100), { isError: index > 6 })];
      }).flat();
      const said = entriesOf([user("go ".repeat(2000)), ...calls], body?.keepFrom ?? 2);
      body = await compacted(inputOf([], { said, previous: body, keep: { tokens: 300 } }), {
        summarise,
        tokensOf,
      });
    }
    expect(tokensOf(user(body?.summary ?? ""))).toBeLessThan(32_000 * 0.22);
    expect(body?.readFiles).toHaveLength(200);
    expect(body?.modifiedFiles).toHaveLength(200);
  });
});
