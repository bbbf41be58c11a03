/** Whether what somebody starts a gateway with is there: its channels, its provider and its credential. */
import { nearestName } from "../../config/check-config.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { isProviderName, providerNames } from "../../models/catalogue/provider-names.ts";
import { openFoundation, type FoundationParts } from "../../storage/home/foundation.ts";
import type { CredentialStore } from "../../storage/credentials/credentials.ts";
import type { TurnWishes } from "../../agent/turns/turn-wishes.ts";

/** Throws `usage/not-found`, before anything is opened. */
export async function checkRunFlags(
  parts: FoundationParts,
  {
    channels = [],
    wishes = {},
    configProfile,
  }: { channels?: string[]; wishes?: TurnWishes; configProfile?: string | undefined },
): Promise<void> {
  const provider = wishes.provider?.split("/")[0];
  if (channels.length === 0 && provider === undefined) return;
  const said: string[] = [];
  const notify = (message: string) => void said.push(message);
  const { loaded } = await openFoundation({ ...parts, configProfile, notify });
  const problem = unknownChannel(channels, loaded.config) ?? unknownProvider(provider, loaded.config);
  // The next process that opens the home reports what is wrong.
  if (problem === undefined) return;
  for (const message of said) parts.notify(message);
  throw problem;
}

/** Throws `usage/not-found` for a credential that neither the store nor the config has. */
export async function checkProfile(
  wanted: string | undefined,
  { credentials, config }: { credentials: Pick<CredentialStore, "list">; config: Config },
): Promise<void> {
  if (wanted === undefined) return;
  const { profiles } = config.auth;
  const ofProviders = Object.keys(config.models.providers).map((provider) => `config:${provider}`);
  const stored = (await credentials.list()).map(({ id }) => id);
  const known = [...new Set([...Object.keys(profiles), ...ofProviders, ...stored])];
  if (!known.includes(wanted)) throw notThere("gateway.no-profile", wanted, known);
}

function unknownChannel(channels: readonly string[], config: Config): Error | undefined {
  const known = Object.keys(config.channels);
  const name = channels.find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  return failure(
    "usage/not-found",
    "gateway.no-channel",
    { name, known: known.join(", ") },
    { hint: known.length > 0 ? "gateway.no-channel.hint" : "gateway.no-channels.hint" },
  );
}

function unknownProvider(provider: string | undefined, config: Config): Error | undefined {
  if (provider === undefined || isProviderName(provider, config)) return undefined;
  return notThere("gateway.no-provider", provider, providerNames(config));
}

function notThere(key: "gateway.no-provider" | "gateway.no-profile", name: string, known: string[]): Error {
  const nearest = nearestName(name, known);
  return failure(
    "usage/not-found",
    key,
    { name, nearest: nearest ?? "" },
    { hint: nearest === undefined ? `${key}.hint` : "gateway.flag-nearest" },
  );
}
