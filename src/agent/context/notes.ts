/** The time note above a message for the model: `[Sun 2026-11-15 18:05 GMT+1]`. */
import { offsetMinutes } from "../../infra/local-time.ts";

/** Undefined for a time that is none. An unknown zone counts as UTC. */
export function timeNote(time: string, timezone: string): string | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return undefined;
  const ahead = offsetMinutes(at, timezone);
  return noteOf(Math.floor((at + ahead * 60_000) / 60_000), ahead);
}

/** The time of day where the person is: `18:05`. Undefined for a time that is none. */
export const timeOfDay = (time: string, timezone: string): string | undefined =>
  timeNote(time, timezone)?.slice(beforeTimeOfDay, beforeTimeOfDay + 5);

const beforeTimeOfDay = "[Sun 2026-11-15 ".length;

/** By the minute that people see and how far it is ahead of UTC: what was said is shown again with every request. */
const notes = new Map<number, string>();
const mostNotes = 2000;
/** More than there are between the first zone and the last. */
const offsets = 4096;

function noteOf(minute: number, ahead: number): string {
  const key = minute * offsets + ahead;
  const known = notes.get(key);
  if (known !== undefined) return known;
  const local = new Date(minute * 60_000);
  const iso = local.toISOString();
  const note = `[${weekdays[local.getUTCDay()]} ${iso.slice(0, 10)} ${iso.slice(11, 16)} ${labelOf(ahead)}]`;
  if (notes.size >= mostNotes) notes.clear();
  notes.set(key, note);
  return note;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function labelOf(minutes: number): string {
  if (minutes === 0) return "GMT";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
