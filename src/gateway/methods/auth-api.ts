/** Credentials for providers: listing, ordering and changing them. No secret leaves this API. */
import type { CredentialTestView, CredentialView } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { providerNames } from "../../models/catalogue/provider-names.ts";
import { requireCredentialName } from "../../models/credentials/credential-name.ts";
import { hideSecret, requireSecret } from "../../storage/credentials/credential-secret.ts";
import type { CredentialSource } from "../../models/credentials/credential-sources.ts";
import { requireKeyTaken } from "./auth-login.ts";
import { noLogin, type OAuthFlows } from "../../models/credentials/oauth-flows.ts";
import type { CredentialKey } from "../../storage/credentials/credentials.ts";
import { sendableSecret } from "./auth-key.ts";
import { requireKnownAgent, requireKnownProvider } from "./auth-known.ts";
import { createAuthLogins } from "./auth-logins.ts";
import { describeCredential, describeRecord } from "./auth-status.ts";
import { createAuthTransfer } from "./auth-transfer.ts";
import {
  createStoredCredentials,
  type StoredCredentialsParts,
  type ProviderCredentials,
} from "./stored-credentials.ts";
import type { TestCredential } from "../../agent/models/test-credential.ts";
import type { Api } from "./api.ts";

export interface AuthApiParts extends StoredCredentialsParts {
  clock: Clock;
  defaultAgentId: string;
  logins: Pick<OAuthFlows, "has" | "providers" | "login">;
  test: TestCredential;
}

export function createAuthApi(parts: AuthApiParts): Api<"auth"> {
  const { store, defaultAgentId, logins, config } = parts;
  const credentials = createStoredCredentials(parts);

  /** One that has credentials is known, whatever the config says today: they can be looked at and forgotten. */
  async function requireAgent(agentId: string | null | undefined): Promise<void> {
    const more = (await store.list()).flatMap((record) => record.agentId ?? []);
    requireKnownAgent(agentId, { agents: config().agents, defaultAgentId, more });
  }

  const requireProvider = async (provider: string): Promise<void> =>
    requireKnownProvider(provider, [
      ...new Set([...providerNames(config()), ...logins.providers, ...(await credentials.providers())]),
    ]);

  async function find(id: string, agentId: string | null): Promise<ProviderCredentials> {
    for (const provider of await credentials.providers()) {
      const found = await credentials.of(provider, agentId);
      if (found.sources.some((source) => source.id === id)) return found;
    }
    throw notFound(id);
  }

  /** In the order of trying what holds for all, or what the agent sees; then what agents have of their own. */
  async function tested(id: string | undefined, agentId: string | undefined): Promise<CredentialSource[]> {
    const wanted: CredentialSource[] = [];
    for (const provider of await credentials.providers()) {
      const { sources, order } = await credentials.of(provider, agentId ?? null);
      const tried = id === undefined ? order : [id];
      wanted.push(...tried.flatMap((name) => sources.filter((source) => source.id === name)));
      if (agentId !== undefined) continue;
      const own = (await store.list()).filter(
        (record) =>
          record.provider === provider && record.agentId !== null && (id === undefined || record.id === id),
      );
      wanted.push(...own.map((record) => ({ ...record, type: "stored" as const, record })));
    }
    if (id !== undefined && wanted.length === 0) throw notFound(id);
    return wanted;
  }

  return {
    async status({ provider, agentId }) {
      await requireAgent(agentId);
      if (provider !== undefined) await requireProvider(provider);
      const views: CredentialView[] = [];
      const uses = await store.uses();
      const records = await store.list();
      for (const each of provider === undefined ? await credentials.providers() : [provider]) {
        const seen = await credentials.of(each, agentId ?? defaultAgentId);
        const inOrder = (source: CredentialSource) => seen.order.indexOf(source.id) + 1 || Infinity;
        for (const source of seen.sources.toSorted((one, other) => inOrder(one) - inOrder(other)))
          views.push(await describeCredential(parts, source, { uses, order: seen.order }));
        const isSeen = ({ id, agentId: owner }: CredentialKey) =>
          seen.sources.some((source) => source.id === id && source.agentId === owner);
        const others = records.filter((record) => record.provider === each && !isSeen(record));
        // Of other agents, or behind one of the same name: there, but not tried.
        if (agentId === undefined)
          for (const record of others) views.push(await describeRecord(parts, record, null));
      }
      return { credentials: views };
    },

    async put({ id, agentId = null, provider, type, secret: given, source, force = false }) {
      requireCredentialName(id);
      hideSecret(parts.redactor, id, given);
      requireSecret(id, type, given);
      const secret = sendableSecret(id, given);
      if (type === "oauth" && !logins.has(provider)) throw noLogin(provider, logins.providers);
      if (!force) {
        if (type !== "oauth") requireKeyTaken(provider);
        await requireProvider(provider);
        await requireAgent(agentId);
      }
      await credentials.requireFree({ id, agentId, provider });
      await credentials.put({ id, agentId, provider, type, secret, source });
      return { stored: { id, agentId, provider } };
    },

    async use({ id, agentId = null }) {
      await requireAgent(agentId);
      const { provider, order } = await find(id, agentId);
      const wanted = [id, ...order.filter((other) => other !== id)];
      await store.setOrder(agentId, provider, wanted);
      return { provider, order: wanted };
    },

    async logout({ id, agentId = null }) {
      if (await store.remove({ agentId, id })) return { removed: { id, agentId } };
      const { sources, provider } = await find(id, agentId);
      if (!sources.some((source) => source.id === id && source.type === "config")) throw notFound(id);
      const path =
        id === `config:${provider}` ? `models.providers.${provider}.apiKey` : `auth.profiles.${id}`;
      throw failure(
        "usage/bad-argument",
        "auth.logout.in-config",
        { name: id, path },
        { hint: "auth.logout.in-config.hint" },
      );
    },

    async order({ provider, ids, agentId = null }) {
      await requireAgent(agentId);
      await requireProvider(provider);
      const { sources } = await credentials.of(provider, agentId);
      for (const id of ids ?? [])
        if (!sources.some((source) => source.id === id)) {
          const { provider: other } = await find(id, agentId);
          throw failure(
            "usage/bad-argument",
            "auth.order.other",
            { name: id, provider, other },
            { hint: "auth.order.other.hint" },
          );
        }
      if (ids !== undefined) await store.setOrder(agentId, provider, ids);
      return { provider, order: (await credentials.of(provider, agentId)).order };
    },

    async test({ id, agentId }, until) {
      await requireAgent(agentId);
      const results: CredentialTestView[] = [];
      for (const { id: name, agentId: owner, provider } of await tested(id, agentId)) {
        const { outcome, detail } = await parts.test({ id: name, agentId: owner, provider }, until?.signal);
        results.push({ id: name, agentId: owner, outcome, ok: outcome === "works", detail });
      }
      return { results };
    },

    ...createAuthTransfer({ ...parts, requireAgent }, credentials),
    ...createAuthLogins({ ...parts, requireAgent }, credentials),
  };
}

const notFound = (name: string) =>
  failure("secret/not-found", "auth.not-found", { name }, { hint: "auth.not-found.hint" });
