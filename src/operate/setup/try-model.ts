/**
 * Tests a model before anything is written: one real request, with settings and a credential that exist only in this
 * test. A login that was renewed on the way is returned with the answer.
 */
import type { ModelTestView, SetupProblem } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { Say } from "../../infra/texts.ts";
import { providerNames } from "../../models/catalogue/provider-names.ts";
import type { Catalogue } from "../../models/catalogue/catalogue.ts";
import {
  sealName,
  unsealSecret,
  type CredentialSecret,
} from "../../storage/credentials/credential-secret.ts";
import { referenceOf } from "../../models/model-record.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createStoredCredentials, type NewCredential } from "../../gateway/methods/stored-credentials.ts";
import type { ModelServices, ModelServicesParts } from "../../agent/models/model-services.ts";
import { describeProblem, describeThrown } from "./setup-problem.ts";

export interface TrialParts extends ModelServicesParts {
  openRoom(parts: ModelServicesParts): ModelServices;
}

export interface Trial {
  provider: string;
  /** One of the provider's, by its id; left out, its usual one. */
  model?: string | undefined;
  baseUrl?: string | undefined;
  /** Left out, what the home has for the provider is used. */
  credential?: NewCredential | undefined;
}

export type TrialOutcome =
  | {
      ok: true;
      reference: string;
      text: string;
      latencyMs: number;
      models: string[];
      /** As it is now. */
      secret: CredentialSecret | undefined;
    }
  | { ok: false; reference: string | null; problem: SetupProblem; secret: CredentialSecret | undefined };

/** Throws nothing but the signal's reason. */
export async function tryModel(
  parts: TrialParts,
  trial: Trial,
  { say, signal }: { say: Say; signal: AbortSignal | undefined },
): Promise<TrialOutcome> {
  const { provider } = trial;
  const config = trialConfig(parts.config(), trial);
  if (!providerNames(config).includes(provider)) return unknownProvider(provider, say);
  const stage = await openStage(parts, trial, config);
  let reference: string | null = null;
  try {
    const models = parts.openRoom({ ...stage.parts, say, config: () => config, notify() {} });
    const chosen = await chooseModel(models, trial, signal);
    if (!chosen.ok)
      return { ok: false, reference, secret: undefined, problem: unlisted(chosen, provider, say) };
    ({ reference } = chosen);
    const tested = await models.test(reference, parts.openedHome.defaultAgentId, signal);
    const secret = await stage.secret();
    await models.settled();
    if (!tested.ok)
      return { ok: false, reference, secret, problem: wrongWith(tested, { provider, reference }, say) };
    return {
      ok: true,
      reference: tested.model ?? reference,
      text: tested.text ?? "",
      latencyMs: Math.round(tested.latencyMs),
      models: await modelsOf(models.catalogue, chosen.models, provider),
      secret,
    };
  } catch (error) {
    signal?.throwIfAborted();
    return { ok: false, reference, secret: undefined, problem: describeThrown(error, say) };
  } finally {
    await stage.close();
  }
}

const trialLimits = { attempts: 1, idleTimeoutMs: 60_000, totalTimeoutMs: 120_000 };

/** One request with a short time limit, because a person is waiting. Only the key under trial is used. */
function trialConfig(config: Config, { provider, baseUrl, credential }: Trial): Config {
  const { providers } = config.models;
  const present = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const { apiKey: _key, environment: _environment, ...rest } = present ?? { models: [] };
  const own = { ...(credential ? rest : (present ?? rest)), ...(baseUrl === undefined ? {} : { baseUrl }) };
  const isOther = ([, profile]: [string, { provider: string }]) => profile.provider !== provider;
  return {
    ...config,
    auth: credential
      ? {
          ...config.auth,
          profiles: Object.fromEntries(Object.entries(config.auth.profiles).filter(isOther)),
          order: { ...config.auth.order, [provider]: [credential.id] },
        }
      : config.auth,
    models: {
      ...config.models,
      ...trialLimits,
      providers:
        present || baseUrl !== undefined
          ? { ...providers, [provider]: own as Config["models"]["providers"][string] }
          : providers,
    },
  };
}

