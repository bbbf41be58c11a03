import type { Egress } from "./egress.ts";
import type { EgressParts } from "./open-egress.ts";

/**
 * The broker, loaded on first use. Ignores proxies of the environment: behind one of them the dialled address would
 * be unknown.
 */
export function createEgress(parts: EgressParts): Egress {
  let opened: Promise<Egress> | undefined;
  const open = () => (opened ??= import("./open-egress.ts").then(({ openEgress }) => openEgress(parts)));
  return {
    request: async (request) => (await open()).request(request),
    check: async (url) => (await open()).check?.(url),
    dial: async (to, rules, signal) => (await open()).dial(to, rules, signal),
  };
}
