/** Accounts on channels: which there are, and whether words really come in and go out. */
import { Type } from "typebox";
import type { ConfigChangeView, ConfigSecretView } from "./config-methods.ts";
import { answer, language, method, name } from "./method.ts";

/** As it stands in the config: `channels.<channel>`, and `accounts.<accountId>` below it. */
const channelName = Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,63}$" });
const accountName = Type.Optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" }));
const text = Type.String({ maxLength: 8192 });
/** Keys of the account, by name. A secret goes to the secrets store, or is named as `secret:NAME`. */
const keys = Type.Record(
  Type.String({ pattern: "^[A-Za-z][A-Za-z0-9]{0,63}$" }),
  Type.Union([
    text,
    Type.Number(),
    Type.Boolean(),
    Type.Array(Type.Union([text, Type.Number()]), { maxItems: 1000 }),
  ]),
  { maxProperties: 64 },
);

export const channelsMethods = {
  /** Every account that the config names, those that are off as well. */
  "channels.list": method({
    params: { language },
    result: answer<{ channels: ChannelView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** The same with how each is; with `probe` the networks are asked now, and it answers when they have. */
  "channels.status": method({
    params: {
      channel: Type.Optional(name),
      accountId: Type.Optional(name),
      probe: Type.Optional(Type.Boolean()),
      language,
    },
    result: answer<{ channels: ChannelView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** Which networks there are connectors for, and what each needs. */
  "channels.kinds": method({
    params: { channel: Type.Optional(channelName), language },
    result: answer<{ kinds: ChannelKindView[] }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** Tries keys against the network without writing anything. */
  "channels.test": method({
    params: { channel: channelName, keys, language },
    result: answer<ChannelTestView>(),
    effect: "read",
    permission: "config.write",
    scope: "tenant",
  }),
  /**
   * Writes an account into the config and has a running gateway connect it. Tried before, unless `test` is false; keys that do not work are
   * refused, and nothing is written. `replace`: also where there is one already.
   */
  "channels.add": method({
    params: {
      channel: channelName,
      accountId: accountName,
      keys,
      replace: Type.Optional(Type.Boolean()),
      test: Type.Optional(Type.Boolean()),
      language,
    },
    result: answer<
      ConfigChangeView & {
        channel: string;
        accountId: string;
        /** As the network calls the account; null where nobody asked it. */
        name: string | null;
        claimLink: string | null;
        secrets: ConfigSecretView[];
      }
    >(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /** Takes an account out of the config; conversations, people and secrets stay. Without an account, all of the channel. */
  "channels.remove": method({
    params: { channel: channelName, accountId: accountName, language },
    result: answer<
      ConfigChangeView & {
        channel: string;
        accountIds: string[];
        /** Names of secrets that nothing takes away. */ keptSecrets: string[];
      }
    >(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /** Who, or which groups, can be written to: as the network tells it now, or as far as they are known here. With `names`, only whoever is called so there. */
  "channels.peers": method({
    params: {
      channel: channelName,
      accountId: accountName,
      kind: Type.Union([Type.Literal("people"), Type.Literal("groups")]),
      names: Type.Optional(Type.Array(name, { minItems: 1, maxItems: 100 })),
      language,
    },
    /** `source`: the network itself, or what is known here. */
    result: answer<{ peers: PeerView[]; source: "network" | "known" }>(),
    effect: "read",
    permission: "people.view",
    scope: "tenant",
  }),
};

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
  /** What its connection can do besides sending, by the names of the sdk; left out while there is none. */
  abilities?: string[] | undefined;
  /** How many messages wait to go out there. */
  backlog?: number | undefined;
  /** green: words are proven to come in and go out. yellow: nobody can tell, or not for long. red: they do not. Left out where nobody looked. */
  health?: "green" | "yellow" | "red" | undefined;
}

export interface ChannelKeyView {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** text, number, yes-no, list. */
  type: "text" | "number" | "yes-no" | "list";
  choices?: string[] | undefined;
  usual?: unknown;
  /** Only the owner may set it; of anybody else it is refused. */
  forOwner?: true;
}

export interface ChannelKindView {
  channel: string;
  /** As people know the network. */
  name: string;
  keys: ChannelKeyView[];
  /** Where to get what is needed, one step a line. */
  steps: string[];
  /** Whether keys can be tried before they are written. */
  canTest: boolean;
}

/** `claimLink` has CODE where the one-time code of `owner.claim` goes; null where the network has no such links. */
export type ChannelTestView =
  | { ok: true; name: string | null; tested: boolean; claimLink: string | null }
  | { ok: false; problem: string };

export interface PeerView {
  id: string;
  name: string;
}
