/** The https names under which others reach the gateway, according to the config. Pure. */
import { isIP } from "node:net";
import type { Config } from "../../config/schema.ts";
import { originUrl, readHost } from "../../gateway/doors/check-origin.ts";

/** Each as a browser takes it, those of `carried` first. Names of this machine, and bare addresses, have no certificate and are left out. */
export function outsideAddresses(
  { allowedHosts, allowedOrigins }: Pick<Config["gateway"], "allowedHosts" | "allowedOrigins">,
  carried: readonly string[],
): string[] {
  const named = [...carried, ...allowedHosts].map((host) => `https://${host}`);
  const found = [...named, ...allowedOrigins]
    .map((each) => originUrl(each))
    .filter((url) => url !== undefined && url.protocol === "https:" && isName(url.host))
    .map((url) => url?.origin ?? "");
  return [...new Set(found)];
}

function isName(host: string): boolean {
  const name = readHost(host)?.name ?? "";
  return name.includes(".") && isIP(name) === 0 && !name.endsWith(".localhost");
}
