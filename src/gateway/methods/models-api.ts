/** Which models exist, which one answers, and whether it works. */
import type { ModelProviderView, ModelStateView, ModelStatusView, ModelView } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { allowanceOf } from "../../models/allowed-models.ts";
import type { ProviderView } from "../../models/catalogue/catalogue.ts";
import type { CatalogueModel } from "../../models/catalogue/model-entry.ts";
import { configuredReferences } from "../../models/choose-model.ts";
import { modelChoiceOf } from "../../models/model-choice.ts";
import { referenceOf } from "../../models/model-record.ts";
import { resolveReference } from "../../models/resolve-reference.ts";
import type { ModelDirectory } from "../../agent/models/model-services.ts";
import { requireKnownAgent } from "./auth-known.ts";
import type { Api } from "./api.ts";

export interface ModelsApiParts {
  /** Loaded when somebody asks: most commands never do. */
  room(): Promise<ModelDirectory>;
  /** As it is now. */
  config(): Config;
  defaultAgentId: string;
}

export function createModelsApi({ room, config, defaultAgentId }: ModelsApiParts): Api<"models"> {
  const hasCredential = async ({ credentialsFor }: ModelDirectory, provider: string) =>
    (await credentialsFor(provider, defaultAgentId)).length > 0;

  async function providersOf(opened: ModelDirectory): Promise<ModelProviderView[]> {
    const providers = await opened.catalogue.providers();
    return Promise.all(
      providers.map(async ({ source: _source, ...provider }) => ({
        ...provider,
        usable: isOpenNow(provider) || (isAsked(provider) && (await hasCredential(opened, provider.id))),
      })),
    );
  }

  async function viewOf(opened: ModelDirectory, model: CatalogueModel): Promise<ModelView> {
    const providers = await opened.catalogue.providers();
    const provider = providers.find(({ id }) => id === model.provider);
    const isOpen = provider !== undefined && isOpenNow(provider);
    return toView(model, isOpen || (await hasCredential(opened, model.provider)));
  }

  async function stateOf(
    opened: ModelDirectory,
    { reference, role, agentId }: { reference: string; role: ModelStateView["role"]; agentId: string },
  ): Promise<ModelStateView> {
    const view: ModelStateView = {
      reference,
      role,
      state: "unknown",
      unlisted: false,
      credentials: [],
      nearest: [],
    };
    const known = reference.includes("/") ? await opened.catalogue.find(reference) : undefined;
    const resolution = known
      ? ({ found: true, model: known } as const)
      : await resolveReference(reference, opened.catalogue);
    if (!resolution.found) return { ...view, nearest: resolution.nearest };
    const { model } = resolution;
    const found = { ...view, reference: referenceOf(model), unlisted: model.unlisted === true };
    if (!allowanceOf(model, config().models).allowed) return { ...found, state: "not-allowed" };
    const candidates = await opened.credentialsFor(model.provider, agentId);
    const credentials = candidates.map(({ id, cooldownUntil, reason }) => ({
      id,
      setAsideUntil: cooldownUntil === undefined ? null : new Date(cooldownUntil).toISOString(),
      reason: reason ?? null,
    }));
    return { ...found, credentials, state: stateBy(model, credentials) };
  }

  const requireAgent = (agentId: string) =>
    requireKnownAgent(agentId, { agents: config().agents, defaultAgentId });

  /** What the config names and no list has: it is asked all the same. */
  async function unlistedOf({ catalogue }: ModelDirectory, listed: readonly CatalogueModel[]) {
    const known = new Set(listed.map(referenceOf));
    const wanted = configuredReferences(config().agents, defaultAgentId).filter((each) => !known.has(each));
    const found = await Promise.all(
      // The secret of a header that cannot be had is nothing that a list has to say.
      wanted.map((each) => catalogue.find(each).catch(() => undefined)),
    );
    return found.flatMap((model) => (model?.unlisted ? [model] : []));
  }

  async function status(agentId: string): Promise<ModelStatusView> {
    const opened = await room();
    const { agents, models: limits } = config();
    const { primary, fallbacks } = modelChoiceOf(agents, agentId);
    const wanted =
      primary === undefined
        ? []
        : [
            { reference: primary, role: "primary" as const },
            ...fallbacks.map((reference) => ({ reference, role: "fallback" as const })),
          ];
    const models: ModelStateView[] = [];
    for (const each of wanted) models.push(await stateOf(opened, { ...each, agentId }));
    // A first choice that is not allowed or not known is an error, not a reason to take the next.
    const [first] = models;
    const isRefused = first?.state === "not-allowed" || first?.state === "unknown";
    const ready = isRefused ? undefined : models.find(({ state }) => state === "ready");
    return {
      agentId,
      allowedProviders: [...limits.allowedProviders],
      allowedModels: [...limits.allowedModels],
      models,
      answers: first ? (ready?.reference ?? null) : "stub/stub",
    };
  }

  return {
    async list({ provider, search, all }) {
      const opened = await room();
      const providers = await providersOf(opened);
      const usable = new Set(providers.filter((each) => each.usable).map(({ id }) => id));
      const wish = search === undefined ? {} : { search };
      const shown = provider === undefined ? (all ? providers.map(({ id }) => id) : [...usable]) : [provider];
      const lists = await Promise.all(shown.map((id) => opened.catalogue.list({ ...wish, provider: id })));
      const listed = lists.flat();
      const words = (search ?? "").toLowerCase().split(/\s+/);
      const unlisted = (await unlistedOf(opened, listed)).filter(
        (model) =>
          shown.includes(model.provider) &&
          words.every((word) => referenceOf(model).toLowerCase().includes(word)),
      );
      const models = [...listed, ...unlisted].map((model) => toView(model, usable.has(model.provider)));
      const hasList = new Set(listed.map((model) => model.provider));
      const isUnasked = ({ id, configured, baseUrl, refreshedAt, serves }: ModelProviderView) =>
        configured && baseUrl && !refreshedAt && serves === "conversation" && !hasList.has(id);
      const unasked =
        search === undefined
          ? providers.filter((each) => shown.includes(each.id) && isUnasked(each)).map(({ id }) => id)
          : [];
      const unconnected = providers.filter(
        ({ id, serves }) => serves === "conversation" && !shown.includes(id),
      );
      return { models, unconnected: provider === undefined ? unconnected.length : 0, unasked };
    },
    providers: async () => ({ providers: await providersOf(await room()) }),
    async resolve({ reference }) {
      const opened = await room();
      const usable = (await providersOf(opened)).filter((each) => each.usable).map(({ id }) => id);
      const resolution = await resolveReference(reference, opened.catalogue, (id) => usable.includes(id));
      if (!resolution.found) return resolution;
      const allowance = allowanceOf(resolution.model, config().models);
      return {
        found: true,
        model: await viewOf(opened, resolution.model),
        notAllowedBy: allowance.allowed ? null : `models.${allowance.by}`,
      };
    },
    async status({ agentId = defaultAgentId }) {
      requireAgent(agentId);
      return status(agentId);
    },
    async test({ reference, agentId = defaultAgentId }, until) {
      requireAgent(agentId);
      const { catalogue, test } = await room();
      const asked = reference ?? (await status(agentId)).models[0]?.reference;
      if (asked === undefined)
        throw failure("model/not-connected", "models.test.stub", {}, { hint: noModelHint });
      const resolution = await resolveReference(asked, catalogue);
      // A name that no list has may be tried out all the same: trying is how one finds out.
      const named = resolution.found ? referenceOf(resolution.model) : asked;
      return { reference: named, ...(await test(named, agentId, until?.signal)) };
    },
    refresh: async ({ provider }, until) => (await room()).catalogue.refresh(provider, until?.signal),
  };
}

