/** Publishes the gateway beyond its own addresses, if the config asks for it. Loaded only then. */
import type { Reach } from "../../operate/reach/open-reach.ts";
import type { HttpSide } from "../open-http.ts";
import type { GatewayBase } from "./open-base.ts";

export async function reachOut(
  { gatewayContext, parts }: GatewayBase,
  { port, isWide, answersTo }: HttpSide,
): Promise<Reach | undefined> {
  const { config, log } = gatewayContext;
  const { discovery, tailscale } = config().gateway;
  if (!discovery.bonjour && tailscale === "off") return undefined;
  const { openReach } = await import("../../operate/reach/open-reach.ts");
  const { version, say } = parts;
  const found = await openReach({ config: config(), port, isWide, version, say, log });
  for (const host of found.hosts) answersTo(host);
  return found;
}
