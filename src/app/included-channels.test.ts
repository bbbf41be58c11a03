import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineChannel, type Channel, type ChannelHost } from "@pincer/sdk";
import { createScriptedModel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startIrcServer } from "../../channels/irc/testing/irc-server.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

describe("a channel that comes with the product", { timeout: 60_000 }, () => {
  let root: string;
  let gateway: Gateway | undefined;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "pincer-included-"));
  });
  afterEach(async () => {
    await gateway?.stop(1000);
    gateway = undefined;
    rmSync(root, { recursive: true });
  });
  async function start(config: object, answers: string[], channels: Channel[] = []) {
    const whole = { queue: { debounceMs: 0 }, ...config };
    writeFileSync(join(root, "config.json5"), JSON.stringify(whole), { mode: 0o600 });
    gateway = await createGateway(
      gatewayParts(root),
      {},
      { channels, models: [createScriptedModel(answers.map((text) => ({ text })))] },
    );
  }

  it("PLUG-07 is told nothing of who may speak: that is asked once for all, and each is looked after alike", async () => {
    const nets = ["crow", "dove"].map((id) => createBirdNet(id));
    const door = { dmPolicy: "allowlist", allowFrom: ["ann"] };
    const channels = { crow: { seed: "corn", ...door }, dove: { seed: "rye", ...door } };
    await start(
      { channels },
      ["Soup.", "Soup."],
      nets.map(({ channel }) => channel),
    );
    await expect.poll(() => nets.map(({ hosts }) => hosts.length)).toEqual([1, 1]);
    for (const { hosts, say } of nets) {
      await say(hosts.at(-1), "eve");
      await say(hosts.at(-1), "ann");
    }
    await expect.poll(() => nets.map(({ sent }) => sent)).toEqual([["ann Soup."], ["ann Soup."]]);
    expect(nets.map(({ configs }) => configs)).toEqual([[{ seed: "corn" }], [{ seed: "rye" }]]);
    const [crow, dove] = nets;
    expect(await crow?.hosts.at(-1)?.isWelcome?.(from("ann"))).toBe(true);
    expect(await crow?.hosts.at(-1)?.isWelcome?.(from("eve"))).toBe(false);
    crow?.hosts.at(-1)?.lost("the branch broke");
    await expect.poll(() => crow?.hosts.length).toBe(2);
    expect(dove?.hosts.length).toBe(1);
  });

  it("PLUG-09 answers a call of the webhook channel with a call", async () => {
    const heard: Array<{ chat: string; text: string; replyTo?: string }> = [];
    const app = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      heard.push(JSON.parse(body) as (typeof heard)[number]);
      response.end();
    });
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    const { port: appPort } = app.address() as AddressInfo;
    const free = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => free.once("listening", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const secret = "0123456789abcdef01234567";
    const webhook = { secret, port, url: `http://127.0.0.1:${appPort}/` };
    await start({ owners: ["webhook:ann"], channels: { webhook } }, ["Soup."]);
    const body = JSON.stringify({ id: "m1", from: "ann", text: "What is for lunch?" });
    const stamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", secret).update(`${stamp}.${body}`).digest("hex");
    const headers = { "x-pincer-timestamp": stamp, "x-pincer-signature": `sha256=${signature}` };
    const call = () => fetch(`http://127.0.0.1:${port}/messages`, { method: "POST", body, headers });
    await expect
      .poll(() =>
        call().then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(202);
    await expect.poll(() => heard).toMatchObject([{ chat: "ann", text: "Soup." }]);
    app.closeAllConnections();
    await new Promise((resolve) => app.close(resolve));
  });

  it("PLUG-09 answers the owner's account on IRC, and offers pairing to a person who merely has the nick", async () => {
    const people = {
      ann: { user: "~u", host: "ann.test", account: "ann" },
      eve: { user: "~e", host: "eve.test" },
    };
    const server = await startIrcServer({ people });
    const irc = { server: "127.0.0.1", port: server.port, tls: false, nick: "pincer" };
    await start({ owners: ["irc:ann", "irc:eve!~e@eve.test"], channels: { irc } }, ["**Soup.**", "No."]);
    await server.until(/^PING :pincer-/);
    server.say("@account=ann;msgid=1 :ann!~u@ann.test PRIVMSG pincer :What is for lunch?");
    await expect.poll(() => server.shown).toEqual(["ann Soup."]);
    server.say("@msgid=2 :eve!~e@eve.test PRIVMSG pincer :And for me?");
    await expect.poll(() => server.shown.length).toBeGreaterThan(1);
    expect(server.shown.slice(1).join("\n")).toMatch(/^eve .*[A-Z0-9]{4}-[A-Z0-9]{4}/m);
    expect(server.shown.join("\n")).not.toContain("No.");
    await gateway?.stop(1000);
    await server.close();
  });
});

const from = (id: string) => ({ peer: { kind: "user" as const, id }, sender: { id } });

/** A connector that knows nothing of anybody. */
function createBirdNet(id: string) {
  const [hosts, configs, sent]: [ChannelHost[], unknown[], string[]] = [[], [], []];
  const channel = defineChannel({
    id,
    config: Type.Object({ seed: Type.String() }, { additionalProperties: false }),
    traits: { textLimit: 1000, idempotentSend: true },
    async connect(config, host) {
      hosts.push(host);
      configs.push(config);
      return {
        async send({ target, response }) {
          sent.push(`${target.peerId} ${response.text}`);
          return {};
        },
        close: async () => undefined,
      };
    },
  });
  let count = 0;
  const say = (host: ChannelHost | undefined, who: string) =>
    host?.receive({
      ...from(who),
      message: {
        type: "text",
        id: `m${++count}`,
        text: "What is for lunch?",
        attachments: [],
        mentioned: true,
      },
      timestamp: Date.now(),
    });
  return { channel, hosts, configs, sent, say };
}
