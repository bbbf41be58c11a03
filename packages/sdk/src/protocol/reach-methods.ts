/** How others than this machine reach the gateway, looked at when it is asked for. */
import { Type } from "typebox";
import { answer, method } from "./method.ts";

export const reachMethods = {
  /** With `probe`, each secure address is called to see whether it leads here. Changes nothing. */
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
  /** As a browser takes it: "https://desk.tail1.ts.net". */
  address: string;
  /** local: from this machine alone. tailscale: from the owner's devices. named: a name of the config. network: from the networks that the machine is on. */
  kind: "local" | "tailscale" | "named" | "network";
  /** By https: nobody on the way reads along, and passkeys work. */
  isSecure: boolean;
  /** What calling it said: here, elsewhere (something else answers), untrusted (its certificate), unreachable; null where nobody asked. */
  leads: "here" | "elsewhere" | "untrusted" | "unreachable" | null;
}

export interface ReachView {
  /** Where it listens; null where nothing is served. */
  port: number | null;
  /** The machine's own name for itself. */
  machine: string;
  addresses: ReachAddress[];
  authentication: "token" | "password" | "none";
  bind: string;
  /** As the config has them: whoever adds one keeps the others. */
  allowedHosts: readonly string[];
  trustedProxies: readonly string[];
  tailscale: {
    /** What the config wishes. */
    wanted: "off" | "serve" | "funnel";
    /** missing: not installed. down: not logged in or switched off. unclear: it did not answer in a way that can be understood. */
    state: "missing" | "down" | "running" | "unclear";
    /** Of this machine in the tailnet. */
    name: string | null;
    /** Where it leads from its https port now. */
    carries: "here" | "nothing" | "elsewhere" | null;
  };
}