/** With a credential to try, a store of its own: neither a wrong key nor its failures leave a trace in the home. */
async function openStage(parts: TrialParts, { credential }: Trial, config: Config) {
  const { openRoom: _openRoom, ...rest } = parts;
  const { openedHome } = rest;
  if (!credential) return { parts: rest, secret: async () => undefined, close: async () => {} };
  const memory = createMemoryStores({ clock: openedHome.clock, ids: openedHome.ids });
  const store = memory.tenant(openedHome.tenantId).credentials;
  const { box } = openedHome.foundation.secrets;
  const shelf = createStoredCredentials({
    ...rest,
    store,
    secrets: openedHome.foundation.secrets,
    tenantId: openedHome.tenantId,
    config: () => config,
  });
  await shelf.put(credential);
  return {
    parts: { ...rest, openedHome: { ...openedHome, stores: { ...openedHome.stores, credentials: store } } },
    async secret() {
      const record = await store.get(credential);
      return record && unsealSecret(box, sealName(openedHome.tenantId, record), record.sealed);
    },
    close: () => memory.close(),
  };
}

type Chosen =
  | { ok: true; reference: string; models: string[] }
  | { ok: false; reason: "no-model" | "unreachable" | "refused"; detail: string };

/** Named, else the usual one of the provider; a server of one's own is asked what it has. */
async function chooseModel(
  { catalogue, authOf }: ModelServices,
  { provider, model, baseUrl }: Trial,
  signal: AbortSignal | undefined,
): Promise<Chosen> {
  if (model !== undefined) {
    const id = model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
    return { ok: true, reference: `${provider}/${id}`, models: [] };
  }
  const usual = baseUrl === undefined ? await catalogue.firstOf(provider) : undefined;
  if (usual) return { ok: true, reference: referenceOf(usual), models: [] };
  const told = await catalogue.ask(provider, await authOf(provider), signal);
  const [first] = told.ok ? told.models : [];
  if (told.ok && first)
    return { ok: true, reference: `${provider}/${first.id}`, models: told.models.map(({ id }) => id) };
  if (told.ok) return { ok: false, reason: "no-model", detail: "" };
  const isRefused = told.status === 401 || told.status === 403;
  return {
    ok: false,
    reason: isRefused ? "refused" : told.reason === "unreachable" ? "unreachable" : "no-model",
    detail: told.detail,
  };
}

const mostModels = 200;

async function modelsOf(catalogue: Catalogue, told: string[], provider: string): Promise<string[]> {
  const ids = told.length > 0 ? told : (await catalogue.list({ provider })).map(({ id }) => id);
  return ids.slice(0, mostModels);
}

function wrongWith(
  { failure }: Omit<ModelTestView, "reference">,
  { provider, reference }: { provider: string; reference: string },
  say: Say,
): SetupProblem {
  const known = failure ?? { code: "unknown", message: "" };
  return describeProblem(known, { provider, model: reference.slice(provider.length + 1) }, say);
}

function unlisted(
  { reason, detail }: Extract<Chosen, { ok: false }>,
  provider: string,
  say: Say,
): SetupProblem {
  const facts = { provider, model: "" };
  if (reason === "refused")
    return describeProblem(
      { code: "auth", message: say("setup.list-refused", { provider, detail }) },
      facts,
      say,
    );
  if (reason === "unreachable")
    return describeProblem(
      { code: "unavailable", message: say("setup.list-unreachable", { provider, detail }) },
      facts,
      say,
    );
  return {
    code: "no-model",
    message: say("setup.no-model", { provider }),
    next: say("setup.no-model.next"),
    guide: "models",
  };
}

const unknownProvider = (provider: string, say: Say): TrialOutcome => ({
  ok: false,
  reference: null,
  secret: undefined,
  problem: {
    code: "unknown-provider",
    message: say("setup.unknown-provider", { provider }),
    next: say("setup.unknown-provider.next"),
    guide: "models",
  },
});
