/**
 * Tests whether a provider accepts a credential: with one tiny question to a configured or known model. If there is
 * none, or our own limits forbid the question, it checks whether the provider lists its models only for this
 * credential.
 */
import { asPincerError, type CredentialTestView, type ModelTestView } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { allowanceOf } from "../../models/allowed-models.ts";
import type { Catalogue } from "../../models/catalogue/catalogue.ts";
import type { CatalogueModel } from "../../models/catalogue/model-entry.ts";
import { configuredReferences } from "../../models/choose-model.ts";
import type { Credentials } from "../../models/credentials/credentials.ts";
import type { CredentialKey } from "../../storage/credentials/credentials.ts";
import { referenceOf } from "../../models/model-record.ts";
import type { RequestAuth } from "../../models/wire/wire.ts";

export type CredentialOutcome = Pick<CredentialTestView, "outcome" | "detail">;

/** Asks a provider whether it takes a credential. Never throws but for the signal. */
export type TestCredential = (
  credential: CredentialKey & { provider: string },
  signal?: AbortSignal,
) => Promise<CredentialOutcome>;

export interface CredentialTestParts {
  catalogue: Pick<Catalogue, "find" | "firstOf" | "ask">;
  credentials: Pick<Credentials, "candidates" | "authOf">;
  /** As it is now. */
  config(): Pick<Config, "agents" | "models">;
  defaultAgentId: string;
  say: Say;
  /** One tiny question with this credential and no other. Throws nothing but the signal's reason, and what the storage does. */
  question(
    model: CatalogueModel,
    agentId: string,
    wish: { credential: string; signal: AbortSignal },
  ): Promise<Pick<ModelTestView, "model" | "failure">>;
}

interface Asking {
  id: string;
  provider: string;
  /** Who asks: it sees the credential, and not another of that name. */
  agentId: string;
  auth: RequestAuth;
  signal: AbortSignal;
}

export function createCredentialTest(parts: CredentialTestParts): TestCredential {
  const { catalogue, credentials, config, say, question } = parts;

  const isAllowed = (model: { provider: string; id: string }) => allowanceOf(model, config().models).allowed;

  async function modelFor({ provider, agentId }: Asking): Promise<CatalogueModel | undefined> {
    const named = configuredReferences(config().agents, agentId).filter((each) =>
      each.startsWith(`${provider}/`),
    );
    const usual = await catalogue.firstOf(provider);
    for (const reference of [...named, ...(usual ? [referenceOf(usual)] : [])]) {
      // What a request takes besides is known to the one that finds it.
      const model = await catalogue.find(reference);
      if (model && isAllowed(model)) return model;
    }
    return undefined;
  }

  async function ask(model: CatalogueModel, { id, agentId, signal }: Asking) {
    const result = await question(model, agentId, { credential: id, signal });
    if (!result.failure) return { code: undefined, ...works(result.model ?? referenceOf(model)) };
    const { code, message } = result.failure;
    return { code, ...(code === "auth" || code === "billing" ? refused(message) : unclear(message)) };
  }

  async function askForList(asking: Asking, mayQuestion: boolean): Promise<CredentialOutcome> {
    const { id, provider, auth, signal } = asking;
    const told = await catalogue.ask(provider, auth, signal);
    if (!told.ok) {
      const { detail } = told;
      return isRefusal(told.status)
        ? refused(say("auth.test.list-refused", { detail }))
        : unclear(say("auth.test.no-list", { provider, detail }));
    }
    if (id === "none") return works(say("auth.test.list"));
    const toAnybody = await catalogue.ask(provider, undefined, signal);
    if (!toAnybody.ok && isRefusal(toAnybody.status)) return works(say("auth.test.list"));
    const first = told.models[0] && (await catalogue.find(`${provider}/${told.models[0].id}`));
    if (!first || !mayQuestion || !isAllowed(first)) return unclear(say("auth.test.open-list", { provider }));
    const { outcome, detail } = await ask(first, asking);
    return { outcome, detail };
  }

  async function look(
    { id, agentId, provider }: Parameters<TestCredential>[0],
    signal: AbortSignal,
  ): Promise<CredentialOutcome> {
    const sees = async (asker: string) => {
      const wish = { provider, agentId: asker, only: id };
      const found = await credentials.candidates(wish);
      return { wish, candidate: found.find((each) => (each.agentId ?? null) === agentId) };
    };
    let seen = await sees(agentId ?? parts.defaultAgentId);
    // The agent has its own of that name. No agent is called so: it sees what holds for all.
    if (!seen.candidate && agentId === null) seen = await sees("");
    const { wish, candidate } = seen;
    if (!candidate) return refused(say("auth.test.run-out"));
    const access = await credentials.authOf(candidate, wish, signal);
    if (!access.ok) {
      const { code, message } = access.failure;
      return code === "auth" && !access.local ? refused(message) : unclear(message);
    }
    const { allowedProviders } = config().models;
    if (!allowanceOf({ provider, id }, { allowedProviders, allowedModels: [] }).allowed)
      return unclear(say("models.not-allowed", { reference: provider, key: "models.allowedProviders" }));
    const asking: Asking = { id, provider, agentId: wish.agentId, auth: access.auth, signal };
    const model = await modelFor(asking);
    if (!model) return askForList(asking, true);
    const { code, ...outcome } = await ask(model, asking);
    if (code !== "budget") return outcome;
    const byList = await askForList(asking, false);
    return byList.outcome === "unclear" ? outcome : byList;
  }

  return async (credential, signal = new AbortController().signal) => {
    try {
      return await look(credential, signal);
    } catch (error) {
      signal.throwIfAborted();
      return unclear(sayError(asPincerError(error), say).message);
    }
  };
}

const works = (detail: string): CredentialOutcome => ({ outcome: "works", detail });
const refused = (detail: string): CredentialOutcome => ({ outcome: "refused", detail });
const unclear = (detail: string): CredentialOutcome => ({ outcome: "unclear", detail });

const isRefusal = (status: number | undefined): boolean =>
  status !== undefined && [401, 402, 403].includes(status);
