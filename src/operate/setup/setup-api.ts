/**
 * The first run, for the terminal and the page alike. Nothing is written before the model has answered; each step can
 * be repeated, and starts with what is already set up.
 */
import type { ConfigChangeView, SetupTryView } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { setConfig, trySetConfig, type ConfigEditor } from "../../config/set-config.ts";
import type { Setting } from "../../config/store-literals.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import { findVendor } from "../../models/catalogue/vendors/vendors.ts";
import { createHttpFetch } from "../../models/wire/http-fetch.ts";
import { holds } from "../../policy/permission-points.ts";
import { agentSettings } from "../../agent/agent-settings.ts";
import { sendableSecret } from "../../gateway/methods/auth-key.ts";
import { allowsFor, askedBy, written, type TakenUp } from "../../gateway/methods/config-api.ts";
import type { NewCredential } from "../../gateway/methods/stored-credentials.ts";
import type { Api, Until } from "../../gateway/methods/api.ts";
import type { LazyModels } from "../../agent/models/connected-models.ts";
import type { ModelServicesParts } from "../../agent/models/model-services.ts";
import { createServiceRecords } from "../service/service-record.ts";
import { installedService } from "../service/system-service.ts";
import { findCredentials, findServers, type OfferParts } from "./find-offers.ts";
import { describeProblem } from "./setup-problem.ts";
import { createSetupRecords } from "./setup-record.ts";
import { describeSetup } from "./setup-status.ts";
import { tryModel, type Trial, type TrialOutcome } from "./try-model.ts";

export interface SetupApiParts extends ModelServicesParts {
  connected: Pick<LazyModels, "room">;
  /** APIs whose work the first run is made of. */
  neighbours: {
    auth: Api<"auth">;
    channels: Api<"channels">;
    models: Api<"models">;
    owner: Api<"owner">;
  };
  editor: ConfigEditor;
  takeUp(language: Language | undefined): Promise<TakenUp>;
  inLanguage(language: Language | undefined): Say;
  platform?: NodeJS.Platform;
}

export function createSetupApi(parts: SetupApiParts): Api<"setup"> {
  const { openedHome, config, environment, neighbours, editor, takeUp, inLanguage } = parts;
  const { defaultAgentId, stores, clock, home } = openedHome;
  const records = createSetupRecords({ home, clock });

  async function offers(): Promise<OfferParts> {
    const { catalogue } = await parts.connected.room();
    return { ...parts, clock, catalogue, fetch: createHttpFetch() };
  }

  async function attempt(trial: Trial, say: Say, until: Until | undefined): Promise<TrialOutcome> {
    const { openModelServices } = await import("../../agent/models/model-services.ts");
    return tryModel({ ...parts, openRoom: openModelServices }, trial, { say, signal: until?.signal });
  }

  /**
   * Before anything is sent there: a caller that may not write an address into the config may not send a key or a
   * request there either.
   */
  async function assertMayCall({ provider, baseUrl }: Trial, until: Until | undefined): Promise<void> {
    const settings = addressSettings(provider, baseUrl);
    const allows = allowsFor(until);
    if (allows && settings.length > 0) await trySetConfig({ ...editor, allows }, settings);
  }

  /** Of what answered, and of nothing else. */
  async function keep(
    trial: Trial,
    { reference, secret }: { reference: string; secret: TrialOutcome["secret"] },
    language: Language | undefined,
    until: Until | undefined,
  ): Promise<{ credential: string | null; change: ConfigChangeView }> {
    const { credential, provider, baseUrl } = trial;
    if (credential) await keepCredential(credential, secret);
    const settings: Setting[] = [
      ...addressSettings(provider, baseUrl),
      modelSetting(config(), defaultAgentId, reference),
    ];
    const { change } = await setConfig({ ...editor, ...askedBy(until) }, settings);
    return { credential: credential?.id ?? null, change: await written(change, () => takeUp(language)) };
  }

  async function keepCredential(given: NewCredential, secret: TrialOutcome["secret"]): Promise<void> {
    const { id, provider, type, source } = given;
    await neighbours.auth.put({ id, provider, type, secret: secret ?? given.secret, source, force: true });
    // The credential that was just proven to work becomes the first.
    await neighbours.auth.use({ id });
  }

  async function tryAndKeep(
    trial: Trial,
    { language, write = true }: { language?: Language | undefined; write?: boolean | undefined },
    until: Until | undefined,
  ): Promise<SetupTryView> {
    await assertMayCall(trial, until);
    const outcome = await attempt(trial, inLanguage(language), until);
    if (!outcome.ok) {
      const { reference, problem, secret, ok } = outcome;
      // A login that was renewed on the way is of use nowhere else any more.
      if (write && trial.credential && isRenewed(trial.credential, secret))
        await keepCredential(trial.credential, secret);
      return { ok, reference, problem };
    }
    const { secret, ...answer } = outcome;
    const nothing = { credential: null, change: null };
    return { ...answer, ...(write ? await keep(trial, { ...answer, secret }, language, until) : nothing) };
  }

  return {
    async status({ probe, language }, until) {
      const say = inLanguage(language);
      if (probe) assertMayAsk(until);
      const models = await neighbours.models.status({ agentId: defaultAgentId });
      const [first] = models.models;
      const asked =
        probe && first && !first.reference.startsWith("stub/")
          ? await ask(neighbours.models, first.reference, say, until)
          : undefined;
      const { channels } = await neighbours.channels.list(language ? { language } : {});
      const running = await createServiceRecords(home).read();
      const { file, isPossible, isInstalled } = await installedService({
        platform: parts.platform ?? process.platform,
        environment,
      });
      const { name = null, user = null } = agentSettings(config(), defaultAgentId).identity ?? {};
      return describeSetup(
        {
          models,
          asked,
          assistant: { agentId: defaultAgentId, name, user },
          channels,
          owned: (await neighbours.owner.list({})).owners.length > 0,
          service: { installed: isInstalled, running: running !== undefined, file, isPossible },
          address: running?.address ?? null,
          record: await records.read(),
        },
        say,
      );
    },

    async find({ language }) {
      const looking = await offers();
      const found = await findCredentials(looking, await stores.credentials.list(), inLanguage(language));
      return { credentials: found.map(({ view }) => view), servers: await findServers(looking) };
    },

    async take({ id, model, language }, until) {
      const looking = await offers();
      const servers = id.startsWith("server:") ? await findServers(looking) : [];
      const server = servers.find((each) => each.id === id);
      if (server) {
        const { provider, baseUrl, models } = server;
        return tryAndKeep({ provider, baseUrl, model: model ?? models[0]?.id }, { language }, until);
      }
      const found = await findCredentials(looking, [], inLanguage(language));
      const offer = found.find(({ view }) => view.id === id);
      if (!offer)
        throw failure("usage/not-found", "setup.not-found", { id }, { hint: "setup.not-found.hint" });
      const credential = { ...offer.credential, agentId: null };
      return tryAndKeep({ provider: credential.provider, model, credential }, { language }, until);
    },

    async tryModel({ provider, key, baseUrl, model, write, language }, until) {
      const id = `${provider}:default`;
      if (key !== undefined) parts.redactor.add(id, key.trim());
      const credential: NewCredential | undefined =
        key === undefined
          ? undefined
          : {
              id,
              agentId: null,
              provider,
              type: "api_key",
              secret: sendableSecret(id, { key }),
              source: "setup",
            };
      return tryAndKeep({ provider, baseUrl, model, credential }, { language, write }, until);
    },

    async name({ name: given, user, language }, until) {
      const name = requireName(given);
      const settings = nameSettings(config(), defaultAgentId, name, user?.trim());
      const { change } = await setConfig({ ...editor, ...askedBy(until) }, settings);
      return { ...(await written(change, () => takeUp(language))), agentId: defaultAgentId, name };
    },

    async done({ step }) {
      const { doneAt } = await records.close(step);
      return { done: doneAt !== null, step: step ?? null };
    },
  };
}

