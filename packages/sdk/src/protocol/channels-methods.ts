/** Accounts on channels: which exist, and whether messages really arrive and leave. */
import { Type } from "typebox";
import type { ConfigChangeView, ConfigSecretView } from "./config-methods.ts";
import { answer, language, method, name } from "./method.ts";

/** As in the config: `channels.<channel>`, and `accounts.<accountId>` below it. */
const channelName = Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,63}$" });
const accountName = Type.Optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" }));
const text = Type.String({ maxLength: 8192 });
/** Settings of the account, by name. A secret goes to the secrets store, or is referred to as `secret:NAME`. */
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
  /** Every account in the config, including disabled ones. */
  "channels.list": method({
    params: { language },
    result: answer<{ channels: ChannelView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** The same with the state of each; with `probe` it asks the networks first. */
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
  /** The available connectors, and what each needs. */
  "channels.kinds": method({
    params: { channel: Type.Optional(channelName), language },
    result: answer<{ kinds: ChannelKindView[] }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** Tests settings against the network without writing anything. */
  "channels.test": method({
    params: { channel: channelName, keys, language },
    result: answer<ChannelTestView>(),
    effect: "read",
    permission: "config.write",
    scope: "tenant",
  }),
  /**
   * Writes an account into the config; a running gateway connects it. Tests it first, unless `test` is false: settings
   * that do not work are refused, and nothing is written. `replace`: also if the account exists.
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
        /** The network's name for the account; null if the network was not asked. */
        name: string | null;
        claimLink: string | null;
        secrets: ConfigSecretView[];
      }
    >(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /**
   * Removes an account from the config; conversations, people and secrets stay. Without an account, removes the whole
   * channel.
   */
  "channels.remove": method({
    params: { channel: channelName, accountId: accountName, language },
    result: answer<
      ConfigChangeView & {
        channel: string;
        accountIds: string[];
        /** Names of secrets that stay stored. */ keptSecrets: string[];
      }
    >(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /**
   * People or groups that can be written to: as the network lists them now, or as far as they are known here. With
   * `names`, only those with these names on the network.
   */
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
  /** The reason, if it is not connected or not healthy. */
  reason?: string | undefined;
  /** Whether the config enables it. */
  enabled?: boolean | undefined;
  /** When the last message arrived. */
  lastInboundAt?: string | null | undefined;
  /** When there was last evidence that messages arrive. */
  lastProofAt?: string | null | undefined;
  lastDeliveryAt?: string | null | undefined;
  /** What its connection supports besides sending, by the names of the sdk; missing while there is no connection. */
  abilities?: string[] | undefined;
  /** How many outgoing messages wait. */
  backlog?: number | undefined;
  /**
   * green: messages demonstrably arrive and leave. yellow: unclear, or not proven recently. red: they do not. Missing
   * if it was not checked.
   */
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
  /** Only the owner may set it; refused for anybody else. */
  forOwner?: true;
}

export interface ChannelKindView {
  channel: string;
  /** The display name of the network. */
  name: string;
  keys: ChannelKeyView[];
  /** How to get what is needed, one step per line. */
  steps: string[];
  /** Whether settings can be tested before they are written. */
  canTest: boolean;
}

/**
 * `claimLink` contains CODE as a placeholder for the one-time code of `owner.claim`; null if the network has no such
 * links.
 */
export type ChannelTestView =
  | { ok: true; name: string | null; tested: boolean; claimLink: string | null }
  | {
      ok: false;
      problem: string;
      /** Which key is wrong, where it is one. */
      key?: string;
      /** The network was not asked: the value of that key has the wrong form. */
      isForm?: true;
    };

export interface PeerView {
  id: string;
  name: string;
}
