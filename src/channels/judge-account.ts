/**
 * How an account is, from what is proven alone. That a connection is open, or that sending works, proves nothing about what comes in: green
 * takes a sign from the network that is fresh.
 */
import type { AccountState } from "./account-supervisor.ts";

export type AccountVerdict =
  | { health: "green" }
  | {
      health: "yellow" | "red";
      /**
       * broken: the owner must do something. disconnected: it tries again by itself. deaf: it claims to be connected, and nothing is heard.
       * quiet: it is silent for longer than it should. unproven: nothing has been heard yet. unprovable: the connector can neither say nor find out
       * whether it hears. not-delivering: it hears, and the last message did not go out.
       */
      because: "broken" | "disconnected" | "deaf" | "quiet" | "unproven" | "unprovable" | "not-delivering";
    };

/** All times are of the same clock, in milliseconds. */
export interface AccountFacts {
  state: AccountState["state"];
  /** Since when somebody wants it connected. */
  begunAt: number;
  /** Since when it is not proven to be well: it was lost, and nothing was heard since. */
  troubleAt: number | undefined;
  /** When something last came in. */
  signAt: number | undefined;
  /** When the network, asked, last said that messages could come in. */
  probedAt: number | undefined;
  /** Whether the last question was answered with no, or not at all. */
  isProbeFailing: boolean;
  /** How this connection can be judged. */
  means: { type: "heartbeat"; everyMs: number } | { type: "probe" } | { type: "none" };
  isDeliveryFailing: boolean;
}

const red = (because: "broken" | "disconnected" | "deaf"): AccountVerdict => ({ health: "red", because });
const yellow = (
  because: "disconnected" | "quiet" | "unproven" | "unprovable" | "not-delivering",
): AccountVerdict => ({ health: "yellow", because });

export function judgeAccount(facts: AccountFacts, now: number, deafMs: number): AccountVerdict {
  if (facts.state === "broken") return red("broken");
  if (facts.state !== "connected") {
    const since = facts.troubleAt ?? facts.begunAt;
    return now - since >= deafMs ? red("disconnected") : yellow("disconnected");
  }
  const inbound = judgeInbound(facts, now, deafMs);
  if (inbound.health !== "green") return inbound;
  return facts.isDeliveryFailing ? yellow("not-delivering") : inbound;
}

/** How long an account may be silent before it counts as deaf; undefined where silence means nothing. */
export function silenceLimit({ means }: Pick<AccountFacts, "means">, deafMs: number): number | undefined {
  if (means.type === "none") return undefined;
  // A connector that hears rarely is not deaf for that.
  return means.type === "probe" ? deafMs : Math.max(deafMs, means.everyMs * 1.5);
}

function judgeInbound(facts: AccountFacts, now: number, deafMs: number): AccountVerdict {
  const { means, signAt, probedAt, begunAt } = facts;
  // A network that answers questions may still bring nothing: where there is a heartbeat, it alone counts.
  const asked = means.type === "heartbeat" ? undefined : probedAt;
  const provenAt = latest(signAt, asked);
  const limit = silenceLimit(facts, deafMs);
  if (limit === undefined) {
    return provenAt !== undefined && now - provenAt < deafMs ? { health: "green" } : yellow("unprovable");
  }
  const silentMs = now - (provenAt ?? begunAt);
  if (silentMs >= limit) return red("deaf");
  if (provenAt === undefined) return yellow("unproven");
  const usualMs = means.type === "heartbeat" ? Math.max(limit / 2, means.everyMs * 1.25) : limit;
  return silentMs >= usualMs || (means.type === "probe" && facts.isProbeFailing)
    ? yellow("quiet")
    : { health: "green" };
}

const latest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
