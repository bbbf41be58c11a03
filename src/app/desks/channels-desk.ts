/** Every account of the config and how it is: what a running gateway knows, or that none runs. */
import type { ChannelView } from "@pincer/sdk";
import { readAccounts } from "../../channels/accounts.ts";
import { timestamp } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { ControlDeskParts } from "./control-parts.ts";
import type { Desk } from "./desk.ts";

export function createChannelsDesk({
  ground,
  config,
  house,
  inLanguage,
}: Pick<ControlDeskParts, "ground" | "config" | "house"> & {
  inLanguage(language: Language | undefined): Say;
}): Desk<"channels"> {
  async function look(probe: boolean, say: Say): Promise<ChannelView[]> {
    const states = (await house?.channels({ probe })) ?? [];
    const known = (channel: string, accountId: string) =>
      states.find((each) => each.channel === channel && each.accountId === accountId);
    const accounts = house?.accounts?.() ?? readAccounts(config().channels);
    const since = timestamp(ground.clock);
    const listed = accounts.map(({ channel, accountId, enabled, problem }): ChannelView => {
      const state = known(channel, accountId);
      if (state) return { enabled, ...state };
      const reason = problem ?? say(house ? "channels.not-run" : "channels.no-gateway");
      return { channel, accountId, enabled, state: "stopped", since, reason };
    });
    // What plugins bring along is in no config.
    const others = states.filter((state) => !accounts.some((each) => isSame(each, state)));
    return [...listed, ...others];
  }

  return {
    list: async ({ language }) => ({ channels: await look(false, inLanguage(language)) }),
    async status({ channel, accountId, probe = false, language }) {
      const channels = (await look(probe, inLanguage(language))).filter(
        (each) =>
          (channel === undefined || each.channel === channel) &&
          (accountId === undefined || each.accountId === accountId),
      );
      if (channels.length > 0 || (channel === undefined && accountId === undefined)) return { channels };
      const name = [channel, accountId].filter(Boolean).join("/");
      throw failure("usage/not-found", "channels.none", { name }, { hint: "channels.none.hint" });
    },
  };
}

const isSame = (
  one: Pick<ChannelView, "channel" | "accountId">,
  other: Pick<ChannelView, "channel" | "accountId">,
): boolean => one.channel === other.channel && one.accountId === other.accountId;
