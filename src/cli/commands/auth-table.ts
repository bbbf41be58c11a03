/** Credentials as a table for people: by provider, in the order in which they are tried. */
import type { CredentialView } from "@pincer/sdk";
import type { Say } from "../../infra/texts.ts";
import { table } from "../table.ts";

export function renderCredentials(credentials: readonly CredentialView[], say: Say): string {
  if (credentials.length === 0) return `${say("auth.status.none")}\n`;
  const byProvider = Map.groupBy(credentials, ({ provider }) => provider);
  return [...byProvider]
    .map(([provider, own]) => `${provider}\n${table(own.map((each) => rowOf(each, say)))}`)
    .join("\n");
}

export const renderOffers = (
  offers: ReadonlyArray<{ provider: string; variable: string }>,
  say: Say,
): string => offers.map((offer) => `${say("auth.status.offer", offer)}\n`).join("");

function rowOf(credential: CredentialView, say: Say): string[] {
  const { id, agentId, type, label, source, position, lastUsedAt, lastError, state } = credential;
  const error =
    lastError !== null && state !== "set-aside" ? say("auth.status.last-error", { reason: lastError }) : "";
  return [
    `  ${position ?? "-"}`,
    id,
    agentId ?? say("auth.status.all-agents"),
    type,
    label ?? "",
    source,
    stateOf(credential, say),
    lastUsedAt ? say("auth.status.last-used", { time: lastUsedAt }) : say("auth.status.never-used"),
    error,
  ];
}

function stateOf({ state, until, reason, position }: CredentialView, say: Say): string {
  if (state === "ready" && position === null) return say("auth.state.not-tried");
  return say(`auth.state.${state}`, { until: until ?? "", reason: reason ?? "" });
}
