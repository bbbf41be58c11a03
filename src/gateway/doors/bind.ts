/** Where the gateway listens. Anything wider than this machine needs authentication that cannot be guessed. */
import { BlockList, isIP, isIPv6 } from "node:net";
import type { PincerError } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { isLoopback, plainAddress } from "../limits/address-key.ts";
import { isPasswordHash } from "./password.ts";

export interface BindAddress {
  host: string;
  port: number;
  /** Where the machine has no such address, the others are enough. Of IPv6 only: the other family has an entry of its own. */
  isOptional: boolean;
}

export type Bind = { type: "bound"; addresses: BindAddress[] } | { type: "refused"; error: PincerError };

/** What is known of the secrets when it is decided; both resolved. */
export interface BindSecrets {
  token: string | undefined;
  password: string | undefined;
}

/** Of `os.networkInterfaces()`, without what nobody asks about. */
export type Interfaces = Record<string, ReadonlyArray<{ address: string; internal: boolean }> | undefined>;

const shortestSecret = 16;

/** `interfaces` and `secrets` are asked only where they matter. Throws what they throw. */
export async function resolveBind(
  { gateway }: Pick<Config, "gateway">,
  parts: { interfaces(): Interfaces; secrets(): Promise<BindSecrets> },
): Promise<Bind> {
  const hosts = hostsOf(gateway, parts.interfaces);
  if (!Array.isArray(hosts)) return { type: "refused", error: hosts };
  const isWide = hosts.some(({ host }) => !isLoopback(host));
  const weakness = isWide || isPassedOn(gateway) ? await weaknessOf(gateway, parts.secrets) : undefined;
  if (weakness && gateway.bind === "auto" && !isPassedOn(gateway)) return bound(gateway.port, loopback);
  return weakness ? { type: "refused", error: weakness } : bound(gateway.port, hosts);
}

interface Host {
  host: string;
  isOptional?: true;
}

const loopback: Host[] = [{ host: "127.0.0.1" }, { host: "::1", isOptional: true }];

const bound = (port: number, hosts: Host[]): Bind => ({
  type: "bound",
  addresses: hosts.map(({ host, isOptional = false }) => ({ host, port, isOptional })),
});

function hostsOf(gateway: Config["gateway"], interfaces: () => Interfaces): Host[] | PincerError {
  switch (gateway.bind) {
    case "loopback":
      return loopback;
    case "lan":
      return [{ host: "0.0.0.0" }, { host: "::", isOptional: true }];
    case "custom":
      return customHosts(gateway.host);
    case "tailnet":
    case "auto": {
      const found = tailnetAddresses(interfaces());
      if (found.length > 0) return [...loopback, ...found.map((host) => ({ host }))];
      if (gateway.bind === "auto") return loopback;
      return failure("config/bad-value", "doors.no-tailnet", {}, { hint: "doors.no-tailnet.hint" });
    }
  }
}

function customHosts(given: string | undefined): Host[] | PincerError {
  const host = given === "localhost" ? "127.0.0.1" : (given ?? "");
  // A name could mean one address when it is checked and another when it is listened on.
  if (isIP(host) === 0) {
    return failure("config/bad-value", "doors.no-host", { host }, { hint: "doors.no-host.hint" });
  }
  if (isLoopback(host)) return [{ host }];
  return isUnspecified(host) ? [{ host }] : [...loopback, { host }];
}

/** Every address of the machine. */
const isUnspecified = (host: string): boolean => /^[0.:]+$/.test(plainAddress(host));

function tailnetAddresses(interfaces: Interfaces): string[] {
  const tailnet = new BlockList();
  tailnet.addSubnet("100.64.0.0", 10, "ipv4");
  tailnet.addSubnet("fd7a:115c:a1e0::", 48, "ipv6");
  const addresses = Object.values(interfaces).flatMap((each) => each ?? []);
  return addresses
    .filter(({ address, internal }) => !internal && isIP(address) !== 0)
    .map(({ address }) => address)
    .filter((address) => tailnet.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
}

/** Others reach it although it listens on this machine alone. */
const isPassedOn = ({ tailscale, trustedProxies }: Config["gateway"]): boolean =>
  tailscale !== "off" || trustedProxies.length > 0;

/** Undefined if callers must authenticate with something that cannot be guessed. */
async function weaknessOf(
  { auth }: Config["gateway"],
  secrets: () => Promise<BindSecrets>,
): Promise<PincerError | undefined> {
  if (auth.mode === "none") {
    return failure("config/bad-value", "doors.open-and-wide", {}, { hint: "doors.open-and-wide.hint" });
  }
  const { token, password } = await secrets();
  const short = { least: shortestSecret };
  if (auth.mode === "password" && !isStrong(password, isPasswordHash)) {
    return failure("config/bad-value", "doors.weak-password", short, { hint: "doors.weak-password.hint" });
  }
  if (!isStrong(token)) {
    return failure("config/bad-value", "doors.weak-token", short, { hint: "doors.weak-token.hint" });
  }
  return undefined;
}

/** The length of a hashed password is unknown: the person who hashed it is responsible for it. */
const isStrong = (secret: string | undefined, isHash: (secret: string) => boolean = () => false): boolean =>
  secret !== undefined && (isHash(secret) || secret.trim().length >= shortestSecret);
