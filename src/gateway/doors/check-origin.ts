/**
 * Checks where a request comes from, before who sent it. A page of another origin can make a browser send requests
 * here; the browser then says so. A host name that somebody else can point at this machine is not one of ours.
 */
import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { isLoopback, plainAddress } from "../limits/address-key.ts";

export interface AskedRequest {
  method: string;
  headers: IncomingHttpHeaders;
  isUpgrade: boolean;
  /** The end of the connection that is ours. */
  localAddress: string | undefined;
  localPort: number | undefined;
}

export interface OriginRules {
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

/** Which one; the caller is told no more than that. */
export type OriginFault = "host" | "origin" | "fetch-site";

/** Undefined where nothing speaks against the request. */
export function findOriginFault(request: AskedRequest, rules: OriginRules): OriginFault | undefined {
  const host = readHost(request.headers.host);
  if (!host || !isOurHost(host, request, rules.allowedHosts)) return "host";
  const { origin } = request.headers;
  const site = single(request.headers["sec-fetch-site"]);
  if (origin !== undefined) {
    if (isAllowedOrigin(origin, rules.allowedOrigins)) return undefined;
    if (!isSameOrigin(origin, host)) return "origin";
    return isHarmlessSite(site) ? undefined : "fetch-site";
  }
  if (isHarmlessSite(site)) return undefined;
  return isFollowedLink(request) ? undefined : "fetch-site";
}

/** No browser, or one that says that our own page or the person themselves asked. */
const isHarmlessSite = (site: string | undefined) =>
  site === undefined || site === "same-origin" || site === "none";

/** Somebody followed a link from elsewhere: the page opens without the session, and the linking page sees nothing of it. */
const isFollowedLink = ({ method, headers, isUpgrade }: AskedRequest): boolean =>
  (method === "GET" || method === "HEAD") &&
  !isUpgrade &&
  single(headers["sec-fetch-mode"]) === "navigate" &&
  single(headers["sec-fetch-dest"]) === "document";

interface Named {
  /** In small letters; an IPv6 address without its brackets. */
  name: string;
  /** As text; empty where none is given. */
  port: string;
}

/** Undefined for anything but a plain name or address, perhaps with a port. */
export function readHost(host: string | undefined): Named | undefined {
  if (host === undefined || host.length > 300) return undefined;
  const bracketed = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i.exec(host);
  if (bracketed) {
    const [, name = "", port = ""] = bracketed;
    return isIPv6(name) ? { name: name.toLowerCase(), port } : undefined;
  }
  const plain = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::(\d{1,5}))?$/i.exec(host);
  if (!plain) return undefined;
  const [, name = "", port = ""] = plain;
  return { name: name.toLowerCase(), port };
}

/**
 * This machine's own names with our port, the address that was connected to, and what the config names. An address cannot be pointed elsewhere
 * by the owner of a name; any other name could be.
 */
function isOurHost(host: Named, request: AskedRequest, allowedHosts: readonly string[]): boolean {
  const isOurPort =
    host.port === String(request.localPort ?? "") || (host.port === "" && request.localPort === 80);
  if (isOurPort && (host.name === "localhost" || isSameAddress(host.name, request.localAddress))) return true;
  if (
    isOurPort &&
    (host.name === "127.0.0.1" || host.name === "::1") &&
    isLoopback(request.localAddress ?? "")
  ) {
    return true;
  }
  return isNamedHost(host, allowedHosts);
}

/** One that the config names; with any port, unless it names that, too. */
export const isNamedHost = (host: Named, allowedHosts: readonly string[]): boolean =>
  allowedHosts.some((allowed) => {
    const named = readHost(allowed);
    return named !== undefined && named.name === host.name && (named.port === "" || named.port === host.port);
  });

const isSameAddress = (name: string, address: string | undefined): boolean =>
  address !== undefined && isIP(name) !== 0 && plainAddress(name) === plainAddress(address);

/** The scheme is the proxy's affair, where there is one. */
function isSameOrigin(origin: string, host: Named): boolean {
  const url = originUrl(origin);
  if (!url) return false;
  const named = readHost(url.host);
  if (!named || named.name !== host.name) return false;
  const usual = url.protocol === "https:" ? "443" : "80";
  return (named.port || usual) === (host.port || usual);
}

const isAllowedOrigin = (origin: string, allowed: readonly string[]): boolean => {
  const url = originUrl(origin);
  return url !== undefined && allowed.some((each) => originUrl(each)?.origin === url.origin);
};

/** Undefined for what is no origin of a page on the web: `null`, files, extensions, or something with a path. */
export function originUrl(origin: string): URL | undefined {
  if (!/^https?:\/\/[^/\\?#@\s]+\/?$/i.test(origin)) return undefined;
  return URL.parse(origin) ?? undefined;
}

/** Several headers of one name are joined or listed, and then mean nothing. */
const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;

/**
 * The caller: the peer of the connection, or what a proxy that we trust says about them. Read from the end, where the nearest one wrote; what stands
 * before an address that is not trusted anybody can have written.
 */
export function clientAddress(
  request: { remoteAddress: string | undefined; headers: IncomingHttpHeaders },
  trustedProxies: readonly string[],
): string {
  let address = plainAddress(request.remoteAddress ?? "");
  const isTrusted = trustedBy(trustedProxies);
  const forwarded =
    single(request.headers["x-forwarded-for"])
      ?.split(",")
      .map((each) => each.trim()) ?? [];
  while (isTrusted(address)) {
    const next = plainAddress(forwarded.pop() ?? "");
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** Whether a peer at that address is a proxy that speaks for others. */
export const isTrustedProxy = (address: string, trustedProxies: readonly string[]): boolean =>
  trustedBy(trustedProxies)(plainAddress(address));

/** Somebody passed the request on, or says so. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"].some(
    (name) => headers[name] !== undefined,
  );

function trustedBy(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const plain = plainAddress(address);
    if (isIP(plain) === 0) continue;
    const family = isIPv6(plain) ? "ipv6" : "ipv4";
    const width = Number(bits);
    if (bits === undefined) list.addAddress(plain, family);
    else if (Number.isInteger(width) && width >= 0 && width <= (family === "ipv6" ? 128 : 32)) {
      list.addSubnet(plain, width, family);
    }
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
