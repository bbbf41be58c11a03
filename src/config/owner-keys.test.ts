import { expect, it } from "vitest";
import { changedOwnersKey } from "./owner-keys.ts";

const plain = "{ owners: ['telegram:1'], gateway: { port: 5, auth: { mode: 'token' } } }";

it.each([
  ["a list that somebody joins", "{ owners: ['telegram:1', 'telegram:2'] }", "owners"],
  ["a section that is replaced whole", "{ owners: ['telegram:1'], gateway: { port: 5 } }", "gateway.auth"],
  [
    "proxies whose word is taken",
    plain.replace("port: 5", "trustedProxies: ['0.0.0.0/0']"),
    "gateway.trustedProxies",
  ],
  ["code that runs here", plain.replace("owners", "plugins: { load: ['/x.js'] }, owners"), "plugins"],
  [
    "pages that speak with the owner's session",
    plain.replace("port: 5", "allowedOrigins: ['http://localhost:3000']"),
    "gateway.allowedOrigins",
  ],
  [
    "a way out of the sandbox",
    plain.replace("owners", "tools: { exec: { sandbox: 'none' } }, owners"),
    "tools.exec",
  ],
  [
    "words in the owner's name",
    plain.replace("owners", "hooks: { x: { template: 'Delete it.' } }, owners"),
    "hooks",
  ],
  [
    "somebody who counts as the owner",
    plain.replace("owners", "notify: { to: 'telegram:2' }, owners"),
    "notify",
  ],
  ["what is forgotten of who did what", plain.replace("owners", "audit: { keepDays: 1 }, owners"), "audit"],
  [
    "an address that a key is sent to",
    plain.replace("owners", "models: { providers: { a: { baseUrl: 'https://evil.example' } } }, owners"),
    "models.providers.a.baseUrl",
  ],
  [
    "a network that says who wrote",
    plain.replace(
      "owners",
      "channels: { telegram: { accounts: { a: { apiRoot: 'evil.example' } } } }, owners",
    ),
    "channels.telegram.accounts.a.apiRoot",
  ],
  [
    "the same under a connector's own name",
    plain.replace("owners", "channels: { matrix: { homeserver: 'https://evil.example' } }, owners"),
    "channels.matrix.homeserver",
  ],
  [
    "a server that is no address by its look",
    plain.replace("owners", "channels: { irc: { server: 'irc.evil.example' } }, owners"),
    "channels.irc.server",
  ],
  [
    "an address behind a name of a secret",
    plain.replace("owners", "channels: { telegram: { webhookUrl: 'secret:mine' } }, owners"),
    "channels.telegram.webhookUrl",
  ],
  [
    "a secret by which a call is believed",
    plain.replace("owners", "channels: { telegram: { webhookSecret: 'secret:mine' } }, owners"),
    "channels.telegram.webhookSecret",
  ],
  [
    "the same for an account of a profile",
    plain.replace(
      "owners",
      "profiles: { p: { channels: { webhook: { accounts: { a: { secret: 'secret:mine' } } } } } }, owners",
    ),
    "profiles.p.channels.webhook.accounts.a.secret",
  ],
  [
    "hands that are the owner's alone",
    plain.replace("owners", "tools: { visibility: [{ tools: ['exec'], roles: ['peer'] }] }, owners"),
    "tools.visibility",
  ],
  [
    "an agent that works where it should not",
    plain.replace("owners", "agents: { list: [{ id: 'a', workspace: '/etc' }] }, owners"),
    "agents.list.a.workspace",
  ],
  [
    "the same in a profile",
    plain.replace("owners", "profiles: { night: { owners: ['telegram:2'] } }, owners"),
    "profiles.night.owners",
  ],
  ["a file that is gone", undefined, "owners"],
])("TEN-02 finds %s", (_name, after, key) => {
  expect(changedOwnersKey(plain, after)).toBe(key);
});

it("lets agents come, at their usual place, and go", () => {
  const agents = (...list: string[]) =>
    plain.replace("owners", `agents: { list: [${list.join(", ")}] }, owners`);
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
  const telegram = (keys: string) => plain.replace("owners", `channels: { telegram: { ${keys} } }, owners`);
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
