import { readAccounts } from "../../../channels/accounts.ts";
import { createServiceRecords, type ServiceRecord } from "../../service/service-record.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check, Finding } from "../check.ts";

/** Whether words come in: what a running gateway knows of its channels, or that none runs to listen. */
export function checkChannels(
  { home, say, config, channels }: ExaminedHome,
  running: () => Promise<Pick<ServiceRecord, "pid"> | undefined> = createServiceRecords(home).read,
): Check {
  const nameOf = (channel: string, accountId: string) =>
    accountId === "default" ? channel : `${channel}/${accountId}`;
  return {
    id: "channels",
    title: say("doctor.channels"),
    async check() {
      const accounts = readAccounts((await config()).config.channels).filter(({ enabled }) => enabled);
      if (accounts.length === 0) return [{ level: "ok", message: say("doctor.channels.none") }];
      const names = accounts.map(({ channel, accountId }) => nameOf(channel, accountId)).join(", ");
      if (!channels) {
        if (await running()) return [{ level: "ok", message: say("doctor.channels.elsewhere", { names }) }];
        const message = say("doctor.channels.nobody-listens", { names });
        return [{ level: "warning", message, next: say("doctor.channels.start") }];
      }
      const findings = (await channels()).flatMap(
        ({ channel, accountId, enabled, state, health, reason }): Finding[] => {
          if (enabled === false || (health !== "red" && health !== "yellow" && state !== "broken")) return [];
          const name = nameOf(channel, accountId);
          const isDeaf = health === "red" || state === "broken";
          const message = say(isDeaf ? "doctor.channels.deaf" : "doctor.channels.unsure", {
            name,
            reason: reason ?? state,
          });
          return [
            { level: isDeaf ? "problem" : "warning", message, next: say("doctor.channels.next", { name }) },
          ];
        },
      );
      return findings.length > 0
        ? findings
        : [{ level: "ok", message: say("doctor.channels.ok", { names }) }];
    },
  };
}
