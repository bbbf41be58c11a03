/** When a session ends automatically: daily at an hour of the gateway's local time, after silence, or never. */
import type { Config } from "../config/schema.ts";
import { isTerminal } from "./chat-channels.ts";

export type ResetSettings = Omit<Config["session"]["reset"], "carry">;

/** Local time as a part. */
export interface Calendar {
  /** The last moment, not after `now`, at which the clocks here showed this full hour. Milliseconds since the epoch. */
  lastHour(hour: number, now: number): number;
}

/** Whether the next message begins a new session. Daily means daily or idle, whichever comes first. */
export function isOver(
  session: { updatedAt: string },
  reset: ResetSettings,
  now: number,
  calendar: Calendar = localCalendar,
): boolean {
  if (reset.mode === "manual") return false;
  const touched = Date.parse(session.updatedAt);
  if (now - touched >= reset.idleMinutes * 60_000) return true;
  return reset.mode === "daily" && touched < calendar.lastHour(reset.atHour, now);
}

/** The command line and programs keep their session until somebody resets it. */
export function resetFor(channel: string, reset: ResetSettings): ResetSettings {
  return isTerminal(channel) ? { ...reset, mode: "manual" } : reset;
}

export const localCalendar: Calendar = {
  lastHour(hour, now) {
    const day = new Date(now);
    day.setHours(hour, 0, 0, 0);
    if (day.getTime() > now) day.setDate(day.getDate() - 1);
    return day.getTime();
  },
};
