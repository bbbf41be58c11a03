import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unused } from "../../storage/credentials/credentials.ts";
import { readAuthProfiles, writeAuthProfiles, type CarriedCredential } from "./auth-profiles-file.ts";
import { foreignPrograms } from "./foreign-logins.ts";

const anyLogin = () => true;

const sample = {
  version: 1,
  profiles: {
    "anthropic:default": { type: "api_key", provider: "anthropic", key: "sk-1" },
    "anthropic:setup": { type: "token", provider: "anthropic", token: "tok", expires: 1_800_000_000_000 },
    "openai-codex:me@example.com": {
      type: "oauth",
      provider: "openai-codex",
      refresh: "r",
      access: "a",
      expires: 1_800_000_000_000,
      accountId: "acc",
    },
    empty: { type: "api_key", provider: "openai", key: " " },
  },
  order: { anthropic: ["anthropic:setup", "anthropic:default"] },
  lastGood: { anthropic: "anthropic:default" },
  usageStats: {
    "anthropic:default": {
      lastUsed: 1_767_268_800_000,
      errorCount: 2,
      cooldownUntil: 1_767_268_801_000,
      disabledUntil: 1_767_268_802_000,
    },
  },
};

it("AUTH-01 AUTH-02 AUTH-03 reads every type, the order and what is known of the use", () => {
  const read = readAuthProfiles(JSON.stringify(sample), "f", anyLogin);
  expect(read.credentials.map(({ id, type, secret }) => [id, type, secret])).toEqual([
    ["anthropic:default", "api_key", { key: "sk-1" }],
    ["anthropic:setup", "token", { token: "tok", expires: 1_800_000_000_000 }],
    [
      "openai-codex:me@example.com",
      "oauth",
      { refresh: "r", access: "a", expires: 1_800_000_000_000, accountId: "acc" },
    ],
  ]);
  expect(read.credentials[0]?.use).toEqual({
    ...unused(),
    lastUsedAt: "2026-01-01T12:00:00.000Z",
    errorCount: 2,
    cooldownUntil: "2026-01-01T12:00:01.000Z",
    disabledUntil: "2026-01-01T12:00:02.000Z",
  });
  expect(read.order).toEqual(sample.order);
  expect(read.skipped).toEqual([{ id: "empty", reason: "empty" }]);
});

it("AUTH-05 leaves out a login of a provider that has none, and takes the rest", () => {
  const { credentials, skipped } = readAuthProfiles(
    JSON.stringify(sample),
    "f",
    (provider) => provider === "anthropic",
  );
  expect(credentials.map(({ id }) => id)).toEqual(["anthropic:default", "anthropic:setup"]);
  expect(skipped).toEqual([
    { id: "openai-codex:me@example.com", reason: "no-login" },
    { id: "empty", reason: "empty" },
  ]);
});

it.each([
  ["no JSON", '{"profiles": {"a": "sk-planted"'],
  ["a list", "[]"],
  ["null", "null"],
  ["no profiles", "{}"],
  ["profiles of another form", '{"profiles": []}'],
  ["another version", '{"version": 9, "profiles": {}}'],
  ["a profile without a type", '{"profiles": {"a": {"provider": "x", "key": "sk-planted"}}}'],
  ["a profile of another type", '{"profiles": {"a": {"type": "sk-planted", "provider": "x"}}}'],
  ["a profile without a provider", '{"profiles": {"a": {"type": "api_key", "key": "sk-planted"}}}'],
  ["a profile that is none", '{"profiles": {"a": "sk-planted"}}'],
  ["the name none", '{"profiles": {"none": {"type": "api_key", "provider": "x", "key": "sk-planted"}}}'],
  [
    "the name environment",
    '{"profiles": {"environment": {"type": "api_key", "provider": "x", "key": "sk-planted"}}}',
  ],
  [
    "a name of the config's",
    '{"profiles": {"config:x": {"type": "api_key", "provider": "x", "key": "sk-planted"}}}',
  ],
  ["a name that is none", '{"profiles": {"sk planted": {"type": "api_key", "provider": "x", "key": "k"}}}'],
])("AUTH-01 refuses a file with %s, and repeats nothing of it", (_name, text) => {
  expect(() => readAuthProfiles(text, "the-file", anyLogin)).toThrow(
    expect.objectContaining({
      code: "usage/bad-argument",
      message: expect.stringMatching(/the-file(?!.*planted)/),
    }),
  );
});

