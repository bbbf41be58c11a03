/**
 * Connects to a host name. It resolves the name once, checks the address, dials that address, so that a second lookup
 * cannot differ, and compares the peer with it.
 */
import { lookup as lookUpName } from "node:dns/promises";
import { connect as connectSocket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../infra/clock.ts";
import { canonicalAddress, isInTheWorld } from "./address-class.ts";
import { EgressError } from "./egress.ts";
import type { HostRules, Place } from "./host-rules.ts";

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** A connection that says where it leads; "connect" when it stands. */
export type Connection = Duplex & { remoteAddress?: string | undefined };
export type Connect = (to: { address: string; port: number }) => Connection;

export interface DialParts {
  rules: HostRules;
  clock: Clock;
  lookup?: Lookup | undefined;
  connect?: Connect | undefined;
}

export type Dial = (place: Place, signal: AbortSignal) => Promise<Connection>;

const lookupMs = 10_000;
const connectMs = 8_000;
/** A name with a thousand addresses is no reason to try them all. */
const mostTries = 4;

/** Throws EgressError or the signal's reason. The name is already allowed; this checks where it leads. */
export function createDial({ rules, clock, lookup = lookUpAll, connect = connectPlain }: DialParts): Dial {
  return async function dial(place, signal) {
    signal.throwIfAborted();
    const addresses = reachable(place, await resolve(place.host, signal), rules);
    let failed: unknown;
    for (const address of addresses.slice(0, mostTries)) {
      try {
        return await open(place, address, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof EgressError && error.code === "refused") throw error;
        failed = error;
      }
    }
    if (failed instanceof EgressError) throw failed;
    throw new EgressError("unavailable", `${place.host} cannot be reached on port ${place.port}`, {
      cause: failed,
    });
  };

  async function resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = knownAddresses(host);
    if (known.length > 0) return known;
    const late = `the name ${host} was not resolved in time`;
    const found = await within({ clock, ms: lookupMs, late, signal }, () =>
      lookup(host).catch((cause: unknown) => {
        throw new EgressError("unavailable", `the name ${host} is not known`, { cause });
      }),
    );
    if (found.length === 0) throw new EgressError("unavailable", `the name ${host} has no address`);
    return found;
  }

  async function open({ host, port }: Place, address: string, signal: AbortSignal): Promise<Connection> {
    const socket = connect({ address, port });
    const late = `${host} did not take the connection in time`;
    try {
      await within({ clock, ms: connectMs, late, signal }, () => connected(socket));
      if (canonicalAddress(socket.remoteAddress ?? "") !== address) throw insideRefused({ host, port });
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
}

/** Throws EgressError where what the name itself tells is enough to refuse it. */
export function checkKnown(place: Place, rules: HostRules): void {
  const known = knownAddresses(place.host);
  if (known.length > 0) reachable(place, known, rules);
}

/** Without asking anybody; none where a name server has to be asked. */
function knownAddresses(host: string): string[] {
  const literal = canonicalAddress(host);
  if (literal !== undefined) return [literal];
  // By definition this machine, whatever a name server says of it.
  return host === "localhost" || host.endsWith(".localhost") ? ["127.0.0.1", "::1"] : [];
}

/** Those that may be dialled. Where the owner named some of them, only these; else all of them, provided that all are out in the world. */
function reachable(place: Place, found: readonly string[], rules: HostRules): string[] {
  const addresses = found.map((address) => canonicalAddress(address));
  const exempt: string[] = [];
  let isInside = false;
  for (const address of addresses) {
    if (address === undefined) throw insideRefused(place);
    if (rules.deniesAddress(address, place.port)) throw refusedByRule(place);
    if (rules.allowsPrivate(place, address)) exempt.push(address);
    else if (!isInTheWorld(address)) isInside = true;
  }
  if (exempt.length > 0) return exempt;
  if (isInside) throw insideRefused(place);
  return addresses.filter((address) => address !== undefined);
}

export const refusedByRule = ({ host, port }: Place): EgressError =>
  new EgressError(
    "refused",
    `${host} on port ${port} may not be reached; the owner decides with tools.network.allow and tools.network.deny`,
  );

const insideRefused = ({ host }: Place): EgressError =>
  new EgressError(
    "refused",
    `${host} is or leads to this machine or its network, which is closed; the owner can open it with tools.network.allowPrivate`,
  );

const lookUpAll: Lookup = async (host) =>
  (await lookUpName(host, { all: true, order: "verbatim" })).map(({ address }) => address);

const connectPlain: Connect = ({ address, port }) => connectSocket({ host: address, port });

function connected(socket: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    // Stays: the connection may break before its user listens.
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("the connection closed")));
  });
}

interface Patience {
  clock: Clock;
  ms: number;
  /** What is said when it is over. */
  late: string;
  signal: AbortSignal;
}

async function within<Value>(
  { clock, ms, late, signal }: Patience,
  work: () => Promise<Value>,
): Promise<Value> {
  const over = new AbortController();
  const timeout = clock.sleep(ms, AbortSignal.any([over.signal, signal])).then(() => {
    throw new EgressError("timed-out", late);
  });
  const done = work();
  // The loser of the race is ignored.
  done.catch(() => undefined);
  timeout.catch(() => undefined);
  try {
    return await Promise.race([done, timeout]);
  } finally {
    over.abort();
  }
}
