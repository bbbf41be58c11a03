import * as fc from "fast-check";
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { withPath } from "@pincer/sdk";
import { checkConfig, describeShape, fillDefaults, nearestName } from "./check-config.ts";
import { defaultConfig } from "./default-config.ts";
import { environmentKeys } from "./environment-layer.ts";
import { inBothLanguages, inEnglish } from "./in-both-languages.ts";
import { parseConfig } from "./parse-config.ts";
import { configFileSchema, configShape, ConfigSchema, type Config } from "./schema.ts";
import type { Shape } from "./schema/keys.ts";
import { everydayConfig, sampleWithMemory } from "./testing/samples.ts";

const valueOf = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.type === "parsed" ? parsed.value : expect.fail(parsed.message);
};

it("gives every key a description", () => {
  const without: string[] = [];
  const visit = (shape: Shape, path: string): void => {
    for (const [name, inner] of Object.entries(shape.properties ?? {})) {
      if (!inner.description) without.push(`${path}${name}`);
      visit(inner, `${path}${name}.`);
    }
    for (const inner of Object.values(shape.patternProperties ?? {})) {
      if (!inner.description && inner.type !== undefined) without.push(`${path}<name>`);
      visit(inner, `${path}<name>.`);
    }
    if (shape.items) visit(shape.items, `${path}[].`);
    for (const option of shape.anyOf ?? []) visit(option, path);
  };
  visit(configShape, "");
  expect(without).toEqual([]);
});

it("has the same defaults in the schema and in the object that a start without a file uses", () => {
  const typed: Config = defaultConfig;
  expect(fillDefaults(configShape, {})).toEqual(typed);
  expect(Compile(ConfigSchema).Check(typed)).toBe(true);
});

it("CFG-08 has the settled defaults of compaction, pruning and memory search", () => {
  expect(defaultConfig.agents.defaults).toMatchObject({
    compaction: { reserveTokensFloor: 20_000, memoryFlush: { enabled: true, softThresholdTokens: 4000 } },
    contextPruning: { mode: "cache-ttl", ttl: "5m" },
    memorySearch: { query: { hybrid: { candidateMultiplier: 4 } }, cache: { maxEntries: 50_000 } },
  });
});

it("CFG-06 CFG-07 X7 X27 has the settled defaults", () => {
  expect(defaultConfig.agents.defaults).toMatchObject({ maxContextMessages: 50, toolMaxSteps: 50 });
  expect(defaultConfig.session).toMatchObject({
    dmScope: "main",
    reset: { mode: "daily", atHour: 4, idleMinutes: 240 },
  });
  expect(defaultConfig.gateway).toMatchObject({
    port: 18650,
    default: { pairingPendingTtlMs: 3_600_000, pairingPendingMax: 3 },
  });
});

it.each([
  ["the sample with every memory setting", sampleWithMemory],
  ["the everyday example", everydayConfig],
])("accepts %s as it is", (_name, text) => {
  const { findings, value } = checkConfig(configShape, valueOf(text), "partial");
  expect(findings).toEqual([]);
  expect(value).toEqual(valueOf(text));
});

it("writes a JSON Schema in which only what has no default is required", () => {
  const schema = configFileSchema() as Shape & { $schema: string };
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(schema.required).toBeUndefined();
  expect(schema.properties?.["gateway"]?.properties?.["port"]).toMatchObject({ default: 18650, minimum: 0 });
  expect(schema.properties?.["agents"]?.properties?.["list"]?.items?.required).toEqual(["id"]);
  expect(JSON.parse(JSON.stringify(schema))).toEqual(JSON.parse(JSON.stringify(configFileSchema())));
  const accepts = Compile(schema as never);
  expect(accepts.Check(valueOf(everydayConfig))).toBe(true);
  expect(accepts.Check({ gateway: { port: "x" } })).toBe(false);
});

