/** Which hosts and ports the owner allows and forbids: `example.org`, `*.example.org`, `*`, an address or a range, each perhaps with `:port`. */
import { isInRange, readRange, type AddressRange } from "./address-class.ts";
import type { EgressRules } from "./egress.ts";

/** A destination, in the one spelling that `readHost` gives. */
export interface Place {
  host: string;
  port: number;
}

export interface HostRules {
  /** Before anything is resolved: a lookup already discloses the name. */
  allowsName(place: Place): boolean;
  /** After it. Deny wins. */
  deniesAddress(address: string, port: number): boolean;
  /** Whether the owner named it, so that it may be an address of the inside. */
  allowsPrivate(place: Place, address: string): boolean;
}

export function createHostRules({ allow, deny, allowPrivate }: EgressRules): HostRules {
  const allowed = allow.map(readEntry);
  const denied = deny.map(readEntry);
  const exempt = allowPrivate.map(readEntry);
  return {
    allowsName: (place) =>
      !denied.some((entry) => fits(entry, place)) &&
      (allow.length === 0 || allowed.some((entry) => fits(entry, place))) &&
      isUsualPort(place, [...allowed, ...exempt]),
    deniesAddress: (address, port) => denied.some((entry) => fits(entry, { host: address, port })),
    allowsPrivate: (place, address) =>
      exempt.some((entry) => fits(entry, place) || fits(entry, { host: address, port: place.port })),
  };
}

/** Only the named ones: an empty list allows nothing. */
export const isNamed = (place: Place, entries: readonly string[]): boolean => {
  const named = entries.map(readEntry);
  return named.some((entry) => fits(entry, place)) && isUsualPort(place, named);
};

/** The spelling that names are compared in: lower case, without the dot of the root, letters of other scripts as the DNS has them; no brackets. */
export function readHost(text: string): string | undefined {
  const isBare = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text);
  const url = URL.parse(isBare ? `http://[${text}]/` : `http://${text}/`);
  if (!url || url.username !== "" || url.password !== "" || url.port !== "" || url.pathname !== "/")
    return undefined;
  return hostOf(url);
}

/** Of an address of the web; without brackets. */
export function hostOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return host === "" || host.startsWith(".") || host.endsWith(".") || host.includes("..") ? undefined : host;
}

interface Entry {
  host: string | undefined;
  range: AddressRange | undefined;
  port: number | undefined;
}

/** What cannot be read fits nothing. */
function readEntry(text: string): Entry {
  const entry = text.trim();
  const [, name = entry, digits] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  const range = readRange(bare);
  return { host: range ? undefined : readHost(bare), range, port };
}

function fits({ host, range, port }: Entry, place: Place): boolean {
  if (port !== undefined && port !== place.port) return false;
  if (range) return isInRange(place.host, range);
  if (host === undefined) return false;
  if (host === "*") return true;
  return host.startsWith("*.") ? place.host.endsWith(host.slice(1)) : place.host === host;
}

/** Other services than the web listen there, and some of them take an HTTP request for something to do. Named with its port, it is meant. */
const isUsualPort = (place: Place, named: readonly Entry[]): boolean =>
  (place.port > 0 && place.port <= 65_535 && !otherServices.has(place.port)) ||
  named.some((entry) => entry.port === place.port && fits(entry, place));

/** Those that the Fetch standard blocks. */
const otherServices = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080, 11_211,
]);
