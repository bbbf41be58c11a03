/**
 * Who may speak. A person is known by the immutable id that the network gives, compared exactly: no names, no folding of case, no
 * numbers read as numbers. People without access get no answer, except a stranger who is offered pairing.
 */
import type { InboundMessage } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { PairingLimits, PairingStore } from "../storage/access/people.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";
import { codeOfMessage } from "./pairing-code.ts";

export interface DoorSettings {
  dmPolicy: "disabled" | "allowlist" | "pairing" | "open";
  groupPolicy: "disabled" | "allowlist" | "open";
  /** Ids of people; empty lets nobody in. A `*` is no id. */
  allowFrom: readonly string[];
  /** Ids of groups and rooms; empty answers none. */
  groups: readonly string[];
  /** Ids of people who are heard in groups, besides owners; empty hears everybody there. A `*` is no id. */
  groupAllowFrom?: readonly string[];
  requireMention: boolean;
  pairing: PairingLimits;
  /** Whoever was let in before counts no more until the owner has looked: the list of them is in doubt. */
  isPairingInDoubt?: boolean;
}

export type RefusalReason =
  | "self"
  | "no-sender-id"
  | "no-peer-id"
  | "disabled"
  | "not-allowed"
  | "in-doubt"
  | "group-disabled"
  | "group-not-allowed"
  | "group-sender-not-allowed"
  | "pairing-full";

export type Admission =
  | { type: "admitted"; person: TurnPerson }
  /** Said in a group, not to us: kept as context. */
  | { type: "context" }
  /** Nothing is answered. */
  | { type: "refused"; reason: RefusalReason }
  /** Somebody who was let in before, by a list that is in doubt; `isToBeTold` at most once a minute. */
  | { type: "in-doubt"; isToBeTold: boolean }
  /** A stranger with a code that the owner can approve; `isToBeTold` when it is a new one, else at most once a minute. */
  | { type: "pairing"; code: string; isNew: boolean; isToBeTold: boolean }
  /** The message was the owner's one-time code: its sender is an owner from now on. */
  | { type: "claimed-owner"; person: TurnPerson };

export interface Door {
  /**
   * Decides about one message. Throws what the storage does. Safe to repeat for the same message, except that a claim succeeds once:
   * repeated, its sender is admitted as the owner.
   */
  admit(message: InboundMessage): Promise<Admission>;
  /** Whether `admit` would let its sender in, without offering anything or taking a code. Throws what the storage does. */
  isAdmitted(message: InboundMessage): Promise<boolean>;
  /** Whether the config alone lets its sender in: for when the storage cannot be asked. */
  isAdmittedByConfig(message: InboundMessage): boolean;
}

export interface DoorParts {
  pairing: Pick<
    PairingStore,
    "request" | "isAllowed" | "isOwner" | "claimOwner" | "listAllowed" | "listOwners"
  >;
  /** The configured owners, as `channel:id`. */
  ownersOf(): readonly string[];
  settings(channel: string, accountId: string): DoorSettings;
  makeCode(): string;
  clock: Clock;
}

const claimTries = 5;
const longestName = 100;

