/** When something was said, as the model is told above the words: `[Sun 2026-11-15 18:05 GMT+1]`. */

/** Undefined for a time that is none. An unknown zone counts as UTC. */
export function timeNote(time: string, timezone: string): string | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return undefined;
  const { label, minutes } = offsetAt(at, timezone);
  const local = new Date(at + minutes * 60_000);
  const iso = local.toISOString();
  return `[${weekdays[local.getUTCDay()]} ${iso.slice(0, 10)} ${iso.slice(11, 16)} ${label}]`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

interface Offset {
  label: string;
  minutes: number;
}

interface Zone {
  format: Intl.DateTimeFormat;
  /** By quarter of an hour: zones change theirs at the beginning of one, and asking costs more than all the rest. */
  offsets: Map<number, Offset>;
}

const zones = new Map<string, Zone>();
const quarter = 15 * 60_000;
const mostZones = 100;
const mostOffsets = 1000;

function offsetAt(at: number, timezone: string): Offset {
  const { format, offsets } = zoneOf(timezone);
  const key = Math.floor(at / quarter);
  const known = offsets.get(key);
  if (known) return known;
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d+)(?::(\d+))?/.exec(name) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  // Some versions of the tables write GMT+0.
  const offset = { label: size === 0 ? "GMT" : name, minutes: sign === "-" ? -size : size };
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
