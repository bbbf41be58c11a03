/**
 * Every model that can be asked for. What is built in comes first, over it what providers said when they were asked, then what runs on this
 * machine, and over all of it the config. A provider's data is loaded when somebody asks for that provider.
 */
import type { Config } from "../../config/schema.ts";
import { timestamp } from "../../infra/clock.ts";
import type { ModelRecord } from "../model-record.ts";
import { builtInProviders } from "../pi/built-in-catalogue.ts";
import type { RequestAuth } from "../wire/wire.ts";
import { askForModels, type ModelListAnswer } from "./ask-for-models.ts";
import type { JsonAsker } from "./fetch-json.ts";
import type { LocalServers } from "./local-servers.ts";
import { completeModel, type CatalogueModel, type ModelEntry, type ProviderFacts } from "./model-entry.ts";
import { isProviderName } from "./provider-names.ts";
import { createProviderLayers } from "./provider-layers.ts";
import type { RefreshedModels } from "./refreshed-models.ts";
import { findVendor } from "./vendors/vendors.ts";

export interface ProviderView {
  id: string;
  name: string;
  source: "built-in" | "vendor" | "config";
  serves: "conversation" | "speech";
  /** Whether it answers without a credential. */
  credential: "needed" | "none";
  /** Named in the config. */
  configured: boolean;
  /** Answers on this machine now. */
  local: boolean;
  baseUrl?: string;
  /** When it was last asked for its models. */
  refreshedAt?: string;
}

export type RefreshOutcome =
  | { ok: true; provider: string; models: number; added: string[]; refreshedAt: string }
  | { ok: false; provider: string; reason: RefreshFailure; detail: string };

/** unsupported: it has no list that could be asked for. */
export type RefreshFailure = "unknown" | "unsupported" | "unreachable" | "refused" | "malformed";

export interface Catalogue {
  /** By `provider/model`. One that no list has is answered too, marked so, where its provider's address is known. Asks nobody. Throws what the secret of a header does. */
  find(reference: string): Promise<CatalogueModel | undefined>;
  /** By provider and id. Without a provider, all data is loaded. Looks for local servers where the config allows it. Without the config's headers. Never throws. */
  list(wish: { provider?: string; search?: string }): Promise<CatalogueModel[]>;
  /** What a provider's name alone means: its usual model, else its first. */
  firstOf(provider: string): Promise<CatalogueModel | undefined>;
  /** By name, without a look at their data; looks for local servers likewise. */
  providers(): Promise<ProviderView[]>;
  /** Names only; asks nobody. */
  providerIds(): string[];
  /** Asks the provider itself with what is given, and keeps nothing. Throws the signal's reason, and what the secret of a header does. */
  ask(provider: string, auth: RequestAuth | undefined, signal?: AbortSignal): Promise<ModelListAnswer>;
  /** Asks the provider itself and keeps the answer. Throws what the disk does, and the signal's reason. */
  refresh(provider: string, signal?: AbortSignal): Promise<RefreshOutcome>;
}

export interface CatalogueParts {
  /** As it is now. */
  config(): Pick<Config, "models">;
  refreshed: RefreshedModels;
  local: LocalServers;
  asker: JsonAsker;
  /** What to ask a provider with; without one it is asked without. */
  authOf?(provider: string): Promise<RequestAuth | undefined>;
  /** The value of a `secret:` handle in a header. */
  resolve?(handle: string): Promise<string>;
}

