import * as fc from "fast-check";
import { expect, it } from "vitest";
import { maskText } from "./config-history.ts";
import { parseOrRefuse } from "./edit-config.ts";
import { restoreSecrets } from "./restore-secrets.ts";

const restore = (wanted: string, present: string) =>
  restoreSecrets(maskText(wanted) ?? expect.fail("unparsable"), present);

it("takes every item of a list out when nobody has their secrets any more", () => {
  expect(restore('{ channels: { x: { tokens: ["lit1", "lit2"], n: 1 } } }', "{}")).toEqual({
    text: "{ channels: { x: { tokens: [], n: 1 } } }",
    lost: ["channels.x.tokens[0]", "channels.x.tokens[1]"],
    kept: [],
  });
});

it("leaves a list with secrets as it is now when it has changed, and says so", () => {
  const wanted =
    '{ channels: { x: { accounts: [{ id: "a", token: "lit-a" }, { id: "b", token: "lit-b" }] } } }';
  const present =
    '{ channels: { x: { accounts: [{ id: "b", token: "lit-b" }, { id: "a", token: "lit-a" }] } } }';
  expect(restore(wanted, present)).toEqual({ text: present, lost: [], kept: ["channels.x.accounts"] });
});

it("gives a list its secrets back when it is still the same", () => {
  const list = 'accounts: [{ id: "a", token: "lit-a" }, "plain"]';
  expect(restore(`{ channels: { x: { n: 1, ${list} } } }`, `{ channels: { x: { n: 2, ${list} } } }`)).toEqual(
    {
      text: `{ channels: { x: { n: 1, ${list} } } }`,
      lost: [],
      kept: [],
    },
  );
});

it("says that a key stays as it is now when its literal has given way to a handle", () => {
  const present = '{ gateway: { auth: { token: "secret:mine" } } }';
  expect(restore('{ gateway: { auth: { token: "literal" } } }', present)).toEqual({
    text: present,
    lost: [],
    kept: ["gateway.auth.token"],
  });
});

it.each([
  ["a key", '{ gateway: { auth: { token: "a", token: "b" } } }'],
  ["a group", '{ gateway: { auth: { token: "a" } }, gateway: { port: 1 } }'],
  ["a list", '{ channels: { x: { tokens: ["a"], tokens: ["b", "c"] } } }'],
  ["a name that may not be used", '{ channels: { x: { __proto__: { token: "a" } } } }'],
])("writes no mask where %s stands twice or does not count", (_name, wanted) => {
  for (const present of ["{}", wanted, '{ gateway: { auth: { token: "d" } } }'])
    expect(restore(wanted, present).text).not.toContain("***");
});

it("never writes a mask, and never gives an account the secret of another", () => {
  const account = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    token: fc.constantFrom("t1", "t2", "secret:s"),
  });
  const channel = fc.record(
    {
      botToken: fc.constantFrom("t1", "t2", "secret:s"),
      tokens: fc.array(fc.constantFrom("t1", "t2", "secret:s"), { maxLength: 4 }),
      accounts: fc.array(account, { maxLength: 4 }),
      deep: fc.record({
        accounts: fc.array(fc.record({ inner: fc.array(account, { maxLength: 2 }) }), { maxLength: 2 }),
      }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(channel, channel, (before, now) => {
      const [wanted, present] = [before, now].map((x) => JSON.stringify({ channels: { x } }));
      if (wanted === undefined || present === undefined) return;
      const restored = restore(wanted, present);
      expect(restored.text).not.toContain("***");
      const pairs = (value: unknown) => JSON.stringify(value)?.match(/"id":"\w","token":"t\d"/g) ?? [];
      const known = new Set(pairs(now));
      expect(pairs(parseOrRefuse(restored.text).value).filter((pair) => !known.has(pair))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
