import { expect, it } from "vitest";
import { adminKeys } from "./admin-keys.ts";
import { changedOwnersKey } from "./owner-keys.ts";
import { configShape } from "./schema.ts";
import type { Shape } from "./schema/keys.ts";

const plain = "{ owners: ['telegram:1'], gateway: { port: 5, auth: { mode: 'token' } } }";
/** The same with one more section. */
const beside = (section: string) => plain.replace("owners", `${section}, owners`);

it.each([
  ["a list that somebody joins", "{ owners: ['telegram:1', 'telegram:2'] }", "owners"],
  [
    "a section that is replaced whole",
    "{ owners: ['telegram:1'], gateway: { port: 5 } }",
    "gateway.auth.mode",
  ],
  [
    "proxies whose word is taken",
    plain.replace("port: 5", "trustedProxies: ['0.0.0.0/0']"),
    "gateway.trustedProxies",
  ],
  ["code that runs here", beside("plugins: { load: ['/x.js'] }"), "plugins.load"],
  [
    "pages that speak with the owner's session",
    plain.replace("port: 5", "allowedOrigins: ['http://localhost:3000']"),
    "gateway.allowedOrigins",
  ],
  ["a way out of the sandbox", beside("tools: { exec: { sandbox: 'none' } }"), "tools.exec.sandbox"],
  ["words in the owner's name", beside("hooks: { x: { template: 'Delete it.' } }"), "hooks.x.template"],
  ["somebody who counts as the owner", beside("notify: { to: 'telegram:2' }"), "notify.to"],
  ["what is forgotten of who did what", beside("audit: { keepDays: 1 }"), "audit.keepDays"],
  [
    "an address that a key is sent to",
    beside("models: { providers: { a: { baseUrl: 'https://evil.example' } } }"),
    "models.providers.a.baseUrl",
  ],
  [
    "a network that says who wrote",
    beside("channels: { telegram: { accounts: { a: { apiRoot: 'evil.example' } } } }"),
    "channels.telegram.accounts.a.apiRoot",
  ],
  [
    "the same under a connector's own name",
    beside("channels: { matrix: { homeserver: 'https://evil.example' } }"),
    "channels.matrix.homeserver",
  ],
  [
    "a server that is no address by its look",
    beside("channels: { irc: { server: 'irc.evil.example' } }"),
    "channels.irc.server",
  ],
  [
    "an address behind a name of a secret",
    beside("channels: { telegram: { webhookUrl: 'secret:mine' } }"),
    "channels.telegram.webhookUrl",
  ],
  [
    "a secret by which a call is believed",
    beside("channels: { telegram: { webhookSecret: 'secret:mine' } }"),
    "channels.telegram.webhookSecret",
  ],
  [
    "the same for an account of a profile",
    beside("profiles: { p: { channels: { webhook: { accounts: { a: { secret: 'secret:mine' } } } } } }"),
    "profiles.p.channels.webhook.accounts.a.secret",
  ],
  [
    "hands that are the owner's alone",
    beside("tools: { visibility: [{ tools: ['exec'], roles: ['peer'] }] }"),
    "tools.visibility[0].tools",
  ],
  [
    "an agent that works where it should not",
    beside("agents: { list: [{ id: 'a', workspace: '/etc' }] }"),
    "agents.list.a.workspace",
  ],
  [
    "the same in a profile",
    beside("profiles: { night: { owners: ['telegram:2'] } }"),
    "profiles.night.owners",
  ],
  ["a file that is gone", undefined, "owners"],
])("TEN-02 finds %s", (_name, after, key) => {
  expect(changedOwnersKey(plain, after)).toBe(key);
});

it("lets agents come, at their usual place, and go", () => {
  const agents = (...list: string[]) => beside(`agents: { list: [${list.join(", ")}] }`);
  const [one, two] = [
    "{ id: 'one', workspace: '/srv/one' }",
    "{ id: 'two', workspace: '~/.pincer/workspace-two' }",
  ];
  expect(changedOwnersKey(agents(one), agents(one, two))).toBeUndefined();
  expect(changedOwnersKey(agents(one, two), agents(two))).toBeUndefined();
  expect(changedOwnersKey(agents(two, one), agents(one))).toBeUndefined();
  const moved = "{ id: 'two', workspace: '~/.pincer/workspace-one' }";
  expect(changedOwnersKey(agents(two), agents(moved))).toBe("agents.list.two.workspace");
});

