/** Everything needed to call models over a network, built once and shared by all turns of a process. */
import { asPincerError, textOf, type AssistantMessage, type Model, type ModelTestView } from "@pincer/sdk";
import { createMediaStore } from "../../storage/media/media-store.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { createCalledModel } from "../../models/call/call-model.ts";
import type { CallPlan } from "../../models/call/call-plan.ts";
import { createPlainMemory } from "../../models/call/plain-memory.ts";
import { openCatalogue } from "../../models/catalogue/open-catalogue.ts";
import type { CatalogueModel } from "../../models/catalogue/model-entry.ts";
import { isKeyless } from "../../models/catalogue/vendors/vendors.ts";
import { chooseModels, type ChosenModels, type ModelWish } from "../../models/choose-model.ts";
import { modelChoiceOf } from "../../models/model-choice.ts";
import { createCredentials } from "../../models/credentials/create-credentials.ts";
import { prepareHistory } from "../../models/history/prepare-history.ts";
import { thinkingFits } from "../../models/history/thinking-fits.ts";
import { createLedger } from "../../models/ledger/ledger.ts";
import type { CallPurpose } from "../../models/ledger/budgets.ts";
import type { Catalogue } from "../../models/catalogue/catalogue.ts";
import type { CredentialCandidate } from "../../models/credentials/credentials.ts";
import { createPiOAuth } from "../../models/pi/oauth.ts";
import type { RequestAuth } from "../../models/wire/wire.ts";
import { createWire } from "../../models/wire/create-wire.ts";
import { createHttpFetch } from "../../models/wire/http-fetch.ts";
import type { Foundation } from "../../storage/home/foundation.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { describeFailures } from "../../models/describe-failures.ts";
import { imageReader } from "../../models/read-image.ts";
import { createCredentialTest, type TestCredential } from "./test-credential.ts";
import type { ConnectedModels } from "./turn-models.ts";

/** What the methods about models are answered from. */
export interface ModelDirectory {
  catalogue: Catalogue;
  /** In the order of trying; empty when the provider cannot be asked. */
  credentialsFor(provider: string, agentId: string): Promise<CredentialCandidate[]>;
  /** One real request with a tiny prompt, by `provider/model`. Throws nothing but the signal's reason. */
  test(
    reference: string,
    agentId: string,
    signal: AbortSignal | undefined,
  ): Promise<Omit<ModelTestView, "reference">>;
}

export interface ModelServicesParts {
  openedHome: Pick<
    OpenHome,
    "stores" | "clock" | "ids" | "home" | "tenantId" | "defaultAgentId" | "leases"
  > & {
    foundation: Pick<Foundation, "secrets">;
  };
  config(): Config;
  environment: Readonly<Record<string, string | undefined>>;
  redactor: Redactor;
  say: Say;
  /** Told, in words, what is not as it should be. */
  notify(message: string): void;
}

export interface ModelServices extends ConnectedModels, Required<ModelDirectory> {
  testCredential: TestCredential;
  /** What goes with a request to a provider, of the first credential that can be used; undefined without one. */
  authOf(provider: string): Promise<RequestAuth | undefined>;
  /** Resolves when all that was used so far is in the ledger. */
  settled(): Promise<void>;
}

/** An access token that has run out is renewed on the way. */
const patienceMs = 15_000;

