/** The broker for the config's network rules, recreated when they change, and the thread that reads pages. */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { createEgress } from "../../sandbox/egress/create-egress.ts";
import type { Egress } from "../../sandbox/egress/egress.ts";
import type { EgressParts } from "../../sandbox/egress/open-egress.ts";
import { createPageReader, type PageReader } from "../../tools/web/page-reader.ts";

export interface Network {
  /** By the rules as they are when it is asked. From trusted hosts no redirect leads to others. */
  egress: Egress;
  /** The same, without whatever of this machine and its network the owner opened. */
  publicEgress: Egress;
  pages: PageReader;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** How the world is reached; the system's ways, unless told. */
export type WayOut = Pick<EgressParts, "lookup" | "connect">;

const maxRedirects = 5;

export function createNetwork({
  config,
  clock,
  wayOut,
}: {
  config(): Config;
  clock: Clock;
  wayOut?: WayOut | undefined;
}): Network {
  let made: { network: Config["tools"]["network"]; egress: Egress; publicEgress: Egress } | undefined;
  const pages = createPageReader({ clock });

  function current() {
    const { network } = config().tools;
    if (made?.network === network) return made;
    const { allow, deny, allowPrivate, maxBytes, timeoutSec } = network;
    const limits = { maxBytes, timeoutMs: timeoutSec * 1000, maxRedirects };
    const reaching = (opened: readonly string[]) =>
      createEgress({ rules: { allow, deny, allowPrivate: opened }, limits, clock, ...wayOut });
    return (made = { network, egress: reaching(allowPrivate), publicEgress: reaching([]) });
  }

  const now = (which: "egress" | "publicEgress"): Egress => ({
    request: (request) => current()[which].request({ ...request, staysOn: config().tools.web.trusted }),
    check: async (url) => current()[which].check?.(url),
    dial: (to, rules, signal) => current()[which].dial(to, rules, signal),
  });

  return {
    egress: now("egress"),
    publicEgress: now("publicEgress"),
    pages,
    close: () => pages.close(),
  };
}
