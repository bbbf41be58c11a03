/** What may be said at the beginning of a request: its method and its headers, and which of them may follow it to another host. */
import { EgressError } from "./egress.ts";

export type Headers = Readonly<Record<string, string>>;

/** Upper case. Throws EgressError. */
export function readMethod(method: string): string {
  const name = method.toUpperCase();
  if (!token.test(name) || tunnels.includes(name))
    throw new EgressError("refused", `${JSON.stringify(method)} is not a method that may be used`);
  return name;
}

/** Lower-case names. Throws EgressError for headers that would change the request or its recipient. */
export function readHeaders(headers: Headers): Headers {
  const read = new Map<string, string>();
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!token.test(name) || !plainValue.test(value))
      throw new EgressError(
        "refused",
        `the header ${JSON.stringify(given)} has characters that a header cannot have`,
      );
    if (ofTheConnection.includes(name) || name.startsWith("proxy-"))
      throw new EgressError("refused", `the header ${name} is set by the connection and cannot be given`);
    read.set(name, value.trim());
  }
  return Object.fromEntries(read);
}

/** The few that tell nothing but what is wanted. Any other may be a key, whatever it is called. */
export function headersForStrangers(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.includes(name)));
}

/** Whether credentials for the one may go to the other: the same host and port, or the same host with TLS added. */
export function isSameParty(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:";
  return isUpgrade && from.hostname === to.hostname && from.port === "" && to.port === "";
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const plainValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They ask for a connection, or for the headers to be sent back. */
const tunnels = ["CONNECT", "TRACE", "TRACK"];
const ofTheConnection = [
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
const harmless = ["accept", "accept-language", "cache-control", "if-modified-since", "range", "user-agent"];
