/** Classifies addresses: public, this machine, its network, or reserved. */
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One spelling for each address; an IPv4 address in the clothes of IPv6 is the IPv4 one. Undefined for what is no address. */
export function canonicalAddress(text: string): string | undefined {
  const address = parse(text);
  return address && spelled(address);
}

/** Whether only the world is there: globally routable unicast, and nothing that leads from there to an address which is not. */
export function isInTheWorld(text: string, own: OwnAddresses = ownAddresses()): boolean {
  const address = parse(text);
  if (!address || isOwn(address, own)) return false;
  return address instanceof ipaddr.IPv4 ? isPublic4(address) : isPublic6(address);
}

/** Whether an address is in a range such as 192.168.1.0/24. An address alone is a range of one. */
export function isInRange(text: string, range: AddressRange): boolean {
  const address = parse(text);
  return address !== undefined && address.kind() === range[0].kind() && address.match(range);
}

export type AddressRange = [Address, number];

/** Undefined for what is none. */
export function readRange(text: string): AddressRange | undefined {
  if (text.includes("/")) return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
  const address = parse(text);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

/** What this machine is called in its networks: a service that listens everywhere is there, too, whatever a firewall keeps from the world. */
export type OwnAddresses = readonly AddressRange[];

export function ownAddresses(interfaces = networkInterfaces()): OwnAddresses {
  const own: AddressRange[] = [];
  for (const { address, family, cidr } of Object.values(interfaces).flatMap((found) => found ?? [])) {
    // Of IPv6 the whole of the local net: in homes and offices its addresses are public, and only a firewall stands before them.
    const range = readRange(family === "IPv6" && cidr !== null ? cidr : address);
    if (range) own.push(range);
  }
  return own;
}

function parse(text: string): Address | undefined {
  // With a zone it belongs to a link of this machine; without four decimal parts it is a spelling that others read differently.
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(":") && !text.includes("%"));
  if (!isPlain || !ipaddr.isValid(text)) return undefined;
  return ipaddr.process(text);
}

const spelled = (address: Address): string =>
  address instanceof ipaddr.IPv4 ? address.toString() : address.toRFC5952String();

const isOwn = (address: Address, own: OwnAddresses): boolean =>
  own.some((range) => range[0].kind() === address.kind() && address.match(range));

/** Has an address of the world, and is the inside of a cloud all the same: what Azure tells its machines. */
const cloudInside: AddressRange = [new ipaddr.IPv4([168, 63, 129, 16]), 32];

const isPublic4 = (address: ipaddr.IPv4): boolean =>
  address.range() === "unicast" && !address.match(cloudInside);

const allocated: AddressRange = [ipaddr.IPv6.parse("2000::"), 3];
/** A gateway between the two kinds takes the last four bytes for the address to go to. */
const translated: AddressRange = [ipaddr.IPv6.parse("64:ff9b::"), 96];

function isPublic6(address: ipaddr.IPv6): boolean {
  if (address.match(translated)) return isPublic4(lastFour(address));
  if (address.range() !== "unicast" || !address.match(allocated)) return false;
  return !isTunnel(address) || isPublic4(lastFour(address));
}

/** ISATAP: the last four bytes are where the tunnel ends. */
const isTunnel = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);

const lastFour = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(12));