it("TEN-02 lets others say who may write, and which bot it is", () => {
  const telegram = (keys: string) => beside(`channels: { telegram: { ${keys} } }`);
  const before = telegram("botToken: 'secret:a', apiRoot: 'https://api.example'");
  const keys =
    "dmPolicy: 'open', groups: ['-1'], accounts: { work: { enabled: false, botToken: 'secret:b' } }";
  const after = telegram(`botToken: 'secret:b', apiRoot: 'https://api.example', ${keys}`);
  expect(changedOwnersKey(before, after)).toBeUndefined();
});

it("lets everything else change, also beside faults", () => {
  expect(changedOwnersKey(plain, plain.replace("5", "6"))).toBeUndefined();
  expect(changedOwnersKey(plain, plain.replace("5", "'not a port'"))).toBeUndefined();
  expect(changedOwnersKey(undefined, "{ language: 'zh' }")).toBeUndefined();
});

it("finds a change of owners in a file that has faults elsewhere", () => {
  const broken = plain.replace("5", "'not a port'");
  expect(changedOwnersKey(broken, broken.replace("telegram:1", "telegram:2"))).toBe("owners");
});

it("TEN-02 lets an agent go as a whole, unless the owner limited its tools", () => {
  const agents = (...list: string[]) => beside(`agents: { list: [${list.join(", ")}] }`);
  const free = "{ id: 'a', name: 'Ann', systemPrompt: 'Be brief.', workspace: '/srv/a' }";
  const limited = "{ id: 'a', tools: { deny: ['exec'] } }";
  expect(changedOwnersKey(agents(free), plain)).toBeUndefined();
  expect(changedOwnersKey(agents(limited), plain)).toBe("agents.list.a.tools.deny");
  expect(changedOwnersKey(agents(free), agents("{ id: 'a' }"))).toBe("agents.list.a.name");
});

it("TEN-02 lets a channel or an account of it go as a whole, and no key of the owner's alone", () => {
  const telegram = (keys: string) => beside(`channels: { telegram: { ${keys} } }`);
  const both = telegram("webhookSecret: 'secret:a', accounts: { b: { apiRoot: 'https://b.example' } }");
  expect(changedOwnersKey(both, plain)).toBeUndefined();
  expect(changedOwnersKey(both, telegram("webhookSecret: 'secret:a'"))).toBeUndefined();
  expect(changedOwnersKey(both, telegram("accounts: { b: { apiRoot: 'https://b.example' } }"))).toBe(
    "channels.telegram.webhookSecret",
  );
});

/**
 * Whole sections of which every key is the owner's, of later versions too; some of them are not there yet. A new key
 * elsewhere must be put here, or into `adminKeys` if an admin may set it.
 */
const ownersParts: readonly string[] = [
  ..."approvals audit auth bindings contacts edition hooks identityLinks mcp memory models notify owners".split(
    " ",
  ),
  ..."plugins policy preset profile sandbox telemetry tools".split(" "),
  ..."agents.defaults.context agents.defaults.memorySearch agents.list.*.context agents.list.*.memorySearch".split(
    " ",
  ),
  ..."agents.list.*.identity agents.list.*.tools gateway.auth gateway.discovery gateway.limits".split(" "),
  ..."agents.defaults.compaction.memoryFlush agents.list.*.compaction.memoryFlush session.identityLinks".split(
    " ",
  ),
];
/** Single ones, beside keys that an admin may set. */
const ownersOwn: readonly string[] = [
  ..."configVersion session.dmScope commands.prefixes commands.shellPassthrough commands.assistantOutput".split(
    " ",
  ),
  ..."gateway.bind gateway.host gateway.trustedProxies gateway.http gateway.allowedHosts".split(" "),
  ..."gateway.allowedOrigins gateway.openMetrics gateway.tailscale gateway.default.provider".split(" "),
  ...["gateway.default", "gateway.channels.*"].flatMap((place) =>
    ["profile", "withTools", "toolAllow", "toolMaxSteps", "memory"].map((key) => `${place}.${key}`),
  ),
  ...["agents.defaults", "agents.list.*"].flatMap((place) => [
    ..."workspace toolMaxSteps maxRepeatedCalls systemPrompt restrictToWorkspace bootstrapMaxChars"
      .split(" ")
      .map((key) => `${place}.${key}`),
    `${place}.bootstrapTotalMaxChars`,
    `${place}.compaction.customInstructions`,
  ]),
  "agents.list.*.name",
  "agents.list.*.default",
  ..."appSecret signingSecret webhookSecret encryptKey password apiRoot"
    .split(" ")
    .map((key) => `channels.*.${key}`),
];

