/** Network addresses in one canonical spelling. */
import { isIPv4, isIPv6 } from "node:net";

/**
 * Whose an address is, for counting: of IPv4 the address itself, of IPv6 the network of 64 bits, since everybody has a whole one of those.
 * What is no address counts as itself.
 */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  const groups = isIPv6(plain) ? groupsOf(plain) : undefined;
  return groups ? `${groups.slice(0, 4).join(":")}::/64` : plain;
}

/** Without a zone; an IPv4 address that is written as an IPv6 one is an IPv4 address. */
export function plainAddress(address: string): string {
  const [bare = ""] = address.toLowerCase().split("%");
  if (isIPv4(bare) || !isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).some((group) => group !== "0") || groups[5] !== "ffff") return bare;
  const bytes = groups.slice(6).flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join(".");
}

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return plain.startsWith("127.");
  return isIPv6(plain) && groupsOf(plain).join(":") === "0:0:0:0:0:0:0:1";
}

/** The eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const server = partsOf(head);
  if (tail === undefined) return server;
  const back = partsOf(tail);
  const gap = Array.from({ length: Math.max(0, 8 - server.length - back.length) }, () => "0");
  return [...server, ...gap, ...back];
}

function partsOf(text: string): string[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    if (!part.includes(".")) return [Number.parseInt(part, 16).toString(16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
    return [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
  });
}
