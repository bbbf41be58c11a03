/** The accounts of the config; keys of an account override those of its channel. */
import { Type, type Static } from "typebox";
import { Check, Errors } from "typebox/value";
import type { Config } from "../config/schema.ts";

/** Who may speak on an account. */
export interface AccountDoor {
  dmPolicy: "pairing" | "allowlist" | "open" | "disabled";
  groupPolicy: "allowlist" | "open" | "disabled";
  /** Ids of people who need no pairing. */
  allowFrom: string[];
  /** Ids of the groups that an allow list lets in. */
  groups: string[];
  /** Ids of people who are heard in groups; empty hears everybody there. */
  groupAllowFrom?: string[];
  requireMention: boolean;
}

export interface AccountSettings {
  channel: string;
  accountId: string;
  enabled: boolean;
  /** All keys of the account; the connector's schema says which of them it reads. */
  config: unknown;
  door: AccountDoor;
  /** What to do with a message that may or may not have arrived. */
  uncertain: "repeat" | "none";
  /** How a growing answer is shown: not at all, as a message that is edited, or piece by piece. */
  streaming: "off" | "edit" | "blocks";
  /** The reaction that a message gets while it is processed. */
  workingReaction: string | undefined;
  /** Why the keys are unusable: then nobody is admitted, and the account does not start. */
  problem: string | undefined;
}

export const defaultAccountId = "default";

/** Sorted by channel and account. Never throws: an account with bad keys has a problem. */
export function readAccounts(channels: Config["channels"]): AccountSettings[] {
  return Object.entries(channels)
    .flatMap(([channel, { accounts = {}, ...keys }]) => {
      const named = Object.entries(accounts);
      if (named.length === 0) return [readAccount(channel, defaultAccountId, keys)];
      return named.map(([accountId, own]) => readAccount(channel, accountId, { ...keys, ...own }));
    })
    .sort((a, b) => compare(a.channel, b.channel) || compare(a.accountId, b.accountId));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const People = Type.Array(Type.Union([Type.String(), Type.Integer()]));

/** The keys that the host reads itself. The config check does not cover `accounts`. */
const HostKeys = Type.Object({
  enabled: Type.Boolean(),
  dmPolicy: Type.Enum(["pairing", "allowlist", "open", "disabled"]),
  allowFrom: People,
  groupPolicy: Type.Optional(Type.Enum(["allowlist", "open", "disabled"])),
  groups: Type.Optional(People),
  groupAllowFrom: Type.Optional(People),
  requireMention: Type.Optional(Type.Boolean()),
  uncertain: Type.Optional(Type.Enum(["repeat", "none"])),
  streaming: Type.Optional(Type.Enum(["off", "edit", "blocks"])),
  workingReaction: Type.Optional(Type.String({ maxLength: 16 })),
});

function readAccount(channel: string, accountId: string, config: Record<string, unknown>): AccountSettings {
  if (!Check(HostKeys, config)) {
    const [first] = Errors(HostKeys, config);
    const problem = first ? `${first.instancePath.replace(/^\//, "")} ${first.message}` : "bad keys";
    return { ...settingsOf(channel, accountId, closed), config, problem };
  }
  return { ...settingsOf(channel, accountId, config), config, problem: undefined };
}

/** By name, without `enabled`, which is set when an account is added. */
export const hostKeys: readonly string[] = Object.keys(HostKeys.properties).filter(
  (key) => key !== "enabled",
);

const closed: Static<typeof HostKeys> = {
  enabled: true,
  dmPolicy: "disabled",
  groupPolicy: "disabled",
  allowFrom: [],
};

function settingsOf(
  channel: string,
  accountId: string,
  keys: Static<typeof HostKeys>,
): Omit<AccountSettings, "config" | "problem"> {
  return {
    channel,
    accountId,
    enabled: keys.enabled,
    door: {
      dmPolicy: keys.dmPolicy,
      groupPolicy: keys.groupPolicy ?? "allowlist",
      allowFrom: keys.allowFrom.map(String),
      groups: (keys.groups ?? []).map(String),
      ...(keys.groupAllowFrom ? { groupAllowFrom: keys.groupAllowFrom.map(String) } : {}),
      requireMention: keys.requireMention ?? true,
    },
    uncertain: keys.uncertain ?? "repeat",
    streaming: keys.streaming ?? "off",
    workingReaction: keys.workingReaction,
  };
}
