import { lstat } from "node:fs/promises";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check } from "../check.ts";
import type { ProbeHost } from "./reach.ts";

const mostMs = 5 * 60 * 1000;
/** Nothing of the product is older. */
const firstMoment = Date.UTC(2025, 0, 1);

/**
 * Whether the clock can be right: it is not behind what was written before, and agrees with the server that was just asked. Logins, budgets and
 * schedules go by it.
 */
export function checkClock({ home, say, clock }: ExaminedHome, probe: ProbeHost): Check {
  const writtenAt = async (path: string) => (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0;
  return {
    id: "clock",
    title: say("doctor.clock"),
    async check() {
      const now = clock.now();
      const last = Math.max(firstMoment, await writtenAt(home.coreDb), await writtenAt(home.configFile));
      const iso = (moment: number) => new Date(moment).toISOString();
      const next = say("doctor.clock.next");
      if (now + mostMs < last) {
        const message = say("doctor.clock.behind", { now: iso(now), last: iso(last) });
        return [{ level: "problem", message, next }];
      }
      const answer = await probe();
      const told = answer?.date;
      if (answer && told !== undefined && Math.abs(told - now) > mostMs) {
        const message = say("doctor.clock.differs", {
          now: iso(now),
          told: iso(told),
          origin: answer.origin,
        });
        return [{ level: "problem", message, next }];
      }
      return [{ level: "ok", message: iso(now) }];
    },
  };
}
