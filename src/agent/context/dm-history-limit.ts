import { parseSessionKey } from "@pincer/sdk";

/** The part of a channel's config that says how much of a direct chat is shown. */
export interface DirectChatLimits {
  dmHistoryLimit?: number;
  dms?: Record<string, { historyLimit?: number }>;
}

/** The chat that a turn came from, where it came from one. */
interface SaidIn {
  channel: string;
  target: { peerKind: string; peerId: string };
}

/**
 * How many earlier turns of the direct chat are shown, by its key: what is set for the person, else for the channel. Undefined: no limit,
 * also where the key is of no direct chat. A thread has its chat's limit. The owner's main session has that of the chat that the turn came
 * from.
 */
export function dmHistoryLimit(
  sessionKey: string,
  channels: Readonly<Record<string, DirectChatLimits | undefined>>,
  saidIn?: SaidIn | null,
): number | undefined {
  // Few have set any, and then no key has to be read.
  if (!Object.values(channels).some(hasLimits)) return undefined;
  const parsed = parseSessionKey(sessionKey);
  if (!parsed.ok) return undefined;
  const { conversation } = parsed.scope;
  const isOwnersChat = conversation.type === "main" && saidIn?.target.peerKind === "user";
  if (conversation.type !== "direct" && !isOwnersChat) return undefined;
  const { channel, peer } =
    conversation.type === "direct"
      ? conversation
      : { channel: saidIn?.channel, peer: saidIn?.target.peerId ?? "" };
  const limits = channel === undefined ? undefined : own(channels, channel);
  return own(limits?.dms ?? {}, peer)?.historyLimit ?? limits?.dmHistoryLimit;
}

const hasLimits = (limits: DirectChatLimits | undefined): boolean =>
  limits?.dmHistoryLimit !== undefined || limits?.dms !== undefined;

/** Ids come from people: one that is called `__proto__` finds nothing. */
const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
