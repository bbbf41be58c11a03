/** How the gateway is reached from elsewhere: its addresses, whether they lead here, and what Tailscale says. */
import type { ReachAddress, ReachView } from "@pincer/sdk";
import { hostname, networkInterfaces } from "node:os";
import type { Interfaces } from "../../gateway/doors/bind.ts";
import { lookAtTailscale } from "./tailscale.ts";
import { outsideAddresses } from "./outside-addresses.ts";
import { probeAddress, type ProbeAddress } from "./probe-address.ts";
import { runTool, type RunTool } from "./run-tool.ts";
import type { ControlApiParts } from "../../gateway/methods/control-parts.ts";
import type { Api } from "../../gateway/methods/api.ts";

export type ReachApiParts = Pick<ControlApiParts, "config" | "running"> & {
  openedHome: { stores: { access: { gatewayId(): Promise<string> } } };
  /** Other ways than the usual ones, for tests. */
  run?: RunTool;
  probe?: ProbeAddress;
  interfaces?: () => Interfaces;
};

/** Nobody has more names than these. */
const mostProbed = 8;

export function createReachApi(parts: ReachApiParts): Api<"reach"> {
  const { config, running, openedHome, run = runTool, probe = probeAddress } = parts;
  const interfaces = parts.interfaces ?? networkInterfaces;

  async function leadsOf(address: string, isAsked: boolean): Promise<ReachAddress["leads"]> {
    return isAsked ? probe(address, await openedHome.stores.access.gatewayId()) : null;
  }

  return {
    async status({ probe: isProbed = false }) {
      const { gateway } = config();
      const served = running?.served?.();
      const port = served?.port ?? null;
      const carried = served?.carried ?? [];
      const secure = outsideAddresses(gateway, carried).slice(0, mostProbed);
      const [tailscale, outside] = await Promise.all([
        lookAtTailscale({ run, port: port ?? gateway.port }),
        Promise.all(
          secure.map(async (address): Promise<ReachAddress> => ({
            address,
            kind: carried.some((host) => address === `https://${host}`) ? "tailscale" : "named",
            isSecure: true,
            leads: await leadsOf(address, isProbed && served !== undefined),
          })),
        ),
      ]);
      const wide = served?.isWide ? networkAddresses(interfaces(), served.port) : [];
      const view: ReachView = {
        port,
        machine: hostname(),
        addresses: [...outside, ...wide, ...(port === null ? [] : [localAddress(port)])],
        authentication: gateway.auth.mode,
        bind: gateway.bind,
        allowedHosts: gateway.allowedHosts,
        trustedProxies: gateway.trustedProxies,
        tailscale: { wanted: gateway.tailscale, ...tailscale },
      };
      return view;
    },
  };
}

const localAddress = (port: number): ReachAddress => ({
  address: `http://localhost:${port}`,
  kind: "local",
  isSecure: false,
  leads: null,
});

/** Of IPv4: what people type into a phone. */
function networkAddresses(interfaces: Interfaces, port: number): ReachAddress[] {
  return Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ address, internal }) => !internal && /^\d+\.\d+\.\d+\.\d+$/.test(address))
    .map(({ address }) => ({
      address: `http://${address}:${port}`,
      kind: "network",
      isSecure: false,
      leads: null,
    }));
}
