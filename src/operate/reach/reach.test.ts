import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createSay } from "../../infra/texts.ts";
import { announceGateway, discoverGateways } from "./announce.ts";
import { openReach } from "./open-reach.ts";
import type { RunTool, ToolOutcome } from "./run-tool.ts";
import { runTunnel, tunnelArguments } from "./tunnel.ts";

const ended = (out: unknown, status = 0, said = ""): ToolOutcome => ({
  type: "ended",
  status,
  out: JSON.stringify(out),
  said,
});
const up = { BackendState: "Running", Self: { DNSName: "desk.tail1.ts.net." } };

/** A tailscale that remembers what it was told; `answers` by the first words of the command. */
function createTailscale(answers: Record<string, ToolOutcome> = {}) {
  const told: string[] = [];
  const run: RunTool = async (program, args) => {
    const line = args.join(" ");
    told.push(`${program} ${line}`);
    const [, answer] = Object.entries(answers).find(([start]) => line.startsWith(start)) ?? [];
    return answer ?? ended(line.startsWith("status") ? up : {});
  };
  return { told, run };
}

async function open(gateway: Partial<Config["gateway"]>, run: RunTool, isWide = false) {
  const said: string[] = [];
  const announced: object[] = [];
  const say = (message: string) => void said.push(message);
  const reach = await openReach({
    config: { gateway: { ...defaultConfig.gateway, ...gateway } },
    port: 18_650,
    isWide,
    version: "1.2.3",
    say: createSay("en"),
    log: { info: say, warn: say },
    run,
    async announce({ port, version }) {
      announced.push({ port, version });
      return { name: "Pincer on test", close: async () => void announced.pop() };
    },
  });
  return { reach, said, announced };
}

describe("Tailscale", () => {
  it.each(["serve", "funnel"] as const)(
    "GW-16 %s is begun when it is up, and taken back at the end",
    async (mode) => {
      const { told, run } = createTailscale();
      const { reach, said } = await open({ tailscale: mode }, run);
      expect(reach).toMatchObject({ addresses: ["https://desk.tail1.ts.net"], hosts: ["desk.tail1.ts.net"] });
      expect(said).toEqual([expect.stringContaining("https://desk.tail1.ts.net")]);
      await reach.close();
      await reach.close();
      expect(told).toEqual([
        "tailscale status --json",
        "tailscale serve status --json",
        `tailscale ${mode} --bg --https=443 http://127.0.0.1:18650`,
        `tailscale ${mode} --https=443 off`,
      ]);
    },
  );

  it("is not asked where the config does not want it", async () => {
    const { told, run } = createTailscale();
    await open({ tailscale: "off" }, run);
    expect(told).toEqual([]);
  });

  it.each(["serve", "funnel"] as const)(
    "GW-16 %s is refused where nobody has to prove anything",
    async (tailscale) => {
      const { told, run } = createTailscale();
      const auth = { ...defaultConfig.gateway.auth, mode: "none" as const };
      const { said } = await open({ tailscale, auth }, run);
      expect(told).toEqual([]);
      expect(said).toEqual([expect.stringContaining("gateway.auth.mode")]);
    },
  );

  it.each([
    ["is not installed", { status: { type: "missing" } as const }, "Install it"],
    ["does not answer", { status: { type: "too-slow" } as const }, "in time"],
    ["is not connected", { status: ended({ BackendState: "NeedsLogin" }) }, "tailscale up"],
    ["has no name", { status: ended({ ...up, Self: {} }) }, "no name"],
    ["has a name that is none", { status: ended({ ...up, Self: { DNSName: "a b/../" } }) }, "no name"],
    ["says no", { "serve --bg": ended({}, 1, "HTTPS is not enabled\nmore") }, "HTTPS is not enabled"],
    [
      "carries something else",
      {
        "serve status": ended({
          Web: { "desk.tail1.ts.net:443": { Handlers: { "/": { Proxy: "http://127.0.0.1:3000" } } } },
        }),
      },
      "http://127.0.0.1:3000",
    ],
  ])("GW-16 that %s is said with what to do, and nothing is left behind", async (_how, answers, words) => {
    const { told, run } = createTailscale(answers);
    const { reach, said } = await open({ tailscale: "serve" }, run);
    expect(said).toEqual([expect.stringContaining(words)]);
    expect(reach.addresses).toEqual([]);
    await reach.close();
    expect(told.filter((line) => line.endsWith("off"))).toEqual([]);
  });

  it("goes on with what an earlier gateway left there", async () => {
    const left = {
      Web: { "desk.tail1.ts.net:443": { Handlers: { "/": { Proxy: "http://127.0.0.1:18650" } } } },
    };
    const { run } = createTailscale({ "serve status": ended(left) });
    expect((await open({ tailscale: "serve" }, run)).reach.addresses).toHaveLength(1);
  });

  it("that cannot be undone is said, and the gateway ends all the same", async () => {
    const { run } = createTailscale({ "serve --https=443 off": ended({}, 1, "no such thing") });
    const { reach, said } = await open({ tailscale: "serve" }, run);
    await reach.close();
    expect(said.at(-1)).toContain("no such thing");
  });
});