it("AUTH-02 reads back what it wrote", () => {
  const time = fc.option(fc.integer({ min: 1, max: 4e12 }).map((ms) => new Date(ms).toISOString()));
  const use = fc.record({
    lastUsedAt: time,
    errorCount: fc.nat({ max: 1000 }),
    billingCount: fc.nat({ max: 1000 }),
    cooldownUntil: time,
    disabledUntil: time,
    disabledReason: fc.option(fc.string()),
    lastError: fc.option(fc.string()),
    lastErrorAt: time,
  });
  const value = fc.string({ unit: "grapheme" }).map((text) => `v${text}`);
  const kind = fc.oneof(
    fc.record({ type: fc.constant("api_key" as const), secret: fc.record({ key: value }) }),
    fc.record({ type: fc.constant("token" as const), secret: fc.record({ token: value }) }),
    fc.record({
      type: fc.constant("oauth" as const),
      secret: fc.record({ refresh: value, access: value, expires: fc.nat() }),
    }),
  );
  const credential = fc
    .tuple(
      fc.stringMatching(/^[a-z][A-Za-z0-9._:@+/-]{0,20}$/),
      fc.stringMatching(/^[a-z-]{1,10}$/),
      kind,
      use,
    )
    .map(([id, provider, { type, secret }, known]): CarriedCredential => ({
      id,
      provider,
      type,
      secret,
      use: known,
    }));
  const credentials = fc.uniqueArray(credential, { selector: ({ id }) => id });
  const order = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.array(fc.string()));
  fc.assert(
    fc.property(credentials, order, (given, wanted) => {
      const text = writeAuthProfiles({ credentials: given, order: wanted }, {});
      expect(readAuthProfiles(text, "f", anyLogin)).toEqual({
        credentials: given,
        order: { ...wanted },
        skipped: [],
      });
    }),
  );
});

describe("AUTH-12 the login of another program", () => {
  const read = (program: keyof typeof foreignPrograms, content: unknown) =>
    foreignPrograms[program].read(JSON.stringify(content), "the-file");
  const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;

  it("is read from Claude's file, with or without a refresh token", () => {
    const claudeAiOauth = { accessToken: "a", refreshToken: "r", expiresAt: 5, scopes: [] };
    expect(read("claude-cli", { claudeAiOauth })).toMatchObject({
      id: "anthropic:claude-cli",
      provider: "anthropic",
      type: "oauth",
      secret: { refresh: "r", access: "a", expires: 5 },
    });
    const { refreshToken: _none, ...alone } = claudeAiOauth;
    expect(read("claude-cli", { claudeAiOauth: alone })).toMatchObject({
      type: "token",
      secret: { token: "a", expires: 5 },
    });
  });

  it("is read from Codex's file, with the end that the token itself tells", () => {
    const tokens = { access_token: jwt({ exp: 7 }), refresh_token: "r", account_id: "acc" };
    expect(read("codex-cli", { tokens })).toMatchObject({
      provider: "openai-codex",
      secret: { refresh: "r", expires: 7000, accountId: "acc" },
    });
    expect(read("codex-cli", { tokens: { ...tokens, access_token: "opaque" } })).toMatchObject({
      secret: { expires: 1 },
    });
  });

  it.each([
    ["claude-cli", {}],
    ["claude-cli", { claudeAiOauth: { refreshToken: "r" } }],
    ["codex-cli", { OPENAI_API_KEY: "sk-planted" }],
    ["codex-cli", { tokens: { access_token: "planted" } }],
  ] as const)("is refused where %s has none: %j", (program, content) => {
    expect(() => read(program, content)).toThrow(
      expect.objectContaining({
        code: "usage/bad-argument",
        message: expect.not.stringContaining("planted"),
      }),
    );
  });
});
