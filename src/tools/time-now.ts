import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { Clock } from "../infra/clock.ts";

export const createTimeNowTool = (clock: Clock) =>
  defineTool({
    name: "time_now",
    aliases: ["time.now"],
    effect: "read",
    controls: {},
    resultOrigin: "system",
    description: "Tell the current date and time.",
    input: Type.Object({
      timeZone: Type.Optional(
        Type.String({ description: "IANA name, e.g. Asia/Shanghai; the machine's if left out" }),
      ),
    }),
    async run({ timeZone }) {
      const now = new Date(clock.now());
      const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      const local = new Intl.DateTimeFormat("sv-SE", {
        timeZone: zone,
        dateStyle: "short",
        timeStyle: "medium",
      }).format(now);
      return {
        text: `${now.toISOString()} (${local} ${zone})`,
        details: { iso: now.toISOString(), epochMs: now.getTime(), timeZone: zone },
      };
    },
  });
