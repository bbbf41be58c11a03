/** IRC: one connection to one network, its channels as groups, queries as direct chats. */
import { defineChannel } from "@pincer/sdk";
import { ircConfig } from "./irc-config.ts";

export const ircChannel = defineChannel({
  id: "irc",
  name: "IRC",
  config: ircConfig,
  // A message becomes several lines; more than this would take longer than the host waits.
  traits: { textLimit: 1000, idempotentSend: false },
  setUp: {
    steps: { en: ["Register its nick with NickServ first."], zh: ["先为它向 NickServ 注册昵称。"] },
  },
  connect: async (settings, host) => (await import("./connect-irc.ts")).connectIrc(settings, host),
});
