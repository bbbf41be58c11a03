/** The broker for the config's network rules, recreated when they change, and the thread that reads pages. */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { createEgress } from "../../sandbox/egress/create-egress.ts";
import type { Egress } from "../../sandbox/egress/egress.ts";
import type { EgressParts } from "../../sandbox/egress/open-egress.ts";
import { createPageReader, type PageReader } from "../../tools/web/page-reader.ts";

export interface Network {
  /** By the rules as they are when it is asked. */
  egress: Egress;
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
  let made: { network: Config["tools"]["network"]; egress: Egress } | undefined;
  const pages = createPageReader({ clock });

  function current(): Egress {
    const { network } = config().tools;
    if (made?.network === network) return made.egress;
    const { allow, deny, allowPrivate, maxBytes, timeoutSec } = network;
    const limits = { maxBytes, timeoutMs: timeoutSec * 1000, maxRedirects };
    made = {
      network,
      egress: createEgress({ rules: { allow, deny, allowPrivate }, limits, clock, ...wayOut }),
    };
    return made.egress;
  }

  return {
    egress: {
      request: (request) => current().request(request),
      check: async (url) => current().check?.(url),
      dial: (to, rules, signal) => current().dial(to, rules, signal),
    },
    pages,
    close: () => pages.close(),
  };
}
