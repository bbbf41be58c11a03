import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import type { RunTool, ToolOutcome } from "./run-tool.ts";
import { createReachApi } from "./reach-api.ts";

const ended = (out: unknown): ToolOutcome => ({
  type: "ended",
  status: 0,
  out: JSON.stringify(out),
  said: "",
});
const up = { BackendState: "Running", Self: { DNSName: "desk.tail1.ts.net." } };
const carrying = (target: string) => ({
  Web: { "desk.tail1.ts.net:443": { Handlers: { "/": { Proxy: target } } } },
});

function open(given: {
  gateway?: Partial<Config["gateway"]>;
  served?: { port: number; isWide: boolean; carried: string[] } | undefined;
  status?: ToolOutcome;
  serve?: ToolOutcome;
}) {
  const { gateway, served = { port: 18_650, isWide: false, carried: [] } } = given;
  const probed: string[] = [];
  const run: RunTool = async (_program, args) =>
    args[0] === "status" ? (given.status ?? { type: "missing" }) : (given.serve ?? ended({}));
  const api = createReachApi({
    config: () => ({ ...defaultConfig, gateway: { ...defaultConfig.gateway, ...gateway } }) as Config,
    running:
      "served" in given && given.served === undefined ? undefined : ({ served: () => served } as never),
    openedHome: { stores: { access: { gatewayId: async () => "g_1" } } },
    run,
    async probe(address, gatewayId) {
      probed.push(`${address} ${gatewayId}`);
      return address.includes("other") ? "elsewhere" : "here";
    },
    interfaces: () => ({
      lo: [{ address: "127.0.0.1", internal: true }],
      eth: [
        { address: "192.168.1.5", internal: false },
        { address: "fe80::1", internal: false },
      ],
    }),
  });
  return { api, probed };
}

describe("how the gateway is reached", () => {
  it("UI-01 tells its own address where there is no other, and that Tailscale is not there", async () => {
    const { api } = open({});
    expect(await api.status({})).toMatchObject({
      port: 18_650,
      addresses: [{ address: "http://localhost:18650", kind: "local", isSecure: false, leads: null }],
      authentication: "token",
      bind: "loopback",
      tailscale: { wanted: "off", state: "missing", name: null, carries: null },
    });
  });

  it("UI-01 tells each https address, and whether it leads here", async () => {
    const { api, probed } = open({
      gateway: {
        allowedHosts: ["pincer.example", "other.example:8443", "localhost:9000", "192.168.1.9", "bare"],
        allowedOrigins: ["https://pincer.example", "http://plain.example"],
      },
      served: { port: 18_650, isWide: false, carried: ["desk.tail1.ts.net"] },
    });
    const { addresses } = await api.status({ probe: true });
    expect(addresses.map(({ address, kind, leads }) => [address, kind, leads])).toEqual([
      ["https://desk.tail1.ts.net", "tailscale", "here"],
      ["https://pincer.example", "named", "here"],
      ["https://other.example:8443", "named", "elsewhere"],
      ["http://localhost:18650", "local", null],
    ]);
    expect(probed).toHaveLength(3);
    expect(probed[0]).toBe("https://desk.tail1.ts.net g_1");
    await api.status({});
    expect(probed).toHaveLength(3);
  });

  it("tells the addresses of the networks where it listens to them", async () => {
    const { api } = open({ served: { port: 18_650, isWide: true, carried: [] } });
    const { addresses } = await api.status({});
    expect(addresses.map(({ address }) => address)).toEqual([
      "http://192.168.1.5:18650",
      "http://localhost:18650",
    ]);
  });

  it("without a gateway there is no address, and nobody is called", async () => {
    const { api, probed } = open({ served: undefined, gateway: { allowedHosts: ["pincer.example"] } });
    const view = await api.status({ probe: true });
    expect(view.port).toBeNull();
    expect(view.addresses).toEqual([
      { address: "https://pincer.example", kind: "named", isSecure: true, leads: null },
    ]);
    expect(probed).toEqual([]);
  });

  it.each([
    ["is logged out", { status: ended({ BackendState: "NeedsLogin" }) }, { state: "down", carries: null }],
    ["does not answer", { status: { type: "too-slow" } as const }, { state: "unclear" }],
    ["says nonsense", { status: { ...ended(""), out: "<html>" } as ToolOutcome }, { state: "unclear" }],
    ["runs and carries nothing", { status: ended(up) }, { state: "running", carries: "nothing" }],
    [
      "carries this gateway",
      { status: ended(up), serve: ended(carrying("http://127.0.0.1:18650")) },
      { state: "running", name: "desk.tail1.ts.net", carries: "here" },
    ],
    [
      "carries something else",
      { status: ended(up), serve: ended(carrying("http://127.0.0.1:3000")) },
      { state: "running", carries: "elsewhere" },
    ],
  ])("UI-01 tells that Tailscale %s", async (_how, given, expected) => {
    expect((await open(given).api.status({})).tailscale).toMatchObject(expected);
  });
});
