/** Where the credentials of a provider come from: stored rows, the config, the environment, and providers that want none. */
import type { Config } from "../../config/schema.ts";
import type { CredentialRecord } from "../../storage/credentials/credentials.ts";
import { readEnvironmentAuth } from "./environment-keys.ts";
import { resolveOrder } from "./order-credentials.ts";

export type CredentialSettings = Pick<Config, "auth"> & { models: Pick<Config["models"], "providers"> };

export type CredentialSource = { id: string; agentId: string | null; provider: string } & (
  | { type: "stored"; record: CredentialRecord }
  /** `reference` is the key itself or `secret:NAME`. */
  | { type: "config"; reference: string; mode: "api_key" | "token"; label: string | null }
  | { type: "environment" }
  /** The provider asks for none. */
  | { type: "none" }
);

export interface SourceQuestion {
  provider: string;
  agentId: string;
  records: readonly CredentialRecord[];
  orders: { own: Record<string, string[]>; shared: Record<string, string[]> };
  settings: CredentialSettings;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether the provider was found to want none: a server on this machine. */
  isKeyless: boolean;
}

type ConfigQuestion = Pick<SourceQuestion, "provider" | "settings">;

/** All that there are, and the names of those that are tried, in order (AUTH-04). */
export function findSources(question: SourceQuestion): { sources: CredentialSource[]; order: string[] } {
  const { provider, orders, settings, isKeyless } = question;
  const stored = storedFor(question);
  const profiles = profilesFor(question);
  const written = writtenFor(question);
  const ambient = ambientFor(question);
  const byId = new Map<string, CredentialSource>(
    // The later ones go before the earlier ones of the same name.
    [...ambient, ...written, ...profiles, ...stored].map((source) => [source.id, source]),
  );
  const wantsNone = isKeyless || settings.models.providers[provider]?.baseUrl !== undefined;
  if (byId.size === 0 && wantsNone) byId.set("none", { id: "none", agentId: null, provider, type: "none" });

  const ids = (sources: readonly CredentialSource[]) => sources.map(({ id }) => id);
  const named = namedFor(question).filter((id) => byId.has(id));
  const order = resolveOrder(
    {
      stored: orders.own[provider] ?? orders.shared[provider],
      configured: settings.auth.order[provider],
      // What stands beside the provider's address was written down for exactly this.
      profiles: named.length > 0 ? [...ids(written), ...named, ...ids(ambient)] : [],
      all: [...ids(written), ...ids(stored), ...ids(ambient), "none"],
    },
    (id) => byId.has(id),
  );
  return {
    sources: [...byId.values()],
    order: hasOwnOrder(question, byId) ? order : ownFirst(stored, order),
  };
}

/** AUTH-01: what an agent has of its own goes before all that is for every agent, unless an order of the agent says otherwise. */
const ownFirst = (stored: readonly CredentialSource[], order: readonly string[]): string[] => [
  ...new Set([...stored.filter(({ agentId }) => agentId !== null).map(({ id }) => id), ...order]),
];

const hasOwnOrder = ({ provider, orders }: SourceQuestion, known: ReadonlyMap<string, unknown>): boolean =>
  orders.own !== orders.shared && (orders.own[provider]?.some((id) => known.has(id)) ?? false);

/** Whose a credential is that stands in the config under this name. */
export function providerInConfig(id: string, settings: CredentialSettings): string | undefined {
  const provider = settings.auth.profiles[id]?.provider ?? id.replace(/^config:/, "");
  const question = { provider, settings };
  const isThere = [...profilesFor(question), ...writtenFor(question)].some((source) => source.id === id);
  return isThere ? provider : undefined;
}

/** An agent's own goes before the one of that name that holds for all. */
function storedFor({ provider, agentId, records }: SourceQuestion): CredentialSource[] {
  const visible = records.filter(
    (record) => record.provider === provider && (record.agentId === null || record.agentId === agentId),
  );
  const isShadowed = (record: CredentialRecord) =>
    record.agentId === null && visible.some((other) => other.id === record.id && other.agentId !== null);
  return visible
    .filter((record) => !isShadowed(record))
    .map((record) => ({ id: record.id, agentId: record.agentId, provider, type: "stored", record }));
}

const namedFor = ({ provider, settings }: SourceQuestion): string[] =>
  Object.entries(settings.auth.profiles)
    .filter(([, profile]) => profile.provider === provider)
    .map(([id]) => id);

function profilesFor({ provider, settings }: ConfigQuestion): CredentialSource[] {
  return Object.entries(settings.auth.profiles).flatMap(([id, profile]): CredentialSource[] => {
    if (profile.provider !== provider || profile.mode === "oauth") return [];
    const mode = profile.mode ?? (profile.apiKey === undefined ? "token" : "api_key");
    const reference = (mode === "token" ? profile.token : profile.apiKey)?.trim();
    if (!reference) return [];
    return [{ id, agentId: null, provider, type: "config", reference, mode, label: profile.email ?? null }];
  });
}

function writtenFor({ provider, settings }: ConfigQuestion): CredentialSource[] {
  const reference = settings.models.providers[provider]?.apiKey?.trim();
  if (!reference) return [];
  const id = `config:${provider}`;
  return [{ id, agentId: null, provider, type: "config", reference, mode: "api_key", label: null }];
}

function ambientFor({ provider, settings, environment }: SourceQuestion): CredentialSource[] {
  if (settings.models.providers[provider]?.environment !== true) return [];
  if (!readEnvironmentAuth(provider, environment)) return [];
  return [{ id: "environment", agentId: null, provider, type: "environment" }];
}
