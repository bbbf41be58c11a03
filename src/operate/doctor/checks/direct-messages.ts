import { isTable } from "@pincer/sdk";
import type { Config } from "../../../config/schema.ts";
import type { Check } from "../check.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";

/** Warns wherever everybody who finds the assistant may write to it. */
export function checkDirectMessages({ say, config, home }: ExaminedHome): Check {
  return {
    id: "direct-messages",
    title: say("doctor.direct-messages"),
    async check() {
      const open = openPolicies((await config()).config);
      if (open.length === 0) return [{ level: "ok", message: say("doctor.direct-messages.ok") }];
      return open.map((key) => ({
        level: "warning" as const,
        message: say("doctor.direct-messages.open", { key }),
        next: say("doctor.direct-messages.next", { key }),
        place: { file: home.configFile, key },
      }));
    },
  };
}

/** The keys that say `open`. */
function openPolicies({ channels, gateway }: Config): string[] {
  const keys: string[] = [];
  for (const [name, channel] of Object.entries(channels)) {
    if (channel.dmPolicy === "open") keys.push(`channels.${name}.dmPolicy`);
    for (const [account, settings] of Object.entries(channel.accounts ?? {})) {
      if (isTable(settings) && settings["dmPolicy"] === "open") {
        keys.push(`channels.${name}.accounts.${account}.dmPolicy`);
      }
    }
  }
  if (gateway.default.pairingPolicy === "open") keys.push("gateway.default.pairingPolicy");
  for (const [name, channel] of Object.entries(gateway.channels)) {
    if (channel.pairingPolicy === "open") keys.push(`gateway.channels.${name}.pairingPolicy`);
  }
  return keys;
}
