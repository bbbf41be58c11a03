import type { ReachAddress, ReachView } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hostIn,
  isReachable,
  proxyCommands,
  tailscaleAdvice,
  tunnelCommands,
  usableAddresses,
} from "./reach-advice.ts";

const local: ReachAddress = {
  address: "http://localhost:18650",
  kind: "local",
  isSecure: false,
  leads: null,
};
const secure = (leads: ReachAddress["leads"], kind: ReachAddress["kind"] = "named"): ReachAddress => ({
  address: "https://desk.example",
  kind,
  isSecure: true,
  leads,
});
const view = (more: Partial<ReachView> = {}, tailscale: Partial<ReachView["tailscale"]> = {}): ReachView => ({
  port: 18_650,
  machine: "desk",
  addresses: [local],
  authentication: "token",
  bind: "loopback",
  allowedHosts: [],
  trustedProxies: [],
  ...more,
  tailscale: { wanted: "off", state: "missing", name: null, carries: null, ...tailscale },
});

describe("the addresses of a link", () => {
  it("UI-01 are those that lead here, the secure ones first", () => {
    const network: ReachAddress = { ...local, address: "http://192.168.1.5:18650", kind: "network" };
    const found = usableAddresses({ addresses: [network, local, secure("here"), secure("elsewhere")] });
    expect(found.map(({ kind }) => kind)).toEqual(["named", "local", "network"]);
    expect(isReachable(view({ addresses: [local, network] }))).toBe(false);
    expect(isReachable(view({ addresses: [local, secure("untrusted")] }))).toBe(false);
    expect(isReachable(view({ addresses: [local, secure("here")] }))).toBe(true);
  });
});

describe("what to do with Tailscale", () => {
  it.each([
    ["missing", view(), ["sudo tailscale up"]],
    ["down", view({}, { state: "down" }), ["sudo tailscale up"]],
    ["unclear", view({}, { state: "unclear" }), ["tailscale status"]],
    [
      "running",
      view({}, { state: "running", carries: "nothing" }),
      ["pincer config set gateway.tailscale serve"],
    ],
    [
      "wanted",
      view({}, { state: "running", carries: "nothing", wanted: "serve" }),
      ["pincer gateway restart"],
    ],
    [
      "elsewhere",
      view({}, { state: "running", carries: "elsewhere" }),
      ["tailscale serve status", "tailscale serve --https=443 off"],
    ],
    [
      "open",
      view({ authentication: "none" }, { state: "running" }),
      ["pincer config set gateway.auth.mode token"],
    ],
    ["on", view({ addresses: [secure("here", "tailscale")] }, { state: "running", carries: "here" }), []],
  ])("UI-01 %s", (which, given, commands) => {
    const advice = tailscaleAdvice(given);
    expect([advice.key, advice.commands]).toEqual([`access.tailscale.${which}`, commands]);
    expect(advice.canSwitch ?? false).toBe(which === "running");
  });
});

describe("the commands", () => {
  it("are those of this gateway", () => {
    expect(tunnelCommands(view({ port: 4321 }))).toEqual(["ssh -N -L 4321:127.0.0.1:4321 desk"]);
    const given = view({ port: 4321, allowedHosts: ["old.example"], trustedProxies: ["10.0.0.1"] });
    expect(proxyCommands("https://My.Example.com/path", given)).toEqual({
      proxy: ["caddy reverse-proxy --from my.example.com --to 127.0.0.1:4321"],
      config: [
        `pincer config set gateway.allowedHosts '["old.example","my.example.com"]'`,
        `pincer config set gateway.trustedProxies '["10.0.0.1","127.0.0.1"]'`,
      ],
    });
  });

  it("SEC-02 hold nothing of what somebody typed that a shell would read otherwise", () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const name = hostIn(typed);
        expect(name ?? "a.b").toMatch(/^[a-z0-9.-]+(?::\d+)?$/);
      }),
    );
    for (const bad of ["a'; rm -rf ~", "$(x).example.com", "-o.example", "a b.com", "nodots"]) {
      expect(hostIn(bad)).toBeUndefined();
      expect(JSON.stringify(proxyCommands(bad, view()))).not.toContain(bad);
    }
  });
});
