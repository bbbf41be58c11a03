/** Who may write to an account: the channel's own keys, overridden by the gateway's. */
import type { AccountDoor } from "./accounts.ts";
import type { Config } from "../config/schema.ts";
import type { DoorSettings } from "../routing/door.ts";

/** `account` undefined: a channel that the config does not name admits nobody. */
export function doorSettings(
  config: Config,
  channel: string,
  account: AccountDoor | undefined,
): DoorSettings {
  const { default: all, channels } = config.gateway;
  const own = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  const base = account ?? nobody;
  // The general setting applies unless the channel changes the default itself.
  const general = base.dmPolicy === "pairing" ? all.pairingPolicy : base.dmPolicy;
  return {
    dmPolicy: account ? (own?.pairingPolicy ?? general) : "disabled",
    groupPolicy: base.groupPolicy,
    allowFrom: [...base.allowFrom, ...all.pairingAllowFrom, ...(own?.pairingAllowFrom ?? [])].map(String),
    groups: base.groups,
    ...(base.groupAllowFrom ? { groupAllowFrom: base.groupAllowFrom } : {}),
    requireMention: base.requireMention,
    pairing: {
      ttlMs: own?.pairingPendingTtlMs ?? all.pairingPendingTtlMs,
      max: own?.pairingPendingMax ?? all.pairingPendingMax,
    },
  };
}

/** Only the owner and those who are known by name, each alone with the assistant. */
export const withoutStrangers = (usual: DoorSettings, isPairingInDoubt: boolean): DoorSettings => ({
  ...usual,
  isPairingInDoubt,
  dmPolicy: usual.dmPolicy === "disabled" ? "disabled" : "allowlist",
  groupPolicy: "disabled",
});

const nobody: AccountDoor = {
  dmPolicy: "disabled",
  groupPolicy: "disabled",
  allowFrom: [],
  groups: [],
  requireMention: true,
};