export function openModelServices(parts: ModelServicesParts): ModelServices {
  const { openedHome, config, say, redactor, notify } = parts;
  const { stores, clock, home, tenantId, ids } = openedHome;
  const { secrets } = openedHome.foundation;
  const fetch = createHttpFetch();
  const credentials = createCredentials({
    store: stores.credentials,
    tenantId,
    box: secrets.box,
    secrets,
    config,
    environment: parts.environment,
    oauth: createPiOAuth(),
    clock,
    redactor,
    say,
    leases: openedHome.leases,
    isKeyless,
  });
  const catalogue = openCatalogue({
    homeRoot: home.root,
    config,
    authOf,
    async resolve(handle) {
      const value = await secrets.resolve(handle);
      redactor.add(handle, value);
      return value;
    },
    onBroken: (file) => notify(say("models.list-unreadable", { file })),
    asker: { fetch, clock },
  });
  const wire = createWire({
    clock,
    fetch,
    makeCallId: () => ids.make("call"),
    settings: () => config().models,
    readMedia: imageReader(createMediaStore({ directory: home.mediaDir })),
  });
  const plain = createPlainMemory();
  const ledger = createLedger({
    usage: stores.usage,
    clock,
    onError: (error) => notify(say("usage.not-noted", { reason: asPincerError(error).message })),
  });

  async function authOf(provider: string) {
    const wish = { provider, agentId: openedHome.defaultAgentId };
    for (const candidate of await credentials.candidates(wish)) {
      const outcome = await credentials.authOf(candidate, wish, AbortSignal.timeout(patienceMs));
      if (outcome.ok) return outcome.auth;
    }
    return undefined;
  }

  function choose(agentId: string, wish: ModelWish): Promise<ChosenModels> {
    const { agents, models: limits } = config();
    return chooseModels({ wish, choice: modelChoiceOf(agents, agentId), limits, index: catalogue });
  }

  function call(
    chain: CallPlan["chain"],
    purpose: CallPurpose,
    rest: Pick<CallPlan, "thinking" | "cacheKey" | "credential">,
  ): Model {
    const { models, budgets } = config();
    return createCalledModel(
      {
        wire,
        credentials,
        budgets: ledger,
        history: { prepare: prepareHistory, thinkingFits, plain },
        clock,
        random: Math.random,
        describe: describeFailures(say),
      },
      {
        ...rest,
        chain,
        purpose,
        budgets,
        attempts: models.attempts,
        totalTimeoutMs: models.totalTimeoutMs,
        idleTimeoutMs: (provider) =>
          (Object.hasOwn(models.providers, provider) ? models.providers[provider]?.timeoutMs : undefined) ??
          models.idleTimeoutMs,
      },
    );
  }

  /** Throws PincerError `model/not-connected` for one that there is not. */
  async function credentialOf(agentId: string, wish: ModelWish): Promise<Pick<CallPlan, "credential">> {
    const { credential: id } = wish;
    if (id === undefined) return {};
    const provider = await credentials.providerOf(id, agentId);
    if (provider !== undefined) return { credential: { id, provider } };
    throw failure(
      "model/not-connected",
      "failure.no-credential",
      { credential: id },
      { hint: "failure.no-credential.hint" },
    );
  }

  /** One tiny question, outside of any turn. */
  async function tryOut(
    first: CatalogueModel,
    agentId: string,
    { credential, signal }: { credential?: string; signal?: AbortSignal | undefined },
  ): Promise<Omit<ModelTestView, "reference">> {
    const startedAt = clock.monotonic();
    const purpose = { turnId: null, sessionId: null, sessionKey: null, agentId, startedAt };
    const only = credential === undefined ? {} : { credential: { id: credential, provider: first.provider } };
    const model = call([first], purpose, { thinking: "off", ...only });
    let message: AssistantMessage | undefined;
    const request = {
      systemPrompt: "You are being tested.",
      messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Say: ok" }] }],
      tools: [],
      signal: signal ?? new AbortController().signal,
    };
    for await (const event of model.stream(request)) if (event.type === "end") ({ message } = event);
    signal?.throwIfAborted();
    if (!message) throw new Error("a call ended without its last event");
    const { provider, model: id, usage, stopReason, errorCode = "unknown", errorMessage = "" } = message;
    const ok = stopReason !== "error";
    return {
      ok,
      latencyMs: clock.monotonic() - startedAt,
      model: ok ? `${provider}/${id}` : null,
      text: ok ? textOf(message) : null,
      usage: ok ? usage : null,
      failure: ok ? null : { code: errorCode, message: errorMessage },
    };
  }

  return {
    catalogue,
    credentialsFor: (provider, agentId) => credentials.candidates({ provider, agentId }),
    settled: ledger.settled,
    async check({ agentId }, wish) {
      await choose(agentId, wish);
      await credentialOf(agentId, wish);
    },
    async open({ agentId, settings }, wish, { turn, session }) {
      const { chain, skipped } = await choose(agentId, wish);
      for (const { reference, reason } of skipped) notify(say(`models.skipped.${reason}`, { reference }));
      const purpose: CallPurpose = {
        turnId: turn.turnId,
        sessionId: session.sessionId,
        sessionKey: turn.sessionKey,
        agentId,
        startedAt: turn.startedAt === null ? clock.now() : Date.parse(turn.startedAt),
      };
      const rest = { thinking: wish.thinking ?? settings.thinking, cacheKey: session.sessionId };
      return call(chain, purpose, { ...rest, ...(await credentialOf(agentId, wish)) });
    },
    authOf,
    async test(reference, agentId, signal) {
      const { chain } = await choose(agentId, { model: reference });
      return tryOut(chain[0], agentId, { signal });
    },
    testCredential: createCredentialTest({
      catalogue,
      credentials,
      config,
      defaultAgentId: openedHome.defaultAgentId,
      say,
      question: tryOut,
    }),
  };
}
