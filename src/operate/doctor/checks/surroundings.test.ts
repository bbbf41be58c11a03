/** What surrounds a home: credentials, the model's server, the clock, the port, the service, channels, what was given up, an update. */
import type { ChannelView } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSay } from "../../../infra/texts.ts";
import { receive } from "../../../storage/testing/message-samples.ts";
import { explainFinding, explanations } from "../explain-finding.ts";
import { createTestHome, findingsOf, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkChannels } from "./channels.ts";
import { checkClock } from "./clock.ts";
import { checkCredentials } from "./credentials.ts";
import { checkLeftovers } from "./leftovers.ts";
import { checkPort } from "./port.ts";
import { checkReach, createHostProbe } from "./reach.ts";
import { checkService } from "./service.ts";
import { checkUpdate } from "./update.ts";

async function open(given: Parameters<typeof createTestHome>[0] = {}): Promise<TestHome> {
  const home = await createTestHome(given);
  onTestFinished(() => home.remove());
  return home;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const nobody = async () => undefined;
const somebody = async () => ({ pid: 4711 });

describe("credentials", () => {
  const draft = { agentId: null, provider: "anthropic", label: null, source: "login", sealed: "sealed" };

  it("CLI-23 says how to begin where there is none, and no model either", async () => {
    const home = await open();
    expect(await findingsOf(checkCredentials(home.examined))).toEqual([
      expect.stringMatching(/^ok .*pincer onboard/),
    ]);
  });

  it("warns of a token that has run out or soon will, and not of a login, which is renewed", async () => {
    const clock = createHandClock();
    const home = await open({ clock });
    const { tenant } = await home.examined.makeDatabase();
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    await tenant.credentials.put({ ...draft, id: "over", type: "token", expiresAt: at(-1) });
    await tenant.credentials.put({ ...draft, id: "soon", type: "token", expiresAt: at(3_600_000) });
    await tenant.credentials.put({ ...draft, id: "login", type: "oauth", expiresAt: at(-1) });
    await tenant.credentials.put({ ...draft, id: "later", type: "token", expiresAt: at(30 * 86_400_000) });
    expect(await findingsOf(checkCredentials(home.examined))).toEqual([
      expect.stringMatching(/^warning over expired/),
      expect.stringMatching(/^warning soon expires/),
    ]);
  });

  it("warns of one that was turned down, with the reason", async () => {
    const clock = createHandClock();
    const home = await open({ clock });
    const { tenant } = await home.examined.makeDatabase();
    const key = { ...draft, id: "key", type: "api_key" as const, expiresAt: null };
    await tenant.credentials.put(key);
    const cooldownUntil = new Date(clock.now() + 60_000).toISOString();
    await tenant.credentials.noteUse(key, (use) => ({
      ...use,
      cooldownUntil,
      lastError: "too many requests",
    }));
    expect(await findingsOf(checkCredentials(home.examined))).toEqual([
      expect.stringMatching(/^warning key is on cooldown until .*too many requests/),
    ]);
  });
});

describe("the model's server", () => {
  const chosen = (baseUrl: string) =>
    JSON.stringify({
      models: { providers: { mine: { baseUrl } } },
      agents: { defaults: { model: { primary: "mine/x" } } },
    });

  it("asks nobody where no model is chosen", async () => {
    const home = await open();
    const probe = createHostProbe(home.examined, () => Promise.reject(new Error("nobody is to be asked")));
    expect(await levelsOf(checkReach(home.examined, probe))).toEqual(["ok"]);
  });

  it("takes any answer for one, sends no credential, and asks once for all who look", async () => {
    const heads: string[] = [];
    const server = createServer((request, response) => {
      heads.push(`${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
      response.writeHead(404).end();
    });
    const port = await listen(server);
    const home = await open();
    await home.write("config.json5", chosen(`http://127.0.0.1:${port}/v1`));
    const probe = createHostProbe(home.examined);
    expect(await levelsOf(checkReach(home.examined, probe))).toEqual(["ok"]);
    expect(await levelsOf(checkClock(home.examined, probe))).toEqual(["ok"]);
    expect(heads).toEqual(["HEAD / -"]);
  });

  it("warns where nobody answers, without the name and password of the address", async () => {
    const home = await open();
    await home.write("config.json5", chosen("http://me:hidden-word@127.0.0.1:9/v1"));
    const [finding = ""] = await findingsOf(checkReach(home.examined, createHostProbe(home.examined)));
    expect(finding).toMatch(/^warning mine\/x cannot be reached at http:\/\/127\.0\.0\.1:9 /);
    expect(finding).not.toContain("hidden-word");
  });
});

describe("the clock", () => {
  it("cannot be right when it is behind what was written, or differs from the server's", async () => {
    const home = await open({ clock: createHandClock(Date.UTC(2025, 5, 1)) });
    expect(await levelsOf(checkClock(home.examined, nobody))).toEqual(["ok"]);
    const told = { reference: "mine/x", origin: "http://127.0.0.1", problem: undefined };
    const ahead = async () => ({ ...told, date: Date.UTC(2025, 5, 1, 1) });
    expect(await findingsOf(checkClock(home.examined, ahead))).toEqual([
      expect.stringMatching(/^problem it shows 2025-06-01T00/),
    ]);
    await home.write("config.json5", "{}");
    expect(await findingsOf(checkClock(home.examined, nobody))).toEqual([
      expect.stringMatching(/^problem .*already written/),
    ]);
    const stopped = await open({ clock: createHandClock(0) });
    expect(await levelsOf(checkClock(stopped.examined, nobody))).toEqual(["problem"]);
  });
});

describe("the port", () => {
  it("warns when another program has it, and not when the gateway itself does", async () => {
    const port = await listen(createServer());
    const home = await open();
    home.environment["PINCER_PORT"] = String(port);
    expect(await findingsOf(checkPort(home.examined, nobody))).toEqual([
      `warning another program uses port ${port}`,
    ]);
    const own = async () => ({ port }) as never;
    expect(await levelsOf(checkPort(home.examined, own))).toEqual(["ok"]);
  });

  it("does not look where any port is taken, or none", async () => {
    const home = await open();
    await home.write("config.json5", "{ gateway: { port: 0 } }");
    expect(await levelsOf(checkPort(home.examined, nobody))).toEqual(["ok"]);
  });
});

describe("the service", () => {
  it("is a problem when it is installed and does not run", async () => {
    const home = await open();
    const linux = { platform: "linux" as const, running: nobody };
    expect(await levelsOf(checkService(home.examined, linux))).toEqual(["ok"]);
    const unit = join(home.environment["HOME"] ?? "", ".config", "systemd", "user", "pincer.service");
    await mkdir(dirname(unit), { recursive: true });
    await writeFile(unit, "");
    expect(await levelsOf(checkService(home.examined, linux))).toEqual(["problem"]);
    expect(await levelsOf(checkService(home.examined, { ...linux, running: somebody }))).toEqual(["ok"]);
    expect(await levelsOf(checkService(home.examined, { platform: "win32", running: nobody }))).toEqual([
      "ok",
    ]);
  });
});

describe("channels", () => {
  const config = "{ channels: { telegram: { enabled: true }, irc: { enabled: false } } }";

  it("warns when no gateway runs to listen", async () => {
    const home = await open();
    expect(await levelsOf(checkChannels(home.examined, nobody))).toEqual(["ok"]);
    await home.write("config.json5", config);
    expect(await findingsOf(checkChannels(home.examined, nobody))).toEqual([
      "warning nothing is received on telegram: no gateway is running",
    ]);
    expect(await levelsOf(checkChannels(home.examined, somebody))).toEqual(["ok"]);
  });

  it("finds one that is deaf, with the reason", async () => {
    const home = await open();
    await home.write("config.json5", config);
    const view: ChannelView = { channel: "telegram", accountId: "default", state: "connected", since: "" };
    const look = (...more: Array<Partial<ChannelView>>) =>
      findingsOf(
        checkChannels({ ...home.examined, channels: async () => more.map((each) => ({ ...view, ...each })) }),
      );
    expect(await look({ health: "red", reason: "409: another poller" })).toEqual([
      "problem telegram receives nothing: 409: another poller",
    ]);
    expect(await look({ health: "yellow" }, { state: "broken", enabled: false })).toEqual([
      expect.stringMatching(/^warning unclear/),
    ]);
    expect(await look({ health: "green" })).toEqual(["ok receiving: telegram"]);
  });
});

describe("what was given up", () => {
  it("tells of replies and messages that wait for a decision", async () => {
    const home = await open();
    expect(await levelsOf(checkLeftovers(home.examined))).toEqual(["ok"]);
    const { tenant } = await home.examined.makeDatabase();
    expect(await levelsOf(checkLeftovers(home.examined))).toEqual(["ok"]);
    const [id = ""] = await receive(tenant, "1");
    await tenant.inbox.settle(id, { state: "dead", reason: "crashed" });
    expect(await findingsOf(checkLeftovers(home.examined))).toEqual([
      "warning messages that were given up: 1",
    ]);
  });
});

it("an update in place waits for a restart", async () => {
  const say = createSay("en");
  expect(await levelsOf(checkUpdate({ say }, { runs: "1.0.0", here: "1.0.0" }))).toEqual(["ok"]);
  expect(await findingsOf(checkUpdate({ say }, { runs: "1.0.0", here: "1.1.0" }))).toEqual([
    "warning version 1.1.0 is installed, but the gateway still runs 1.0.0",
  ]);
});

it("every check has its explanation, and a guide that there is", async () => {
  const home = await open();
  const ids = (await home.doctor()).checks.map(({ id }) => id);
  expect(Object.keys(explanations).toSorted()).toEqual([...ids, "update"].toSorted());
  const guides = new URL("../../../../docs/guides/", import.meta.url);
  const gone = Object.values(explanations).filter(({ guide }) => !existsSync(new URL(`${guide}.md`, guides)));
  expect(gone).toEqual([]);
  const finding = { level: "warning" as const, message: "x" };
  expect(explainFinding("disk", finding, createSay("en"))).toMatchObject({
    why: expect.any(String),
    guide: "when-something-fails",
  });
  expect(explainFinding("disk", { level: "ok", message: "x" }, createSay("en"))).toEqual({
    level: "ok",
    message: "x",
  });
});
