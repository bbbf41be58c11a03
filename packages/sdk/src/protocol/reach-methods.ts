/** How other machines reach the gateway, checked at the time of the request. */
import { Type } from "typebox";
import { answer, method } from "./method.ts";

export const reachMethods = {
  /** With `probe`, calls each secure address to check whether it leads here. Changes nothing. */
  "reach.status": method({
    params: { probe: Type.Optional(Type.Boolean()) },
    result: answer<ReachView>(),
    effect: "read",
    // It calls addresses of the config, and asks programs of the machine.
    permission: "access.view",
    scope: "tenant",
  }),
};

export interface ReachAddress {
  /** As a browser expects it: "https://desk.tail1.ts.net". */
  address: string;
  /**
   * local: only from this machine. tailscale: from the owner's devices. named: a name in the config. network: from the
   * machine's local networks.
   */
  kind: "local" | "tailscale" | "named" | "network";
  /** Over https: traffic is encrypted, and passkeys work. */
  isSecure: boolean;
  /**
   * The result of calling it: here, elsewhere (something else answers), untrusted (its certificate), unreachable; null
   * if it was not called.
   */
  leads: "here" | "elsewhere" | "untrusted" | "unreachable" | null;
}

export interface ReachView {
  /** Where it listens; null if nothing is served. */
  port: number | null;
  /** The machine's own host name. */
  machine: string;
  addresses: ReachAddress[];
  authentication: "token" | "password" | "none";
  bind: string;
  /** As in the config: to add one, keep the others. */
  allowedHosts: readonly string[];
  trustedProxies: readonly string[];
  tailscale: {
    /** The setting in the config. */
    wanted: "off" | "serve" | "funnel";
    /** missing: not installed. down: not logged in or switched off. unclear: its output could not be parsed. */
    state: "missing" | "down" | "running" | "unclear";
    /** The name of this machine in the tailnet. */
    name: string | null;
    /** Where its https port leads now. */
    carries: "here" | "nothing" | "elsewhere" | null;
  };
}
