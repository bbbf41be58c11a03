import * as fc from "fast-check";
import { expect, it } from "vitest";
import { migrateConfig, newestConfigVersion } from "./migrations.ts";
import { parseConfig } from "./parse-config.ts";
import { migrateText } from "./set-config.ts";
import { everydayConfig, olderConfig } from "./testing/samples.ts";

const parse = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.type === "parsed" ? parsed.value : expect.fail(parsed.message);
};

const name = fc.constantFrom(
  "agent",
  "agents",
  "defaults",
  "model",
  "primary",
  "routing",
  "bindings",
  "identity_links",
  "session",
  "identityLinks",
  "restrict_to_workspace",
  "configVersion",
  "toString",
);
const oldish = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.dictionary(name, tie("value"), { maxKeys: 6 }),
    fc.constantFrom(0, 1, 2, "p/m"),
  ),
})).value;

it("moves older spellings to where they belong", () => {
  expect(migrateConfig(parse(olderConfig)).value).toEqual({
    configVersion: newestConfigVersion,
    agents: {
      defaults: {
        model: { primary: "mock/mock-1" },
        toolMaxSteps: 7,
        compaction: { reserveTokensFloor: 1000 },
        restrictToWorkspace: false,
      },
    },
    bindings: [{ match: { channel: "telegram" }, agentId: "helper" }],
    session: { identityLinks: { alice: ["telegram:42"] } },
  });
});

it("lets the new spelling win where both are there", () => {
  const { value, moves } = migrateConfig({
    agent: { toolMaxSteps: 1 },
    agents: { defaults: { toolMaxSteps: 2 } },
  });
  expect(value).toMatchObject({ agents: { defaults: { toolMaxSteps: 2 } } });
  expect(moves).toMatchObject([{ moved: false }]);
});

it("uses a config of a newer version as it is", () => {
  const newer = { configVersion: 99, agent: { toolMaxSteps: 1 } };
  expect(migrateConfig(newer)).toEqual({ value: newer, moves: [], version: 99 });
});

it("is total and idempotent for any value", () => {
  fc.assert(
    fc.property(oldish, (value) => {
      const once = migrateConfig(value).value;
      expect(migrateConfig(once)).toMatchObject({ value: once, moves: [] });
    }),
    { numRuns: 2000 },
  );
});

it("writes into the text what it does to the value, comments kept", () => {
  const text = migrateText(olderConfig);
  expect(parse(text)).toEqual(migrateConfig(parse(olderConfig)).value);
  for (const comment of ["// brought along", "/* floor */"]) expect(text).toContain(comment);
  expect(migrateText(text)).toBe(text);
  expect(parse(migrateText(everydayConfig))).toEqual({
    configVersion: 1,
    ...(parse(everydayConfig) as object),
  });
});

it("writes into any text what it does to the value", () => {
  fc.assert(
    fc.property(fc.dictionary(name, oldish), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(parse(migrateText(text))).toEqual(migrateConfig(parse(text)).value);
    }),
  );
});

it("writes agent ids in their one spelling", () => {
  const text =
    "{ configVersion: 1, agents: { list: [{ id: 'Helper' /* me */ }] }, bindings: [{ agentId: '${WHO}' }] }";
  expect(migrateText(text)).toBe(text.replace("Helper", "helper"));
});
