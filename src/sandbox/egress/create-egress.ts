import type { Egress } from "./egress.ts";
import type { EgressParts } from "./open-egress.ts";

/**
 * The broker, which is loaded when it is first needed. Proxies that the environment names are not used: behind one of them nobody could tell which
 * address is dialled.
 */
export function createEgress(parts: EgressParts): Egress {
  let opened: Promise<Egress> | undefined;
  const open = () => (opened ??= import("./open-egress.ts").then(({ openEgress }) => openEgress(parts)));
  return {
    request: async (request) => (await open()).request(request),
    dial: async (to, rules, signal) => (await open()).dial(to, rules, signal),
  };
}
