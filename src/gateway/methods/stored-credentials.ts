/** The credentials of a home by provider, from every source, and the only way to store new ones. */
import type { Config } from "../../config/schema.ts";
import type { Secrets } from "../../config/secrets.ts";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import {
  expiresAtOf,
  hideSecret,
  labelOf,
  sealName,
  sealSecret,
  type CredentialSecret,
} from "../../storage/credentials/credential-secret.ts";
import { findSources, type CredentialSource } from "../../models/credentials/credential-sources.ts";
import type {
  CredentialKey,
  CredentialStore,
  CredentialType,
} from "../../storage/credentials/credentials.ts";

export interface StoredCredentialsParts {
  store: CredentialStore;
  secrets: Pick<Secrets, "box" | "resolve">;
  redactor: Redactor;
  tenantId: string;
  /** As it is now. */
  config(): Config;
  environment: Readonly<Record<string, string | undefined>>;
}

/** What an agent sees of one provider. */
export interface ProviderCredentials {
  provider: string;
  sources: CredentialSource[];
  order: string[];
}

export interface StoredCredentials {
  /** Those that have any, or stand in the config; by name. Throws what the storage does, as all of these. */
  providers(): Promise<string[]>;
  /** `agentId` null: what holds for all agents. */
  of(provider: string, agentId: string | null): Promise<ProviderCredentials>;
  /** Throws `usage/bad-argument` when another provider's credential has the name: storing would lose that one. */
  requireFree(wanted: OwnedName): Promise<void>;
  /** Seals and stores it, replacing one of that name, and sees to it that it is tried. Throws secret/locked. */
  put(given: NewCredential): Promise<void>;
}

interface OwnedName extends CredentialKey {
  provider: string;
}

export interface NewCredential extends OwnedName {
  type: CredentialType;
  secret: CredentialSecret;
  source: string;
}

export function createStoredCredentials(parts: StoredCredentialsParts): StoredCredentials {
  const { store, config, environment, tenantId, secrets } = parts;

  async function of(provider: string, agentId: string | null): Promise<ProviderCredentials> {
    const shared = await store.orders(null);
    const own = agentId === null ? {} : await store.orders(agentId);
    const question = {
      provider,
      // No agent is called so: it sees what holds for all.
      agentId: agentId ?? "",
      records: await store.list(),
      orders: { own, shared },
      settings: config(),
      environment,
      isKeyless: false,
    };
    return { provider, ...findSources(question) };
  }

  return {
    of,
    requireFree: async (wanted) => requireFreeName(wanted, await store.list()),
    async providers() {
      const { auth, models } = config();
      const stored = (await store.list()).map(({ provider }) => provider);
      const profiles = Object.values(auth.profiles).map(({ provider }) => provider);
      return [...new Set([...stored, ...profiles, ...Object.keys(models.providers)])].toSorted();
    },
    async put({ id, agentId, provider, type, secret, source }) {
      hideSecret(parts.redactor, id, secret);
      await store.put({
        id,
        agentId,
        provider,
        type,
        label: labelOf(secret),
        expiresAt: expiresAtOf(secret),
        source,
        sealed: await sealSecret(secrets.box, sealName(tenantId, { agentId, id }), secret),
      });
      // An order that was set before does not contain it, and a newly stored credential should be used.
      const { order } = await of(provider, agentId);
      if (!order.includes(id)) await store.setOrder(agentId, provider, [...order, id]);
    },
  };
}

/** `all` are those that are stored. Throws as `requireFree`. */
export function requireFreeName(
  { id, agentId, provider }: OwnedName,
  all: ReadonlyArray<Readonly<OwnedName>>,
): void {
  const own = all.filter((each) => each.agentId === agentId);
  const present = own.find((each) => each.id === id);
  if (!present || present.provider === provider) return;
  const isFree = (name: string) => own.every((each) => each.id !== name);
  const numbered = Array.from(own, (_, index) => `${provider}:${index + 2}`);
  const free = [`${provider}:default`, ...numbered].find(isFree) ?? "";
  const command = `pincer auth logout ${id}${agentId === null ? "" : ` --agent ${agentId}`}`;
  throw failure(
    "usage/bad-argument",
    "auth.name-taken",
    { name: id, other: present.provider, free, command },
    { hint: "auth.name-taken.hint" },
  );
}
