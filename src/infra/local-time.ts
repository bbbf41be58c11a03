/**
 * Local time of people, by the name of their zone. For the machine's own zone the system is asked, and not the tables of all zones and
 * languages: those take 9 MB as soon as anybody looks into them, and most people live where their machine does.
 */
import { readlinkSync } from "node:fs";

let own: string | undefined;

/** IANA name of the zone that this process lives in. */
export function machineZone(): string {
  own ??= named(process.env["TZ"]) ?? linked() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own;
}

/** Minutes that local time is ahead of UTC at that moment. An unknown zone counts as UTC. */
export function offsetMinutes(at: number, timezone: string): number {
  return timezone === machineZone() ? 0 - new Date(at).getTimezoneOffset() : offsetByTable(at, timezone);
}

const isName = /^(?:UTC|[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z0-9_+-]*)+)$/;

function named(name: string | undefined): string | undefined {
  if (name === undefined || !isName.test(name)) return undefined;
  return name === "Etc/UTC" ? "UTC" : name;
}

/** Where the system keeps it, on Linux and macOS. */
function linked(): string | undefined {
  try {
    return named(/zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1]);
  } catch {
    // A machine without it knows its zone in another way.
    return undefined;
  }
}

interface Zone {
  format: Intl.DateTimeFormat;
  /** By quarter of an hour: zones change theirs at the beginning of one, and asking costs more than all the rest. */
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();
const quarter = 15 * 60_000;
const mostZones = 100;
const mostOffsets = 1000;

function offsetByTable(at: number, timezone: string): number {
  const { format, offsets } = zoneOf(timezone);
  const key = Math.floor(at / quarter);
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d+)(?::(\d+))?/.exec(name) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  const offset = sign === "-" ? -size : size;
  if (offsets.size >= mostOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone);
  if (known) return known;
  const zone: Zone = { format: formatFor(timezone), offsets: new Map() };
  if (zones.size >= mostZones) zones.clear();
  zones.set(timezone, zone);
  return zone;
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" });
  } catch {
    // A name that this machine's tables do not have must not keep anybody from answering.
    return new Intl.DateTimeFormat("en-US", { timeZone: "UTC", timeZoneName: "shortOffset" });
  }
}
