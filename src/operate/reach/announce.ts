/** Gateways on the local network, by multicast DNS: announcing one, and finding those that are there. */
import { hostname } from "node:os";

const serviceType = "pincer";

export type Announce = (announcement: {
  port: number;
  version: string;
  /** Told, perhaps later, why it cannot be. */
  onError(reason: string): void;
  /** The one network interface to use, by its address; all of them without it. */
  networkInterface?: string;
}) => Promise<{ name: string; close(): Promise<void> }>;

/** Tells its name, its port and its version, and nothing else. `close` takes it back; it never throws and may be called twice. */
export const announceGateway: Announce = async ({ port, version, onError, networkInterface }) => {
  const Bonjour = await loadBonjour();
  const name = `Pincer on ${hostname()}`.slice(0, 60);
  const bonjour = new Bonjour(optionsOf(networkInterface), (error: Error) => onError(error.message));
  const service = bonjour.publish({ name, type: serviceType, protocol: "tcp", port, txt: { version } });
  service.on("error", (error: Error) => onError(error.message));
  let closing: Promise<void> | undefined;
  const close = () =>
    new Promise<void>((resolve) => {
      // A network that is gone cannot be notified: nobody waits for it.
      const enough = setTimeout(resolve, 1000);
      bonjour.unpublishAll(() =>
        bonjour.destroy(() => {
          clearTimeout(enough);
          resolve();
        }),
      );
    });
  return { name, close: () => (closing ??= close()) };
};

export interface FoundGateway {
  name: string;
  host: string;
  port: number;
  addresses: string[];
  version: string | null;
}

const mostFound = 100;

/**
 * Anybody on the network can answer anything: texts are cut, and nothing found is contacted. Resolves when the time
 * is over.
 */
export async function discoverGateways({
  forMs,
  signal,
  networkInterface,
}: {
  forMs: number;
  signal: AbortSignal;
  networkInterface?: string;
}): Promise<FoundGateway[]> {
  const Bonjour = await loadBonjour();
  let failure: Error | undefined;
  const bonjour = new Bonjour(optionsOf(networkInterface), (error: Error) => (failure = error));
  const browser = bonjour.find({ type: serviceType, protocol: "tcp" });
  await new Promise<void>((resolve) => {
    const over = setTimeout(resolve, forMs);
    signal.addEventListener("abort", () => {
      clearTimeout(over);
      resolve();
    });
  });
  const found = browser.services.slice(0, mostFound).map(({ name, host, port, addresses, txt }) => ({
    name: cut(name),
    host: cut(host),
    port,
    addresses: (addresses ?? []).slice(0, 16).map(cut),
    version: versionOf(txt),
  }));
  browser.stop();
  bonjour.destroy();
  signal.throwIfAborted();
  if (failure && found.length === 0) throw failure;
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const cut = (text: string): string => text.slice(0, 200);

function versionOf(txt: unknown): string | null {
  const version = typeof txt === "object" && txt !== null && "version" in txt ? txt.version : undefined;
  return typeof version === "string" ? cut(version) : null;
}

const loadBonjour = async () => (await import("bonjour-service")).Bonjour;

/** Of multicast-dns, to which they are handed on; the types know only those of a service. */
const optionsOf = (networkInterface: string | undefined): object =>
  networkInterface === undefined ? {} : { interface: networkInterface, bind: "0.0.0.0" };