describe("the local network", () => {
  const nobody: RunTool = async () => ({ type: "missing" });

  it("GW-16 hears of a gateway only if it can be reached from there", async () => {
    const discovery = { ...defaultConfig.gateway.discovery, bonjour: true };
    const closed = await open({ discovery }, nobody, false);
    expect([closed.announced, closed.said]).toEqual([[], [expect.stringContaining("only on this machine")]]);
    const { reach, announced } = await open({ discovery }, nobody, true);
    expect(announced).toEqual([{ port: 18_650, version: "1.2.3" }]);
    await reach.close();
    expect(announced).toEqual([]);
  });

  it("GW-16 a gateway that announces itself is found, with its port and its version and no more", async () => {
    const networkInterface = "127.0.0.1";
    const problems: string[] = [];
    const onError = (reason: string) => void problems.push(reason);
    const port = 40_000 + Math.floor(Math.random() * 10_000);
    const announced = await announceGateway({ port, version: "1.2.3", onError, networkInterface });
    const { signal } = new AbortController();
    const discover = async () =>
      (await discoverGateways({ forMs: 1500, signal, networkInterface })).filter(
        (each) => each.port === port,
      );
    let found = await discover();
    // A busy machine may need longer than a person would wait.
    while (found.length === 0) found = await discover();
    await announced.close();
    expect(problems).toEqual([]);
    expect(found).toEqual([
      {
        name: announced.name,
        host: expect.any(String),
        port,
        addresses: expect.any(Array),
        version: "1.2.3",
      },
    ]);
  });
});

describe("a tunnel", () => {
  const tunnel = { host: "me@desk.example", port: 18_650, localPort: 9000 };

  it("GW-16 is a port of only on this machine, and its arguments are no shell's", () => {
    expect(tunnelArguments({ ...tunnel, sshPort: 2222 })).toEqual([
      "-N",
      "-L",
      "127.0.0.1:9000:127.0.0.1:18650",
      "-o",
      "ExitOnForwardFailure=yes",
      "-o",
      "ServerAliveInterval=30",
      "-p",
      "2222",
      "--",
      "me@desk.example",
    ]);
  });

  it.each(["-oProxyCommand=x", "a b", "a;b", "a@-b", "", "a@b@c", "$(x)", "a\nb", "host/x", "-l@host"])(
    "GW-16 is not made to %j",
    (host) => {
      expect(() => tunnelArguments({ ...tunnel, host })).toThrow("not a valid host");
    },
  );

  it("that ends by itself is a failure, and one that was ended is none", async () => {
    const { signal } = new AbortController();
    await expect(runTunnel(tunnel, signal, async () => 255)).rejects.toThrow("status 255");
    const ending = new AbortController();
    const run = async () => {
      ending.abort();
      return null;
    };
    await expect(runTunnel(tunnel, ending.signal, run)).resolves.toBeUndefined();
  });
});
