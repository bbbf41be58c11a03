/**
 * How others reach the gateway beyond its own addresses: announced on the local network, or through Tailscale.
 * Failures are reported, and the gateway runs without it. Loaded only if the config asks for it.
 */
import { asPincerError } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { Announce } from "./announce.ts";
import type { RunTool } from "./run-tool.ts";

export interface ReachParts {
  config: Pick<Config, "gateway">;
  /** Where it listens. */
  port: number;
  /** Whether other machines can reach it directly. */
  isWide: boolean;
  version: string;
  say: Say;
  log: { info(message: string): void; warn(message: string): void };
  /** Other ways than the usual ones, for tests. */
  run?: RunTool;
  announce?: Announce;
}

export interface Reach {
  /** Where else it is reached, such as https://host.tailnet.ts.net. */
  addresses: string[];
  /** Names under which it is called by way of those: the checks of requests must know them. */
  hosts: string[];
  /** Takes back what was announced and carried. Never throws; safe to call twice. */
  close(): Promise<void>;
}

/** Never throws. */
export async function openReach(parts: ReachParts): Promise<Reach> {
  const { say, log } = parts;
  const { discovery, tailscale } = parts.config.gateway;
  const closers: Array<() => Promise<void>> = [];
  const reach = { addresses: [] as string[], hosts: [] as string[] };
  const trying = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const { message, hint } = sayError(asPincerError(error), say);
      log.warn([message, hint].filter(Boolean).join(" "));
    }
  };

  if (discovery.bonjour && !parts.isWide) {
    log.warn(say("reach.not-announced", { reason: say("reach.loopback") }));
  } else if (discovery.bonjour) {
    await trying(async () => {
      const announce = parts.announce ?? (await import("./announce.ts")).announceGateway;
      const fail = (reason: string) => log.warn(say("reach.not-announced", { reason }));
      const { name, close } = await announce({ port: parts.port, version: parts.version, onError: fail });
      closers.unshift(close);
      log.info(say("reach.announced", { name }));
    });
  }
  if (tailscale !== "off") {
    await trying(async () => {
      const { carryByTailscale } = await import("./tailscale.ts");
      const run = parts.run ?? (await import("./run-tool.ts")).runTool;
      const { mode } = parts.config.gateway.auth;
      const carried = await carryByTailscale({
        mode: tailscale,
        port: parts.port,
        authentication: mode,
        run,
      });
      closers.unshift(carried.undo);
      reach.addresses.push(carried.address);
      reach.hosts.push(carried.host);
      log.info(say("reach.tailscale.carries", { address: carried.address }));
    });
  }

  let closing: Promise<void> | undefined;
  const close = async () => {
    for (const each of closers) await trying(each);
  };
  return { ...reach, close: () => (closing ??= close()) };
}
