/** A browser in which the owner is signed in, and in another tab of it a page that means no good: it reads nothing, and nothing happens. */
import { createServer, type Server } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../browser.ts";
import { hostileScript } from "./hostile-page-script.ts";
import { startProvider, type Provider } from "../long-conversation-server.ts";
import { makeHome, startGateway, type RunningGateway, type TestHome } from "../run-pincer.ts";

const token = "a-token-of-the-test-0123456789";
const page = `<!doctype html><title>evil</title><body><script>${hostileScript}</script>`;

let home: TestHome;
let provider: Provider;
let gateway: RunningGateway;
let address: string;
let port: string;
let evil: Server;
let evilPort: number;
let context: BrowserContext;

/** By the owner's own token, from outside of the browser. */
async function ask(method: string, params: object = {}): Promise<unknown> {
  const answer = await fetch(`${address}/api/rpc/${method}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ params }),
  });
  if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Everything that somebody could have changed. */
async function stateOfHome(): Promise<string> {
  const parts = await Promise.all([
    ask("runs.list"),
    ask("sessions.list"),
    ask("config.get"),
    ask("access.list", { all: true }),
    ask("approvals.list"),
    ask("outbox.list"),
  ]);
  // When somebody was last seen is no change of theirs.
  return JSON.stringify(parts, (key, value: unknown) =>
    /^last.*At$|expiresAt/.test(key) ? undefined : value,
  );
}

const isSkipped = !hasBrowser;

async function isSignedIn(): Promise<boolean> {
  const own = await context.newPage();
  await own.goto(address);
  const me = await own.evaluate(async () => (await (await fetch("/api/me")).json()) as { signedIn: boolean });
  await own.close();
  return me.signedIn;
}

/** In one part all is tried from every place; in more, each place tries another part, and the seed says which. */
export function describeHostilePage({ parts, seed = 0 }: { parts: number; seed?: number }): void {
  describe.skipIf(isSkipped)("a hostile page beside a gateway in which the owner is signed in", () => {
    beforeAll(async () => {
      home = makeHome();
      provider = await startProvider({ reply: () => ({ text: "Yes." }) });
      const models = [{ id: "small", contextWindow: 100_000, maxTokens: 4000 }];
      const config = {
        gateway: {
          auth: { token },
          limits: { perAddress: 1_000_000, perUser: 1_000_000, perTenant: 1_000_000 },
        },
        models: {
          providers: {
            fake: {
              baseUrl: provider.baseUrl,
              api: "openai-completions",
              apiKey: "sk-fake-1234567890",
              models,
            },
          },
        },
        agents: { defaults: { model: { primary: "fake/small" } } },
      };
      writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
      gateway = await startGateway(home);
      const record = readFileSync(join(home.path, "service", "gateway-service.json"), "utf8");
      ({ address } = JSON.parse(record) as { address: string });
      ({ port } = new URL(address));

      evil = createServer((_request, response) => {
        response.setHeader("content-type", "text/html");
        response.end(page);
      });
      await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
      evilPort = (evil.address() as AddressInfo).port;

      context = await (await sharedBrowser()).newContext();
      const own = await context.newPage();
      await own.goto(address);
      const signedIn = await own.evaluate(async (secret) => {
        const body = JSON.stringify({ token: secret });
        const headers = { "content-type": "application/json" };
        return (await fetch("/api/sign-in", { method: "POST", headers, body })).status;
      }, token);
      if (signedIn !== 200) throw new Error(`signing in was answered with ${signedIn}`);
      await own.close();
    });

    afterAll(async () => {
      await context?.close();
      gateway?.process.kill("SIGKILL");
      evil?.close();
      await provider?.close();
      home?.remove();
    });

    const places: Array<[string, () => { url: string; target: string }]> = [
      // The browser sends our cookie along: ports do not count for it.
      ["on another port of the same name", () => ({ url: `http://localhost:${evilPort}/`, target: address })],
      [
        "on another port of this machine's address",
        () => ({ url: `http://127.0.0.1:${evilPort}/`, target: address }),
      ],
      ["of another site", () => ({ url: `http://evil.example:${evilPort}/`, target: address })],
      [
        "of another site, by this machine's address",
        () => ({ url: `http://evil.example:${evilPort}/`, target: `http://127.0.0.1:${port}` }),
      ],
      [
        "of another site, by a name of its own for this machine",
        () => ({ url: `http://evil.example:${evilPort}/`, target: `http://rebound.example:${port}` }),
      ],
      [
        "whose own name leads to this machine since it was loaded",
        () => ({ url: `http://rebound.example:${port}/evil`, target: `http://rebound.example:${port}` }),
      ],
    ];

    it.each(places)("GW-11 %s reads nothing and changes nothing", async (where, place) => {
      const part = (seed + places.findIndex(([name]) => name === where)) % parts;
      const { url, target } = place();
      const before = await stateOfHome();
      const turns = provider.seen.length;
      const tab = await context.newPage();
      await tab.route(`http://rebound.example:${port}/evil`, (route) =>
        route.fulfill({ contentType: "text/html", body: page }),
      );
      await tab.goto(url);
      const found = (await tab.evaluate(
        `attack(${JSON.stringify(target)}, ${JSON.stringify({ part, parts })})`,
      )) as Array<{
        name: string;
        read: string;
      }>;
      expect(found.filter(({ read }) => read !== "")).toEqual([]);
      expect(found.length).toBeGreaterThan(200 / parts);
      await tab.close();
      expect(await stateOfHome()).toBe(before);
      expect(provider.seen.length).toBe(turns);
      expect(await isSignedIn()).toBe(true);
    });

    it("the same tries succeed on the gateway's own page, so that they would have succeeded above", async () => {
      const tab = await context.newPage();
      await tab.goto(address);
      const tries = `(() => { ${hostileScript}; return attack(${JSON.stringify(address)}, { isGentle: true }); })()`;
      const found = (await tab.evaluate(tries)) as Array<{ name: string; read: string }>;
      const read = found.filter((each) => each.read !== "").map(({ name }) => name);
      for (const name of [
        "fetch cors include /api/me",
        "xhr /api/status",
        "script /docs/assets/docs.js",
        "WebSocket",
      ]) {
        expect(read).toContain(name);
      }
      expect(found.find(({ name }) => name === "fetch cors include /api/me")?.read).toContain(
        '"role":"owner"',
      );
      // Not even our own page frames ours.
      expect(read.filter((name) => name.startsWith("frame "))).toEqual([]);
      await tab.close();
    });
  });
}
