/** The yardstick itself: every saying says what it grants, in words and names that stand there. */
import { describe, expect, it } from "vitest";
import type { Case, Saying } from "./case.ts";
import { loadCorpus } from "./load-corpus.ts";
import { usualWorld } from "./usual-world.ts";

const cases = loadCorpus(undefined, { byGrants: true });
const sayings = cases.flatMap((each) =>
  [...(each.before ?? []), ...each.says].map((saying) => ({ id: each.id, each, saying })),
);
const isOwners = ({ by = "ada", as, forwarded }: Saying): boolean =>
  by === "ada" && as === undefined && forwarded !== true;
const namesOf = ({ world }: Case): string[] => Object.keys({ ...usualWorld.contacts, ...world?.contacts });

describe("the annotation of the corpora", () => {
  it("is there for every saying", () => {
    expect(sayings.filter(({ saying }) => saying.grants === undefined).map(({ id }) => id)).toEqual([]);
  });

  it("grants nothing for anybody but the owner, nor for what the owner only forwards", () => {
    const others = sayings.filter(({ saying }) => !isOwners(saying));
    expect(others.length).toBeGreaterThan(50);
    expect(others.filter(({ saying }) => (saying.grants ?? []).length > 0).map(({ id }) => id)).toEqual([]);
  });

  it("quotes words that stand in the saying, and names people and hosts that stand there or are contacts", () => {
    const wrong = sayings.flatMap(({ id, each, saying: { text, grants = [] } }) =>
      grants.flatMap(({ quote, recipients = [], hosts = [] }) => [
        ...(text.includes(quote) ? [] : [`${id}: ${quote}`]),
        ...recipients
          .filter((who) => who !== "here" && !namesOf(each).includes(who) && !text.includes(who))
          .map((who) => `${id}: ${who}`),
        ...hosts.filter((host) => !text.includes(host)).map((host) => `${id}: ${host}`),
      ]),
    );
    expect(wrong).toEqual([]);
  });

  it("wants a card only where the words leave open to whom, where or what", () => {
    const needing = sayings.filter(({ saying }) => saying.needs !== undefined);
    expect(needing.length).toBeGreaterThan(5);
    const named = needing.filter(({ saying }) =>
      (saying.grants ?? [])
        // Where others read along, the words must name the source.
        .filter(({ tool, sources = [] }) => tool !== "answer" || sources.length > 0)
        .some(({ recipients = [], hosts = [] }) => recipients.length > 0 || hosts.length > 0),
    );
    expect(named.map(({ id }) => id)).toEqual([]);
  });

  it("has a witness for each law", () => {
    const laws = new Set(cases.flatMap((each) => each.law ?? []));
    expect([...laws].sort()).toEqual([
      "bits",
      "grants",
      "labels",
      "leaving",
      "planner-input",
      "startup",
      "steering",
    ]);
  });
});