it("never calls a value good that the schema library refuses", () => {
  const judge = Compile(ConfigSchema);
  const paths = allPaths(configShape).filter((path) => !path.includes("profiles"));
  fc.assert(
    fc.property(
      fc.constantFrom(...paths),
      fc.oneof(fc.jsonValue(), fc.constantFrom(0, 1, -1, 70_000, "main", "5m", [], {})),
      (path, value) => {
        const candidate = fillDefaults(configShape, withPath({}, path, value));
        const checked = checkConfig(configShape, candidate, "complete");
        const isGood = !checked.findings.some((finding) => finding.type === "bad-value");
        expect(judge.Check(checked.value)).toBe(isGood);
      },
    ),
    { numRuns: 1000 },
  );
});

it("reads environment values only in forms that fit their key", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...environmentKeys),
      fc.oneof(
        fc.string({ minLength: 1 }),
        fc.nat().map(String),
        fc.constantFrom("info", "lan", "zh_CN", "enterprise"),
      ),
      (key, text) => {
        const value = key.read(text);
        if (value === undefined) return;
        expect(checkConfig(configShape, withPath({}, key.path, value), "partial").findings).toEqual([]);
      },
    ),
  );
});

it("finds the name that was probably meant, and none when nothing is near", () => {
  expect(nearestName("agent", ["agents", "auth"])).toBe("agents");
  expect(nearestName("bottoken", ["botToken", "token"])).toBe("botToken");
  expect(nearestName("weather", ["agents", "auth"])).toBeUndefined();
});

it("says in words what a key wants", () => {
  const inWords = (shape: Shape) => inEnglish(describeShape(shape));
  expect(inWords({ type: "integer", minimum: 1, maximum: 9 })).toBe("a whole number from 1 to 9");
  expect(inWords({ type: "number", minimum: 1 })).toBe("a number of at least 1");
  expect(inWords({ enum: ["a", "b"] })).toBe('one of "a", "b"');
  expect(inWords({ type: "array", items: { type: "string" } })).toBe("a list [ a text, … ]");
  expect(inWords({ anyOf: [{ type: "string" }, { type: "object" }] })).toBe(
    "a text or a group of keys { … }",
  );
  expect(inBothLanguages("x", describeShape({ type: "array", items: { type: "string" } }))["xZh"]).toBe(
    "列表 [ 文本, … ]",
  );
});

it("calls tools.allow a limit, and a config profile by its own flag", () => {
  const { tools, profile, agents } = configShape.properties ?? {};
  const limit = "Only these tools and groups, if any are listed; deny wins.";
  expect(tools?.properties?.["allow"]?.description).toBe(limit);
  const agent = agents?.properties?.["list"]?.items?.properties?.["tools"];
  expect(agent?.properties?.["allow"]?.description).toBe(limit);
  expect(profile?.description).toContain("--config-profile");
});

function allPaths(shape: Shape, path: string[] = []): string[][] {
  const inner = [
    ...Object.entries(shape.properties ?? {}),
    ...Object.values(shape.patternProperties ?? {}).map((item) => ["some", item] as const),
  ];
  return [
    ...(path.length > 0 ? [path] : []),
    ...inner.flatMap(([name, item]) => allPaths(item, [...path, name])),
  ];
}

it.each([
  ["example.org", true],
  ["*.example.org", true],
  ["nas.lan:8080", true],
  ["192.168.1.0/24", true],
  ["fd00::/8", true],
  ["[::1]:80", true],
  ["http://127.0.0.1:18777/", false],
  ["example.org/path", false],
  ["me@example.org", false],
  ["", false],
])("takes %j for a host that a rule can mean: %s", (host, isHost) => {
  const networks = [
    { tools: { network: { deny: [host] } } },
    { tools: { network: { allowPrivate: [host] } } },
    { tools: { exec: { network: { allow: [host] } } } },
  ];
  const isTaken = (config: object) => checkConfig(configShape, config, "partial").findings.length === 0;
  expect(networks.map(isTaken)).toEqual([isHost, isHost, isHost]);
});
