/**
 * The host name that a passkey is for. Browsers offer a passkey only to pages of that name; this decides which names
 * may have any: this machine's own, and the https names in the config.
 */
import { isIP } from "node:net";
import { isNamedHost, originUrl, readHost, type OriginRules } from "./check-origin.ts";

export interface RelyingParty {
  /** The name alone: `localhost`, `api.example`. */
  id: string;
  /** What the browser must say the page was: `https://api.example`. */
  origin: string;
}

/** Undefined where pages of that origin have no passkeys. */
export function relyingPartyOf(origin: string | undefined, rules: OriginRules): RelyingParty | undefined {
  const url = originUrl(origin ?? "");
  const host = url && readHost(url.host);
  if (!url || !host) return undefined;
  const isOfMachine = host.name === "localhost";
  if (url.protocol !== "https:" && !isOfMachine) return undefined;
  if (!isOfMachine && !isKnown(url, rules)) return undefined;
  return { id: host.name, origin: url.origin };
}

/** The same by the name that a request was sent to, before anything was shown. */
export function placeOf(hostHeader: string | undefined, rules: OriginRules): string | undefined {
  const host = readHost(hostHeader);
  if (!host) return undefined;
  if (host.name === "localhost") return host.name;
  return relyingPartyOf(`https://${hostHeader}`, rules)?.id;
}

/** An address is no name: browsers have no passkeys for it. */
function isKnown(url: URL, { allowedHosts, allowedOrigins }: OriginRules): boolean {
  const host = readHost(url.host);
  if (!host || isIP(host.name) !== 0) return false;
  return (
    isNamedHost(host, allowedHosts) || allowedOrigins.some((each) => originUrl(each)?.origin === url.origin)
  );
}
