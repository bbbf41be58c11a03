import { afterEach, describe, expect, it } from "vitest";
import { isOver, localCalendar, resetFor, type Calendar, type ResetSettings } from "./reset-policy.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Local time is UTC+2. */
const calendar: Calendar = {
  lastHour(hour, now) {
    const shift = 2 * hourMs - hour * hourMs;
    return Math.floor((now + shift) / dayMs) * dayMs - shift;
  },
};
const daily: ResetSettings = { mode: "daily", atHour: 4, idleMinutes: 240 };
const over = (updatedAt: string, now: string, reset: ResetSettings = daily) =>
  isOver({ updatedAt }, reset, Date.parse(now), calendar);

describe("the reset policy", () => {
  it("SESS-19 ROUTE-17 ends a daily session when the local hour has passed since its last word", () => {
    expect(over("2026-03-10T01:30:00Z", "2026-03-10T01:59:59Z")).toBe(false);
    expect(over("2026-03-10T01:30:00Z", "2026-03-10T02:00:00Z")).toBe(true);
    expect(over("2026-03-10T02:00:00Z", "2026-03-10T02:10:00Z")).toBe(false);
  });

  it("SESS-19 ends it after silence too, whichever comes first", () => {
    expect(over("2026-03-10T10:00:00Z", "2026-03-10T13:59:59Z")).toBe(false);
    expect(over("2026-03-10T10:00:00Z", "2026-03-10T14:00:00Z")).toBe(true);
  });

  it("SESS-19 looks at silence alone when idle, and at nothing when manual", () => {
    const idle: ResetSettings = { ...daily, mode: "idle" };
    expect(over("2026-03-10T01:30:00Z", "2026-03-10T02:30:00Z", idle)).toBe(false);
    expect(over("2026-03-10T01:30:00Z", "2026-03-10T05:30:00Z", idle)).toBe(true);
    expect(over("2020-01-01T00:00:00Z", "2026-03-10T05:30:00Z", { ...daily, mode: "manual" })).toBe(false);
  });

  it("does not end a session because a clock was set back", () => {
    expect(over("2026-03-10T12:00:00Z", "2026-03-10T11:00:00Z")).toBe(false);
  });

  it("is manual for the command line, as configured for chats", () => {
    expect(resetFor("cli", daily).mode).toBe("manual");
    expect(resetFor("telegram", daily)).toEqual(daily);
  });
});

describe("the local calendar", () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env["TZ"];
    else process.env["TZ"] = TZ;
  });

  it("SESS-19 finds the hour in gateway-local time, over changes of the clocks", () => {
    process.env["TZ"] = "Europe/Berlin";
    const at = (text: string) => new Date(localCalendar.lastHour(4, Date.parse(text))).toISOString();
    expect(at("2026-03-28T12:00:00Z")).toBe("2026-03-28T03:00:00.000Z");
    expect(at("2026-03-29T01:59:59Z")).toBe("2026-03-28T03:00:00.000Z");
    expect(at("2026-03-29T02:00:00Z")).toBe("2026-03-29T02:00:00.000Z");
    expect(at("2026-10-25T12:00:00Z")).toBe("2026-10-25T03:00:00.000Z");
  });
});
