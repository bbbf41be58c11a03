import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildMessages } from "./build-messages.ts";
import { timeNote } from "./notes.ts";
import { entriesOf, settings, user, viewOf } from "./testing/session-said.ts";

describe("the time above what was said", () => {
  it("CTX-05 is told in the person's zone", () => {
    const time = "2026-11-15T17:05:30.000Z";
    expect(timeNote(time, "Europe/Berlin")).toBe("[Sun 2026-11-15 18:05 GMT+1]");
    expect(timeNote(time, "Asia/Shanghai")).toBe("[Mon 2026-11-16 01:05 GMT+8]");
    expect(timeNote(time, "Asia/Kolkata")).toBe("[Sun 2026-11-15 22:35 GMT+5:30]");
    expect(timeNote(time, "America/St_Johns")).toBe("[Sun 2026-11-15 13:35 GMT-3:30]");
    expect(timeNote(time, "UTC")).toBe("[Sun 2026-11-15 17:05 GMT]");
  });

  it("CTX-05 rides with each message of a request, so that the newest one tells the present", () => {
    const { messages } = buildMessages({
      view: viewOf(entriesOf([user("before")])),
      turn: entriesOf([user("now")], { from: 3602 }),
      settings: settings({ timezone: "Asia/Shanghai" }),
      fixedTokens: 0,
      level: "normal",
      digest: () => "",
      hasSessionMemory: false,
    });
    const notes = messages.map((message) => (message.role === "user" ? message.note : undefined));
    expect(notes).toEqual(["[Sun 2026-11-15 20:00 GMT+8]", "[Sun 2026-11-15 21:00 GMT+8]"]);
  });

  it("follows the clocks when they change", () => {
    expect(timeNote("2026-10-25T00:59:00.000Z", "Europe/Berlin")).toBe("[Sun 2026-10-25 02:59 GMT+2]");
    expect(timeNote("2026-10-25T01:00:00.000Z", "Europe/Berlin")).toBe("[Sun 2026-10-25 02:00 GMT+1]");
  });

  it("is the same for repeated requests, and another in another zone or another minute", () => {
    const zones = ["Europe/Berlin", "UTC", "America/St_Johns"];
    const said = () =>
      Array.from({ length: 3000 }, (_, minute) =>
        zones.map((zone) => timeNote(new Date(Date.UTC(2026, 9, 25) + minute * 60_000).toISOString(), zone)),
      ).flat();
    const first = said();
    expect(said()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
    expect(timeNote("2026-10-25T00:00:59.999Z", "UTC")).toBe(timeNote("2026-10-25T00:00:00.000Z", "UTC"));
  });

  it("is told in UTC where nobody knows the zone, and not at all where the time is none", () => {
    expect(timeNote("2026-11-15T17:05:00.000Z", "Mars/Olympus")).toBe("[Sun 2026-11-15 17:05 GMT]");
    expect(timeNote("yesterday", "UTC")).toBeUndefined();
  });

  it("is what the platform itself would say", () => {
    const zone = fc.constantFrom(
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kathmandu",
    );
    fc.assert(
      fc.property(
        zone,
        fc.date({ min: new Date("2000-01-01"), max: new Date("2037-01-01"), noInvalidDate: true }),
        (timeZone, at) => {
          const parts = new Intl.DateTimeFormat("en-CA", {
            timeZone,
            year: "numeric",
            month: "2-digit",
            day: "2-digit",
            hour: "2-digit",
            minute: "2-digit",
            hourCycle: "h23",
          }).formatToParts(at);
          const part = (type: string) => parts.find((each) => each.type === type)?.value;
          const local = `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}`;
          expect(timeNote(at.toISOString(), timeZone)).toContain(` ${local} GMT`);
        },
      ),
    );
  });
});