async function ask(models: Api<"models">, reference: string, say: Say, until: Until | undefined) {
  const { ok, failure: problem } = await models.test({ reference }, until);
  if (ok) return { ok } as const;
  const [provider = "", ...rest] = reference.split("/");
  const known = problem ?? { code: "unknown", message: "" };
  return { ok: false, problem: describeProblem(known, { provider, model: rest.join("/") }, say) } as const;
}

const isRenewed = ({ type, secret: before }: NewCredential, now: TrialOutcome["secret"]): boolean =>
  type === "oauth" && now !== undefined && now["refresh"] !== before["refresh"];

/** It costs as much as a question: a caller with read access only may not spend it. */
function assertMayAsk(until: Until | undefined): void {
  const { role } = until?.caller ?? { role: "owner" as const };
  if (holds(role, "agent.run")) return;
  const named = { method: "setup.status (probe)", point: "agent.run", role };
  throw failure("permission/missing", "permission.missing", named, { hint: "permission.missing.hint" });
}

/** None where it is the provider's own. */
const addressSettings = (provider: string, baseUrl: string | undefined): Setting[] =>
  baseUrl === undefined || baseUrl === findVendor(provider)?.baseUrl
    ? []
    : [{ path: ["models", "providers", provider, "baseUrl"], value: baseUrl }];

/** An agent that has a choice of its own keeps having one; the rest share one. */
function modelSetting({ agents }: Config, agentId: string, reference: string): Setting {
  const index = agents.list.findIndex(({ id }) => id === agentId);
  const own = agents.list[index]?.model;
  if (own === undefined) return { path: ["agents", "defaults", "model", "primary"], value: reference };
  const path = ["agents", "list", index, "model"];
  return { path: typeof own === "object" ? [...path, "primary"] : path, value: reference };
}

/** One line that people can read: nothing that moves the cursor or hides what stands beside it. */
function requireName(given: string): string {
  const name = given.trim();
  if (name !== "" && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return name;
  throw failure("usage/bad-argument", "setup.bad-name", {}, { hint: "setup.bad-name.hint" });
}

function nameSettings(
  { agents: { list } }: Config,
  agentId: string,
  name: string,
  user: string | undefined,
): Setting[] {
  const index = list.findIndex(({ id }) => id === agentId);
  const identity = { name, ...(user ? { user: requireName(user) } : {}) };
  if (index < 0) return [{ path: ["agents", "list", list.length], value: { id: agentId, name, identity } }];
  const path = ["agents", "list", index];
  return [
    { path: [...path, "name"], value: name },
    ...Object.entries(identity).map(([key, value]) => ({ path: [...path, "identity", key], value })),
  ];
}
