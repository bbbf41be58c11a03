/** Credentials for providers: what there is, in which order it is tried, and what people do with it. Nothing secret leaves here. */
import type { CredentialView } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { requireCredentialName } from "../../models/credentials/credential-name.ts";
import { hideSecret, requireSecret } from "../../models/credentials/credential-secret.ts";
import type { CredentialSource } from "../../models/credentials/credential-sources.ts";
import type { CredentialKey } from "../../storage/credentials.ts";
import { describeCredential, describeRecord } from "./auth-status.ts";
import { createAuthTransfer } from "./auth-transfer.ts";
import {
  createCredentialShelf,
  type CredentialShelfParts,
  type ProviderCredentials,
} from "./credential-shelf.ts";
import type { Desk } from "./desk.ts";

/** Asks a provider whether it takes a credential; `detail` is one line for people. Never throws but for the signal. */
export type TestCredential = (
  credential: CredentialKey & { provider: string },
  signal?: AbortSignal,
) => Promise<{ ok: boolean; detail: string }>;

export interface AuthDeskParts extends CredentialShelfParts {
  clock: Clock;
  defaultAgentId: string;
  test: TestCredential;
}

export function createAuthDesk(parts: AuthDeskParts): Desk<"auth"> {
  const { store, defaultAgentId } = parts;
  const shelf = createCredentialShelf(parts);

  async function find(id: string, agentId: string | null): Promise<ProviderCredentials> {
    for (const provider of await shelf.providers()) {
      const found = await shelf.of(provider, agentId);
      if (found.sources.some((source) => source.id === id)) return found;
    }
    throw failure("usage/not-found", "auth.not-found", { name: id }, { hint: "auth.not-found.hint" });
  }

  return {
    async status({ provider, agentId }) {
      const views: CredentialView[] = [];
      const uses = await store.uses();
      const records = await store.list();
      for (const each of provider === undefined ? await shelf.providers() : [provider]) {
        const seen = await shelf.of(each, agentId ?? defaultAgentId);
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

    async put({ id, agentId = null, provider, type, secret, source }) {
      requireCredentialName(id);
      hideSecret(parts.redactor, id, secret);
      requireSecret(id, type, secret);
      await shelf.put({ id, agentId, provider, type, secret, source });
      return { stored: { id, agentId, provider } };
    },

    async use({ id, agentId = null }) {
      const { provider, order } = await find(id, agentId);
      const wanted = [id, ...order.filter((other) => other !== id)];
      await store.setOrder(agentId, provider, wanted);
      return { provider, order: wanted };
    },

    async logout({ id, agentId = null }) {
      if (await store.remove({ agentId, id })) return { removed: { id, agentId } };
      const { sources, provider } = await find(id, agentId);
      if (!sources.some((source) => source.id === id && source.type === "config"))
        throw failure("usage/not-found", "auth.not-found", { name: id }, { hint: "auth.not-found.hint" });
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
      const { sources } = await shelf.of(provider, agentId);
      for (const id of ids ?? [])
        if (!sources.some((source) => source.id === id))
          throw failure("usage/not-found", "auth.not-found", { name: id }, { hint: "auth.not-found.hint" });
      if (ids !== undefined) await store.setOrder(agentId, provider, ids);
      return { provider, order: (await shelf.of(provider, agentId)).order };
    },

    async test({ id, agentId = null }, until) {
      const wanted =
        id === undefined
          ? await Promise.all(
              (await shelf.providers()).map((each) => shelf.of(each, agentId ?? defaultAgentId)),
            )
          : [{ ...(await find(id, agentId ?? defaultAgentId)), order: [id] }];
      const results: Array<CredentialKey & { ok: boolean; detail: string }> = [];
      for (const { sources, order } of wanted)
        for (const source of order.flatMap((name) => sources.filter((each) => each.id === name))) {
          const { id: name, agentId: owner, provider } = source;
          const outcome = await parts.test({ id: name, agentId: owner, provider }, until?.signal);
          results.push({ id: name, agentId: owner, ...outcome });
        }
      return { results };
    },

    ...createAuthTransfer(parts, shelf),
  };
}