const noModelHint = "models.status.none";

type Provider = Omit<ProviderView, "source">;

/** Answers now without a credential; what runs on this machine has to be found first, or named in the config. */
const isOpenNow = ({ id, credential, configured, local, serves }: Provider): boolean =>
  id !== "stub" && serves === "conversation" && credential === "none" && (configured || local);

/** The rest of those without a credential are records of servers that somebody could run. */
const isAsked = ({ credential, serves }: Provider): boolean =>
  credential === "needed" && serves === "conversation";

function stateBy(
  { provider }: CatalogueModel,
  credentials: ModelStateView["credentials"],
): ModelStateView["state"] {
  if (provider === "stub" || credentials.some(({ setAsideUntil }) => setAsideUntil === null)) return "ready";
  return credentials.length > 0 ? "set-aside" : "no-credential";
}

const toView = (model: CatalogueModel, usable: boolean): ModelView => ({
  reference: referenceOf(model),
  provider: model.provider,
  id: model.id,
  name: model.name,
  api: model.api,
  reasoning: model.reasoning,
  input: [...model.input],
  contextWindow: model.contextWindow,
  maxTokens: model.maxTokens,
  cost: {
    input: model.cost.input,
    output: model.cost.output,
    cacheRead: model.cost.cacheRead,
    cacheWrite: model.cost.cacheWrite,
  },
  source: model.source,
  assumed: model.assumed === true,
  unlisted: model.unlisted === true,
  usable,
});
