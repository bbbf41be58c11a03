/** Explains to people how the gate would decide about a call. */
import { PincerError, type Destination, type MethodParams, type PolicyExplanation } from "@pincer/sdk";
import type { TurnPerson, TurnRecord } from "../storage/turns/turns.ts";
import type { ExplainedCall } from "./weigh-call.ts";

/** Decides about a call as the gate would, without running or asking anything. Throws `tool/not-found`. */
export type ExplainCall = (request: MethodParams<"policy.explain">) => Promise<PolicyExplanation>;

type AskedAs = NonNullable<MethodParams<"policy.explain">["as"]>;

/** Who would make the call, and where: as requested, or as in the last turn of the session. Pure. */
export function explainedPlace(
  { role, channel, chatId }: AskedAs,
  last: Pick<TurnRecord, "destination" | "person" | "origin"> | undefined,
  /** As `channel:id`. */
  owners: readonly string[],
): { destination: Destination | null; channel: string; person: TurnPerson } {
  if (role === undefined && channel === undefined && last)
    return { destination: last.destination, channel: last.origin.channel, person: last.person };
  const isGroup = role === "group";
  const named = channel ?? (role === "owner" || role === undefined ? "cli" : "telegram");
  const id = chatId ?? "someone";
  const destination: Destination | null =
    named === "cli" && !isGroup
      ? null
      : {
          channel: named,
          accountId: "default",
          target: { peerKind: isGroup ? "group" : "user", peerId: id },
        };
  // The owner asks on behalf of a named person, so that name is taken as it is.
  const isOwner =
    role === "owner" ||
    (role === undefined && (chatId === undefined || owners.includes(`${named}:${chatId}`)));
  return {
    destination,
    channel: named,
    person: { role: isOwner ? "owner" : "peer", id: `${named}:${isOwner ? "owner" : id}` },
  };
}

/** Throws PincerError for a call that could not be made at all. */
export function explanationOf(explained: ExplainedCall): PolicyExplanation {
  if (explained.type === "failed") {
    const { code = "execution_error", message = "" } = explained.result.error ?? {};
    throw new PincerError(code === "tool_not_found" ? "tool/not-found" : "tool/invalid-args", message);
  }
  const { decision, steps } = explained;
  const { verdict, reason, reasons, rule, cause } = decision;
  return { verdict, reason, reasons, rule, ...(cause && { cause }), steps };
}
