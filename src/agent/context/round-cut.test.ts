import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundCut } from "./round-cut.ts";
import { showEntries } from "./shown-entries.ts";
import { answer, anyTurns, call, entriesOf, result, settings, user } from "./testing/session-said.ts";

const size = (shown: ReturnType<typeof showEntries>) => shown.reduce((sum, { tokens }) => sum + tokens, 0);

describe("where what is kept begins", () => {
  it("leaves no more than the share, and never begins inside an exchange", () => {
    fc.assert(
      fc.property(anyTurns(8), fc.nat(60_000), (messages, share) => {
        const shown = showEntries(entriesOf(messages), [], settings());
        const first = roundCut(shown, share);
        expect(size(shown.slice(first))).toBeLessThanOrEqual(share);
        expect(shown[first]?.said.role).not.toBe("toolResult");
      }),
      { numRuns: 200 },
    );
  });

  it("leaves at least half of it where the turns are small, and stays for a while as they grow in number", () => {
    const talk = Array.from({ length: 2000 }, (_, index) =>
      index % 2 ? answer("a".repeat(100)) : user("q".repeat(100)),
    );
    const all = showEntries(entriesOf(talk), [], settings());
    const share = 4000;
    const begins = Array.from({ length: 800 }, (_, step) => {
      const shown = all.slice(0, 400 + step * 2);
      const first = roundCut(shown, share);
      expect(size(shown.slice(first))).toBeGreaterThan(share / 2 - 100);
      return shown[first]?.seq;
    });
    const moves = begins.filter((seq, index) => index > 0 && seq !== begins[index - 1]).length;
    expect(moves).toBeLessThan(800 / 10);
    expect(moves).toBeGreaterThan(5);
  });

  it("is an answer where no turn begins within the share, and nothing where not even that fits", () => {
    const steps = Array.from({ length: 20 }, (_, index) => [
      call(`c${index}`),
      result(`c${index}`, "x".repeat(400)),
    ]).flat();
    const shown = showEntries(entriesOf([user("go"), ...steps]), [], settings());
    expect(shown[roundCut(shown, 1000)]?.said.role).toBe("assistant");
    expect(roundCut(shown, 10)).toBe(shown.length);
  });
});
