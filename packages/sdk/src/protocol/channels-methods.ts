/** Accounts on channels: which there are, and whether words really come in and go out. */
import { Type, type TObject } from "typebox";
import { language, name, read, type Method } from "./method.ts";

export const channelsMethods = {
  /** Every account that the config names, those that are off as well. */
  "channels.list": read({ language }),
  /** The same with how each is; with `probe` the networks are asked now, and it answers when they have. */
  "channels.status": read({
    channel: Type.Optional(name),
    accountId: Type.Optional(name),
    probe: Type.Optional(Type.Boolean()),
    language,
  }),
} as const satisfies Record<string, Method<TObject>>;

export interface ChannelView {
  channel: string;
  accountId: string;
  /** connecting, connected, waiting, stopped, broken. */
  state: string;
  since: string;
  /** In words, where it is not connected or not well. */
  reason?: string | undefined;
  /** Whether the config switches it on. */
  enabled?: boolean | undefined;
  /** When words last came in. */
  lastInboundAt?: string | null | undefined;
  /** When it was last proven that words would come in. */
  lastProofAt?: string | null | undefined;
  lastDeliveryAt?: string | null | undefined;
  /** How many messages wait to go out there. */
  backlog?: number | undefined;
  /** green: words are proven to come in and go out. yellow: nobody can tell, or not for long. red: they do not. Left out where nobody looked. */
  health?: "green" | "yellow" | "red" | undefined;
}

export interface ChannelsResults {
  "channels.list": { channels: ChannelView[] };
  "channels.status": { channels: ChannelView[] };
}
