/**
 * Judges an account by proof alone. An open connection, or a successful send, proves nothing about incoming messages:
 * green needs a recent sign from the network.
 */
import type { AccountState } from "./account-supervisor.ts";

export type AccountVerdict =
  | { health: "green" }
  | {
      health: "yellow" | "red";
      /**
       * broken: the owner must act. disconnected: it retries by itself. deaf: it claims to be connected but hears
       * nothing. failing: asking the network fails. quiet: it is silent for longer than it should be. unproven: nothing
       * has been heard yet. unprovable: the connector cannot tell whether it hears. not-stored: messages come and cannot
       * be stored. not-delivering: it hears, and the last message did not go out.
       */
      because:
        | "broken"
        | "disconnected"
        | "deaf"
        | "failing"
        | "quiet"
        | "unproven"
        | "unprovable"
        | "not-stored"
        | "not-delivering";
    };

/** All times come from the same clock, in milliseconds. */
export interface AccountFacts {
  state: AccountState["state"];
  /** Since when it should be connected. */
  begunAt: number;
  /** Since when it is in doubt: the connection was lost, and nothing was heard since. */
  troubleAt: number | undefined;
  /** The last sign from the network. */
  signAt: number | undefined;
  /** When the network last confirmed, on request, that messages can arrive. */
  probedAt: number | undefined;
  /** Whether the last probe failed or got no answer. */
  isProbeFailing: boolean;
  /** Whether asking the network for messages failed since the last sign. */
  isFailing: boolean;
  /** It was red, and nothing was heard since: reconnecting is no proof. */
  wasRed: boolean;
  /** How this connection can be checked, or the last one could. */
  means: { type: "heartbeat"; everyMs: number } | { type: "probe" } | { type: "none" };
  isDeliveryFailing: boolean;
  /** When a message came that could not be stored; undefined since one was. */
  unstoredAt: number | undefined;
}

const red = (because: "broken" | "disconnected" | "deaf" | "not-stored"): AccountVerdict => ({
  health: "red",
  because,
});
const yellow = (
  because: "disconnected" | "failing" | "quiet" | "unproven" | "unprovable" | "not-delivering",
): AccountVerdict => ({ health: "yellow", because });

export function judgeAccount(facts: AccountFacts, now: number, deafMs: number): AccountVerdict {
  if (facts.state === "broken") return red("broken");
  if (facts.state !== "connected") {
    const silentMs = now - silentSince(facts);
    return facts.wasRed || silentMs >= (silenceLimit(facts, deafMs) ?? deafMs)
      ? red("disconnected")
      : yellow("disconnected");
  }
  if (facts.unstoredAt !== undefined) return red("not-stored");
  const inbound = judgeInbound(facts, now, deafMs);
  if (inbound.health !== "green") return inbound;
  return facts.isDeliveryFailing ? yellow("not-delivering") : inbound;
}

/** Deafness counts from the last proof; without means of proof, from the moment at which the connection was lost. */
function silentSince({ means, signAt, probedAt, troubleAt, begunAt }: AccountFacts): number {
  const provenAt = means.type === "none" ? troubleAt : latest(signAt, probedAt);
  return provenAt ?? troubleAt ?? begunAt;
}

/** How long an account may be silent before it counts as deaf; undefined if silence means nothing. */
export function silenceLimit({ means }: Pick<AccountFacts, "means">, deafMs: number): number | undefined {
  if (means.type === "none") return undefined;
  // A connector with a slow heartbeat gets more time.
  return means.type === "probe" ? deafMs : Math.max(deafMs, means.everyMs * 1.5);
}

function judgeInbound(facts: AccountFacts, now: number, deafMs: number): AccountVerdict {
  const { means, signAt, probedAt, begunAt } = facts;
  // A network may answer probes and still deliver nothing: if there is a heartbeat, it alone counts.
  const asked = means.type === "heartbeat" ? undefined : probedAt;
  const provenAt = latest(signAt, asked);
  const limit = silenceLimit(facts, deafMs);
  if (limit === undefined) {
    return provenAt !== undefined && now - provenAt < deafMs ? { health: "green" } : yellow("unprovable");
  }
  const silentMs = now - (provenAt ?? begunAt);
  if (silentMs >= limit || facts.wasRed) return red("deaf");
  if (facts.isFailing) return yellow("failing");
  if (provenAt === undefined) return yellow("unproven");
  const usualMs = means.type === "heartbeat" ? Math.max(limit / 2, means.everyMs * 1.25) : limit;
  return silentMs >= usualMs || (means.type === "probe" && facts.isProbeFailing)
    ? yellow("quiet")
    : { health: "green" };
}

const latest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
