/** Names of time zones, as this machine knows them. */
import { distance } from "fastest-levenshtein";

/** The name as it is usually spelt; undefined when there is no such zone. */
export function timeZoneOf(name: string): string | undefined {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Those that were probably meant, else some that everybody knows: people leave out the continent, or a letter. */
export function likelyTimeZones(name: string): string[] {
  const given = plain(name.slice(0, longestName));
  const near = Intl.supportedValuesOf("timeZone")
    .map((zone) => ({ zone, slips: slipsBetween(given, plain(zone)) }))
    .filter(({ slips }) => slips <= Math.max(1, given.length / 4))
    .sort((one, other) => one.slips - other.slips)
    .slice(0, mostNamed)
    .map(({ zone }) => zone);
  return near.length > 0 ? near : wellKnown;
}

const mostNamed = 3;
const longestName = 64;
const wellKnown = ["Asia/Shanghai", "Europe/Berlin", "America/New_York"];

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "_");
const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1);

const slipsBetween = (given: string, zone: string): number =>
  Math.min(distance(given, zone), distance(cityOf(given), cityOf(zone)) + (given.includes("/") ? 1 : 0));