export function createDoor({ pairing, ownersOf, settings, makeCode, clock }: DoorParts): Door {
  const told = createTold(clock);

  const isOwnerByConfig = ({ channel, sender }: InboundMessage): boolean =>
    !sender.isUnproven && ownersOf().some((owner) => isSamePerson(owner, channel, sender.id));

  async function isOwner(message: InboundMessage): Promise<boolean> {
    const { channel, sender } = message;
    return isOwnerByConfig(message) || (!sender.isUnproven && pairing.isOwner(channel, sender.id));
  }

  /** Undefined when the door decides by more than who it is. */
  function refuseOutright({ sender, peer }: InboundMessage): Admission | undefined {
    if (sender.isSelf) return refused("self");
    if (sender.id.trim() === "") return refused("no-sender-id");
    return peer.id.trim() === "" ? refused("no-peer-id") : undefined;
  }

  async function admitDirect(message: InboundMessage, rules: DoorSettings): Promise<Admission> {
    if (rules.dmPolicy === "disabled") return { type: "refused", reason: "disabled" };
    if (await isOwner(message)) return { type: "admitted", person: personOf(message, "owner") };
    if (await claims(message)) return { type: "claimed-owner", person: personOf(message, "owner") };
    if (rules.dmPolicy === "open" || (await isKnown(message, rules))) {
      return { type: "admitted", person: personOf(message, "peer") };
    }
    if (rules.isPairingInDoubt && (await wasKnown(message))) {
      return { type: "in-doubt", isToBeTold: told.isDue(keyOf(message), message.message.id) };
    }
    return rules.dmPolicy === "pairing" ? offerPairing(message, rules) : refused("not-allowed");
  }

  /** Undefined when the group is let in. `isOwners`: whether the owner says it. */
  function refuseGroup(
    message: InboundMessage,
    rules: DoorSettings,
    isOwners: boolean,
  ): Admission | undefined {
    if (rules.groupPolicy === "disabled") return refused("group-disabled");
    if (rules.groupPolicy === "allowlist" && !rules.groups.includes(message.peer.id)) {
      return refused("group-not-allowed");
    }
    const { groupAllowFrom = [] } = rules;
    const isListed = message.sender.id !== "*" && groupAllowFrom.includes(message.sender.id);
    if (groupAllowFrom.length > 0 && !isListed && !isOwners) return refused("group-sender-not-allowed");
    const content = message.message;
    const isMentioned = content.type !== "delete" && content.mentioned;
    return rules.requireMention && !isMentioned ? { type: "context" } : undefined;
  }

  async function admitGroup(message: InboundMessage, rules: DoorSettings): Promise<Admission> {
    const isOwners = await isOwner(message);
    const refusal = refuseGroup(message, rules, isOwners);
    return refusal ?? { type: "admitted", person: personOf(message, isOwners ? "owner" : "peer") };
  }

  /** A wrong code, or one too many, is an ordinary message: the answer must not tell how good a guess was. */
  async function claims({ channel, sender, message }: InboundMessage): Promise<boolean> {
    const code = message.type === "text" ? codeOfMessage(message.text) : undefined;
    if (code === undefined || sender.isUnproven) return false;
    const attempt = { code, channel, senderId: sender.id, maxTries: claimTries };
    return (await pairing.claimOwner(attempt)).type === "claimed";
  }

  const isListed = ({ sender }: InboundMessage, rules: DoorSettings): boolean =>
    sender.id !== "*" && rules.allowFrom.includes(sender.id);

  async function isKnown(message: InboundMessage, rules: DoorSettings) {
    if (isListed(message, rules)) return true;
    const { channel, accountId, sender } = message;
    return pairing.isAllowed({ channel, accountId, senderId: sender.id });
  }

  async function wasKnown({ channel, accountId, sender }: InboundMessage): Promise<boolean> {
    const owners = await pairing.listOwners();
    if (owners.some((owner) => owner.channel === channel && owner.senderId === sender.id)) return true;
    const allowed = await pairing.listAllowed({ channel, accountId });
    return allowed.some(({ senderId }) => senderId === sender.id);
  }

  async function offerPairing(message: InboundMessage, rules: DoorSettings): Promise<Admission> {
    const { channel, accountId, sender } = message;
    const meta: Record<string, string> = sender.name ? { name: sender.name.slice(0, longestName) } : {};
    const stranger = { channel, accountId, senderId: sender.id, meta };
    const outcome = await pairing.request(stranger, rules.pairing, makeCode);
    if (outcome.type === "full") return refused("pairing-full");
    const { code } = outcome.request;
    const key = keyOf(message);
    if (outcome.isNew) told.forget(key);
    const isToBeTold = told.isDue(key, message.message.id);
    return { type: "pairing", code, isNew: outcome.isNew, isToBeTold };
  }

  return {
    async admit(message) {
      const rules = settings(message.channel, message.accountId);
      return (
        refuseOutright(message) ??
        (message.peer.kind === "user" ? admitDirect(message, rules) : admitGroup(message, rules))
      );
    },
    async isAdmitted(message) {
      if (refuseOutright(message)) return false;
      const rules = settings(message.channel, message.accountId);
      if (message.peer.kind !== "user") return (await admitGroup(message, rules)).type === "admitted";
      if (rules.dmPolicy === "disabled") return false;
      return rules.dmPolicy === "open" || (await isOwner(message)) || isKnown(message, rules);
    },
    isAdmittedByConfig(message) {
      if (refuseOutright(message)) return false;
      const rules = settings(message.channel, message.accountId);
      if (message.peer.kind !== "user")
        return refuseGroup(message, rules, isOwnerByConfig(message)) === undefined;
      if (rules.dmPolicy === "disabled") return false;
      return rules.dmPolicy === "open" || isOwnerByConfig(message) || isListed(message, rules);
    },
  };
}

const keyOf = ({ channel, accountId, sender }: InboundMessage): string =>
  JSON.stringify([channel, accountId, sender.id]);

const refused = (reason: RefusalReason): Admission => ({ type: "refused", reason });

/** Cut at the first colon: ids may hold more of them, channels none. */
function isSamePerson(owner: string, channel: string, id: string): boolean {
  const cut = owner.indexOf(":");
  return cut > 0 && owner.slice(0, cut) === channel && owner.slice(cut + 1) === id;
}

function personOf({ channel, sender }: InboundMessage, role: TurnPerson["role"]): TurnPerson {
  return { role, id: `${channel}:${sender.id}`, ...(sender.name ? { name: sender.name } : {}) };
}

const pauseMs = 60_000;
const mostRemembered = 1000;

/** Whom a code was told lately. In memory only: after a restart one answer too many does no harm. */
function createTold(clock: Clock) {
  const last = new Map<string, { at: number; messageId: string }>();
  return {
    forget: (key: string) => void last.delete(key),
    /** True again for the message that was answered: it may come back because the answer could not be stored. */
    isDue(key: string, messageId: string): boolean {
      const before = last.get(key);
      if (before?.messageId === messageId) return true;
      if (before && clock.monotonic() - before.at < pauseMs) return false;
      last.delete(key);
      last.set(key, { at: clock.monotonic(), messageId });
      const [oldest] = last.keys();
      if (last.size > mostRemembered && oldest !== undefined) last.delete(oldest);
      return true;
    },
  };
}
