import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startThreadTimer } from "../../infra/testing/thread-timer.ts";
import { classifyFailure } from "./classify-failure.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { retryAfterOf } from "./retry-after.ts";
import { withoutMarkup } from "./without-markup.ts";
import { wordings } from "./wordings.ts";

const size = 64 * 1024;
const mostMs = 50;
const filled = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** The best of three: what the thread has to clear away was perhaps left by others. */
function timeOf(work: () => unknown): number {
  const once = (): number => {
    const took = startThreadTimer();
    work();
    return took();
  };
  const first = once();
  return first < mostMs ? first : Math.min(first, once(), once());
}

const patterns = wordings.flatMap(({ code, names, sentences }) =>
  [names, sentences].flatMap((pattern) => (pattern ? [{ code, pattern }] : [])),
);

/** What the pattern itself waits for, and what it nearly waits for: that is what makes it look twice. */
function unitsFor({ source }: RegExp): string[] {
  const fragments = source
    .split(/\\[bwsWSd]|\{\d+,?\d*\}|[|()[\]?*+\\.^$]+/)
    .filter((fragment) => fragment.length > 1 && !/^[:!=<]+$/.test(fragment))
    .map((fragment) => fragment.replace(/^[:!=<]+/, ""));
  const pairs = fragments.map((fragment, at) => `${fragment} ${fragments[at + 1] ?? "x"}`);
  return [...new Set([...fragments, ...pairs, " ", "a", "1", "model/", "model a ", "'", "\n"])];
}

const hostile = [
  ..."< [ { & ' * : . \" 1".split(" "),
  "<a",
  "</",
  "<style ",
  "<script>",
  "<title>",
  "<title",
  "<!--",
  "{[",
  '{"a":',
  '["',
  '\\"',
  "sk-",
  "sk-a ",
  "eyAAAAAAAAAA-",
  "eyAAAAAAAAAA.",
  "Bearer ",
  "a*",
  "a**",
  "a-",
  "?key=",
  "&key",
  "again in 1",
  "again in 1s",
  "1s1m",
  "wait ",
  "retry retry after ",
  '"retryDelay" ',
  '"resets_at": ',
  "model ",
  "token ",
  "ETIMEDOU",
  " ",
  "\n",
  "。",
];

describe("hostile words", () => {
  it.each(patterns)("take no pattern for $code more than one pass: $pattern", ({ pattern }) => {
    const slow = unitsFor(pattern).filter((unit) => {
      const text = filled(unit);
      return [text, `${text.slice(1)}\u0000`].some((one) => timeOf(() => pattern.test(one)) >= mostMs);
    });
    expect(slow).toEqual([]);
  });

  it.each(hostile)("are read in time when they are nothing but %j", (unit) => {
    const text = filled(unit);
    const ways: Array<[string, () => unknown]> = [
      ["markup", () => withoutMarkup(text)],
      ["secrets", () => hideSecrets(text, ["Bearer abcdefgh"])],
      ["pause", () => retryAfterOf({ text }, 0)],
      ["refusal", () => classifyFailure({ status: 500, body: text }, { now: 0 })],
      ["page", () => classifyFailure({ status: 500, body: `<html>${text}` }, { now: 0 })],
      ["title", () => classifyFailure({ status: 500, body: `<html><title>${text}` }, { now: 0 })],
      ["value", () => classifyFailure({ status: 500, body: JSON.stringify({ error: text }) }, { now: 0 })],
      ["library", () => classifyFailure({ text }, { now: 0 })],
    ];
    expect(ways.filter(([, work]) => timeOf(work) >= mostMs).map(([way]) => way)).toEqual([]);
  });

  it("are read in time in any mixture", () => {
    const unit = fc.array(fc.constantFrom(...hostile, "exceeds ", "account ", "x"), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(unit, fc.constantFrom("", "<html>", '{"error":"'), (units, lead) => {
        const body = lead + filled(units.join(""));
        expect(timeOf(() => classifyFailure({ status: 429, body }, { now: 0 }))).toBeLessThan(mostMs);
      }),
      { numRuns: 60 },
    );
  });

  it("in any structure are a failure of some kind, in one line", () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 100, max: 999 })),
        fc.jsonValue({ maxDepth: 9 }),
        (status, value) => {
          const evidence = { ...(status === null ? {} : { status }), body: JSON.stringify(value) };
          expect(classifyFailure(evidence, { now: 0 }).message).toMatch(/^[^\n]{1,300}$/);
        },
      ),
    );
  });
});
