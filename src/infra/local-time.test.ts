import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { machineZone, offsetMinutes } from "./local-time.ts";

/** Winter, summer, and the hours around a change of the clocks in Europe. */
const moments = ["2026-01-15T12:00Z", "2026-07-15T12:00Z", "2026-03-29T00:59Z", "2026-03-29T01:00Z"].map(
  (text) => Date.parse(text),
);

it("knows how far local time is ahead, in summer and in winter", () => {
  expect(moments.map((at) => offsetMinutes(at, "Europe/Berlin"))).toEqual([60, 120, 60, 120]);
  expect(moments.map((at) => offsetMinutes(at, "America/St_Johns"))).toEqual([-210, -150, -150, -150]);
  expect(offsetMinutes(0, "Mars/Phobos")).toBe(0);
});

it.each(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"])(
  "asks the system for the machine's own zone, and gets what the tables say: %s",
  (zone) => {
    const script = `
      import { machineZone, offsetMinutes } from ${JSON.stringify(new URL("./local-time.ts", import.meta.url).href)};
      console.log(JSON.stringify([machineZone(), ...${JSON.stringify(moments)}.map((at) => offsetMinutes(at, ${JSON.stringify(zone)}))]));`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    });
    expect(JSON.parse(out)).toEqual([zone, ...moments.map((at) => offsetMinutes(at, zone))]);
  },
);

it("names a zone that the tables know", () => {
  expect(() => new Intl.DateTimeFormat("en", { timeZone: machineZone() })).not.toThrow();
});