/** Every key of the config, with `*` for names and places in lists. */
function keysOf(shape: Shape, path: readonly string[] = []): string[] {
  const tables = [shape, ...(shape.anyOf ?? [])];
  const named = tables.flatMap(({ properties = {} }) => Object.entries(properties));
  const others = tables.flatMap(({ patternProperties = {} }) => Object.values(patternProperties));
  const items = shape.items?.properties ? [shape.items] : [];
  const below = [
    ...named.flatMap(([name, each]) => keysOf(each, [...path, name])),
    ...[...others, ...items].flatMap((each) => keysOf(each, [...path, "*"])),
  ];
  const isLeaf = below.length === 0 || tables.some(({ type }) => type === "string");
  return [...new Set([...(isLeaf ? [path.join(".")] : []), ...below])];
}

const isPartOf = (key: string, part: string): boolean => key === part || key.startsWith(`${part}.`);
const every = keysOf(configShape);
const ofProfiles = every.filter((key) => key.startsWith("profiles."));

it("TEN-02 knows of every key of the config whose it is", () => {
  const own = every.filter((key) => !ofProfiles.includes(key));
  const isOwners = (key: string) =>
    ownersOwn.includes(key) || ownersParts.some((part) => isPartOf(key, part));
  const undecided = own.filter((key) => !isOwners(key) && !adminKeys.has(key));
  // Whatever an account is called, its keys are known to its connector alone.
  expect(undecided).toEqual(["channels.*.accounts.*.*"]);
  expect(own.filter((key) => isOwners(key) && adminKeys.has(key))).toEqual([]);
  // Nothing is decided about keys that are no longer there.
  expect(ownersOwn.filter((key) => !own.includes(key))).toEqual([]);
  const gone = [...adminKeys].filter(
    (key) => !own.includes(key) && !/^(?:agents\.list|channels\.\*\.accounts\..*)$/.test(key),
  );
  expect(gone).toEqual([]);
  // A profile overlays the same keys.
  expect(ofProfiles.map((key) => key.replace("profiles.*.", "")).filter((key) => !own.includes(key))).toEqual(
    [],
  );
});

it("TEN-02 refuses an admin every key at run time that the list does not name, in a profile as well", () => {
  const value = (steps: readonly string[]): unknown => {
    const [step, ...rest] = steps;
    return step === undefined ? "x" : { [step === "*" ? "any" : step]: value(rest) };
  };
  // The version of the file says how it is read, and nothing else.
  for (const key of every.filter((each) => each !== "configVersion")) {
    const pattern = key.replace("profiles.*.", "");
    const change = (leaf: unknown) => JSON.stringify(leaf);
    const after = change(value(key.split(".")));
    // In the file, agents and rules stand in lists.
    const found = changedOwnersKey("{}", after);
    const isFree = adminKeys.has(pattern);
    expect([key, found !== undefined]).toEqual([key, !isFree]);
    expect([key, changedOwnersKey(after, "{}") !== undefined]).toEqual([
      key,
      !isFree && !/^(?:channels\.|agents\.list\.\*\.(?!tools))/.test(pattern),
    ]);
    // Whatever is new in its place is the owner's.
    const unknown = change(value([...key.split(".").slice(0, -1), "somethingNew"]));
    expect(changedOwnersKey("{}", unknown)).toBeDefined();
  }
});
