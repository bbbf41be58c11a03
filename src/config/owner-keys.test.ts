import { expect, it } from "vitest";
import { changedOwnersKey } from "./owner-keys.ts";

const plain = "{ owners: ['telegram:1'], gateway: { port: 5, auth: { mode: 'token' } } }";
/** The same with one more section. */
const beside = (section: string) => plain.replace("owners", `${section}, owners`);

it.each([
  ["a list that somebody joins", "{ owners: ['telegram:1', 'telegram:2'] }", "owners"],
  ["a section that is replaced whole", "{ owners: ['telegram:1'], gateway: { port: 5 } }", "gateway.auth"],
  [
    "proxies whose word is taken",
    plain.replace("port: 5", "trustedProxies: ['0.0.0.0/0']"),
    "gateway.trustedProxies",
  ],
  ["code that runs here", beside("plugins: { load: ['/x.js'] }"), "plugins"],
  [
    "pages that speak with the owner's session",
    plain.replace("port: 5", "allowedOrigins: ['http://localhost:3000']"),
    "gateway.allowedOrigins",
  ],
  ["a way out of the sandbox", beside("tools: { exec: { sandbox: 'none' } }"), "tools.exec"],
  ["words in the owner's name", beside("hooks: { x: { template: 'Delete it.' } }"), "hooks"],
  ["somebody who counts as the owner", beside("notify: { to: 'telegram:2' }"), "notify"],
  ["what is forgotten of who did what", beside("audit: { keepDays: 1 }"), "audit"],
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
    "tools.visibility",
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
