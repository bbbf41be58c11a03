/**
 * One provider as its sources describe it, later ones over earlier ones: what is built in, what the provider said of itself, what was found on
 * this machine, and the config.
 */
import type { Config } from "../../config/schema.ts";
import { loadBuiltInModels } from "../pi/built-in-catalogue.ts";
import {
  completeModel,
  type CatalogueModel,
  type ModelEntry,
  type ModelSource,
  type ProviderFacts,
} from "./model-entry.ts";
import type { RefreshedModels } from "./refreshed-models.ts";
import { providerNames } from "./provider-names.ts";
import { plainServer } from "./vendors/vendor.ts";
import { findVendor } from "./vendors/vendors.ts";

type ProviderConfig = Config["models"]["providers"][string];

export interface ProviderLayers {
  ids(): string[];
  /** What the config says of it. */
  configOf(provider: string): ProviderConfig | undefined;
  /** What a model of the provider has where nothing else is said. undefined when nobody knows where it is. */
  factsOf(provider: string): Promise<ProviderFacts | undefined>;
  /** Its models, or the one that is wanted; `found` are those of this machine. Without the headers of the config. */
  modelsOf(
    provider: string,
    wish?: { found?: readonly ModelEntry[]; only?: string },
  ): Promise<CatalogueModel[]>;
}

export function createProviderLayers({
  config,
  refreshed,
}: {
  config(): Pick<Config, "models">;
  refreshed: RefreshedModels;
}): ProviderLayers {
  const builtIn = new Map<string, Promise<CatalogueModel[]>>();

  function configOf(provider: string): ProviderConfig | undefined {
    const { providers } = config().models;
    return Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  }

  function builtInOf(provider: string): Promise<CatalogueModel[]> {
    let loading = builtIn.get(provider);
    if (!loading) {
      loading = loadBuiltInModels(provider).then((models) =>
        models.map((model) => ({ ...model, source: "built-in" as const })),
      );
      builtIn.set(provider, loading);
    }
    return loading;
  }

  async function factsOf(provider: string): Promise<ProviderFacts | undefined> {
    const own = configOf(provider);
    const vendor = findVendor(provider);
    const usual = usualModel(await builtInOf(provider));
    const baseUrl = own?.baseUrl ?? vendor?.baseUrl ?? usual?.baseUrl;
    if (baseUrl === undefined) return undefined;
    const api = own?.api ?? vendor?.api ?? usual?.api ?? "openai-completions";
    // A server of one's own is not OpenAI's, whatever it resembles.
    const stranger = api === "openai-completions" ? plainServer : undefined;
    const compat = vendor?.compat ?? usual?.compat ?? stranger;
    const headers = usual?.headers;
    const isFree = vendor?.credential === "none" || isOwnServer(baseUrl);
    return {
      provider,
      api,
      baseUrl,
      ...(compat ? { compat } : {}),
      ...(headers ? { headers } : {}),
      ...(isFree ? { isFree } : {}),
    };
  }

  return {
    ids: () => providerNames(config()),
    configOf,
    factsOf,
    async modelsOf(provider, { found = [], only } = {}) {
      const isWanted = ({ id }: { id: string }) => only === undefined || id === only;
      const facts = await factsOf(provider);
      const known = (await builtInOf(provider)).filter(isWanted);
      const models = new Map(known.map((model) => [model.id, model]));
      const lay = (entries: readonly ModelEntry[], source: ModelSource) => {
        if (!facts) return;
        for (const entry of entries.filter(isWanted)) {
          models.set(entry.id, completeModel(entry, models.get(entry.id), { source, facts }));
        }
      };
      lay(findVendor(provider)?.models ?? [], "built-in");
      lay((await refreshed.read(provider))?.models ?? [], "refreshed");
      lay(found, "local");
      lay(configOf(provider)?.models ?? [], "config");
      // An address and a format of the config hold for what is built in as well.
      const { baseUrl, api } = configOf(provider) ?? {};
      const over = { ...(baseUrl ? { baseUrl } : {}), ...(api ? { api } : {}) };
      return Array.from(models.values(), (model) => ({ ...model, ...over }));
    },
  };
}

/** Whether it stands on this machine or in its own network, where nobody sends a bill. */
function isOwnServer(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? "";
  return (
    /^[^.:]+$/.test(hostname) ||
    /\.(local|internal|lan|localhost)$/.test(hostname) ||
    /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
    /^\[(::1|f[cde][\da-f]{2}:.*)\]$/.test(hostname)
  );
}

/** One that speaks the format which most of them speak: a provider may offer several. */
function usualModel(models: readonly CatalogueModel[]): CatalogueModel | undefined {
  const groups = [...Map.groupBy(models, ({ api }) => api).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0];
}