export function createCatalogue(parts: CatalogueParts): Catalogue {
  const { config, refreshed, local, asker } = parts;
  const layers = createProviderLayers({ config, refreshed });
  const { configOf, modelsOf, factsOf, ids: providerIds } = layers;
  const isKnown = (provider: string) => isProviderName(provider, config());

  /** Headers of the config are secret, so they are put on only where a request goes out. */
  async function withHeaders<OpenHome extends ProviderFacts>(facts: OpenHome): Promise<OpenHome> {
    const given = Object.entries(configOf(facts.provider)?.headers ?? {});
    if (given.length === 0) return facts;
    const resolved = given.map(async ([name, value]): Promise<[string, string]> => {
      const isHandle = value.startsWith("secret:");
      return [name, isHandle && parts.resolve ? await parts.resolve(value) : value];
    });
    return {
      ...facts,
      headers: { ...facts.headers, ...Object.fromEntries(await Promise.all(resolved)) },
    };
  }

  async function localModels(): Promise<ReadonlyMap<string, readonly ModelEntry[]>> {
    if (!config().models.discover) return new Map();
    const found = new Map(await local.find());
    // An address in the config means that server and no other.
    for (const id of found.keys()) if (configOf(id)?.baseUrl) found.delete(id);
    return found;
  }

  const catalogue: Catalogue = {
    async find(reference) {
      const slash = reference.indexOf("/");
      const provider = reference.slice(0, slash);
      const id = reference.slice(slash + 1);
      if (slash <= 0 || id === "" || !isKnown(provider) || isForSpeech(provider)) return undefined;
      const [listed] = await modelsOf(provider, { only: id });
      if (listed) return withHeaders(listed);
      const facts = provider === "stub" ? undefined : await factsOf(provider);
      const source = configOf(provider) ? "config" : "built-in";
      return facts && withHeaders({ ...completeModel({ id }, undefined, { source, facts }), unlisted: true });
    },

    async list({ provider, search }) {
      const asked = provider === undefined ? providerIds() : isKnown(provider) ? [provider] : [];
      const wantsLocal = provider === undefined || findVendor(provider)?.local !== undefined;
      const found = wantsLocal ? await localModels() : new Map<string, ModelEntry[]>();
      const lists = await Promise.all(asked.map((id) => modelsOf(id, { found: found.get(id) ?? [] })));
      const words = (search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      return lists
        .flat()
        .filter((model) => {
          const text = `${model.provider}/${model.id} ${model.name}`.toLowerCase();
          return words.every((word) => text.includes(word));
        })
        .toSorted(byName);
    },

    async firstOf(provider) {
      if (!isKnown(provider)) return undefined;
      const own = configOf(provider)?.models[0]?.id;
      const usual = own ?? builtInProviders.find(({ id }) => id === provider)?.first;
      if (usual !== undefined) return catalogue.find(`${provider}/${usual}`);
      const models = await catalogue.list({ provider });
      return models[0];
    },

    async providers() {
      const found = await localModels();
      const views = providerIds().map(async (id): Promise<ProviderView> => {
        const vendor = findVendor(id);
        const known = builtInProviders.find((each) => each.id === id);
        const own = configOf(id);
        const refreshedAt = (await refreshed.read(id))?.refreshedAt;
        const baseUrl = own?.baseUrl ?? vendor?.baseUrl;
        const isOpen = vendor ? vendor.credential === "none" : own?.baseUrl !== undefined && !known;
        return {
          id,
          name: vendor?.name ?? known?.name ?? id,
          source: vendor ? "vendor" : known ? "built-in" : "config",
          serves: isForSpeech(id) ? "speech" : "conversation",
          credential: isOpen && !own?.apiKey ? "none" : "needed",
          configured: own !== undefined,
          local: found.has(id),
          ...(baseUrl ? { baseUrl } : {}),
          ...(refreshedAt ? { refreshedAt } : {}),
        };
      });
      return (await Promise.all(views)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },

    providerIds,

    async ask(provider, auth, signal) {
      const facts = isKnown(provider) ? await factsOf(provider) : undefined;
      if (!facts) return { ok: false, reason: "unsupported", detail: provider };
      return askForModels(asker, await withHeaders(facts), { auth, signal });
    },

    async refresh(provider, signal) {
      const facts = isKnown(provider) ? await factsOf(provider) : undefined;
      if (!facts) return { ok: false, provider, reason: "unknown", detail: provider };
      const answer = await catalogue.ask(provider, await parts.authOf?.(provider), signal);
      if (!answer.ok) return { ok: false, provider, reason: answer.reason, detail: answer.detail };
      const before = new Set((await modelsOf(provider)).map(({ id }) => id));
      const refreshedAt = timestamp(asker.clock);
      await refreshed.write({ provider, refreshedAt, models: answer.models });
      const added = answer.models.map(({ id }) => id).filter((id) => !before.has(id));
      return { ok: true, provider, models: answer.models.length, added, refreshedAt };
    },
  };
  return catalogue;
}

const isForSpeech = (provider: string): boolean => findVendor(provider)?.serves === "speech";

const byName = (one: ModelRecord, other: ModelRecord): number => {
  if (one.provider !== other.provider) return one.provider < other.provider ? -1 : 1;
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
};
