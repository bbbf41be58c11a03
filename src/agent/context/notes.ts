/** When something was said, as the model is told above the words: `[Sun 2026-11-15 18:05 GMT+1]`. */
import { offsetMinutes } from "../../infra/local-time.ts";

/** Undefined for a time that is none. An unknown zone counts as UTC. */
export function timeNote(time: string, timezone: string): string | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return undefined;
  const minutes = offsetMinutes(at, timezone);
  const local = new Date(at + minutes * 60_000);
  const iso = local.toISOString();
  return `[${weekdays[local.getUTCDay()]} ${iso.slice(0, 10)} ${iso.slice(11, 16)} ${labelOf(minutes)}]`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function labelOf(minutes: number): string {
  if (minutes === 0) return "GMT";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
