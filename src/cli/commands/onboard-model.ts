/**
 * The model: what was found comes first, nothing is used without a yes, and nothing is stored before it has answered.
 */
import { systemClock } from "../../infra/clock.ts";
import type { FoundCredentialView, FoundServerView, SetupTryView } from "@pincer/sdk";
import { environmentOffers } from "../../gateway/methods/auth-login.ts";
import { failure } from "../../infra/failure.ts";
import { withApi } from "./with-api.ts";
import { createLoginInteraction } from "./auth-interaction.ts";
import { atSetup, during, missing, secretByFlags, tell, tellGood, type Onboarding } from "./onboarding.ts";

type Found = { credentials: FoundCredentialView[]; servers: FoundServerView[] };
type Way = `take:${string}` | "key" | "login" | "server" | "later";

/** Undefined: it was put off. Throws `usage/…` where a flag is missing, `model/failed` where the model of the flags does not answer. */
export async function setUpModel(onboarding: Onboarding): Promise<SetupTryView | undefined> {
  const byFlags = await attemptByFlags(onboarding);
  if (byFlags?.ok) {
    tellAnswer(onboarding, byFlags);
    return byFlags;
  }
  const { ask } = onboarding;
  if (!ask) {
    if (byFlags) throw notAnswering(byFlags);
    throw await nothingSaid(onboarding);
  }
  if (byFlags) tellProblem(onboarding, byFlags);
  const found = await during(onboarding, onboarding.place.context.say("onboard.looking"), () =>
    find(onboarding),
  );
  for (;;) {
    const way = await chooseWay(onboarding, found);
    if (way === "later") return undefined;
    const tried = await attempt(onboarding, way, found);
    if (tried?.ok) {
      tellAnswer(onboarding, tried);
      return chooseAmong(onboarding, tried);
    }
    if (tried) tellProblem(onboarding, tried);
  }
}

async function find(onboarding: Onboarding): Promise<Found> {
  const found = await atSetup(onboarding, (api, language) => api.find(language));
  const isKnown = ({ provider, variable }: Own) =>
    found.credentials.some((each) => each.provider === provider && each.where === variable);
  const more = ownKeys(onboarding).filter((offer) => !isKnown(offer));
  return {
    ...found,
    credentials: [
      ...more.map(({ id, provider, variable }) => ({
        id: `${hereMark}${id}`,
        source: "environment" as const,
        provider,
        providerName: provider,
        kind: "key" as const,
        where: variable,
        model: null,
        taken: false,
        expired: false,
        caution: null,
      })),
      ...found.credentials,
    ],
  };
}

const hereMark = "here:";
type Own = ReturnType<typeof environmentOffers>[number];

/** A gateway that was started elsewhere does not have the keys of this terminal. */
const ownKeys = ({ place: { context } }: Onboarding): Own[] =>
  environmentOffers(context.environment, context.redactor).filter(({ type }) => type === "api_key");

const ids = ({ credentials, servers }: Found): string[] =>
  [...servers, ...credentials.filter(({ expired }) => !expired)].map(({ id }) => id);

async function attemptByFlags(onboarding: Onboarding): Promise<SetupTryView | undefined> {
  const { options, place } = onboarding;
  const { model, baseUrl } = options;
  const { say } = place.context;
  if (options.take !== undefined) {
    const [first] = options.take === "first" ? ids(await find(onboarding)) : [options.take];
    if (first === undefined)
      throw failure("usage/not-found", "onboard.none-found", {}, { hint: "onboard.none-found.hint" });
    return during(onboarding, say("onboard.trying", { what: first }), () => take(onboarding, first, model));
  }
  const provider = options.provider ?? (model?.includes("/") ? model.split("/", 1)[0] : undefined);
  if (provider === undefined) {
    const stray = model ?? baseUrl ?? options.keyEnv ?? (options.keyStdin ? "" : undefined);
    if (stray === undefined) return undefined;
    throw missing("--provider");
  }
  const name = `${provider}:default`;
  const key = await secretByFlags(onboarding, { stdin: options.keyStdin, variable: options.keyEnv }, name);
  return during(onboarding, say("onboard.trying", { what: provider }), () =>
    enter(onboarding, { provider, key, baseUrl, model }),
  );
}

function take(onboarding: Onboarding, id: string, model: string | undefined): Promise<SetupTryView> {
  const own = ownKeys(onboarding).find((offer) => `${hereMark}${offer.id}` === id);
  if (own) return enter(onboarding, { provider: own.provider, key: String(own.secret["key"]), model });
  return atSetup(onboarding, (api, language) =>
    api.take(
      { id, ...(model === undefined ? {} : { model }), ...language },
      { signal: onboarding.place.context.signal },
    ),
  );
}

interface Entered {
  provider: string;
  key?: string | undefined;
  baseUrl?: string | undefined;
  model?: string | undefined;
}

const enter = (onboarding: Onboarding, { provider, key, baseUrl, model }: Entered): Promise<SetupTryView> =>
  atSetup(onboarding, (api, language) =>
    api.tryModel(
      {
        provider,
        ...(key === undefined ? {} : { key }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(model === undefined ? {} : { model }),
        ...language,
      },
      { signal: onboarding.place.context.signal },
    ),
  );

async function nothingSaid(onboarding: Onboarding): Promise<Error> {
  const offers = ids(await find(onboarding));
  return missing("--take, --provider, --skip model", { found: offers.join(", ") || "-" });
}

async function chooseWay({ ask, place }: Onboarding, { credentials, servers }: Found): Promise<Way> {
  const { say } = place.context;
  if (!ask) return "later";
  return ask.choose<Way>(say("onboard.which-model"), [
    ...servers.map(({ id, providerName, models }) => ({
      value: `take:${id}` as const,
      label: say("onboard.found.server", { name: providerName }),
      hint: say("onboard.found.models", { count: models.length }),
    })),
    ...credentials
      .filter(({ expired }) => !expired)
      .map(({ id, providerName, source, where, taken }) => ({
        value: `take:${id}` as const,
        label: say(source === "environment" ? "onboard.found.key" : "onboard.found.login", {
          name: providerName,
          where,
        }),
        ...(taken ? { hint: say("onboard.found.taken") } : {}),
      })),
    { value: "key", label: say("onboard.way.key") },
    { value: "login", label: say("onboard.way.login") },
    { value: "server", label: say("onboard.way.server") },
    { value: "later", label: say("onboard.way.later") },
  ]);
}

/** Undefined: the person wants to choose again. */
async function attempt(onboarding: Onboarding, way: Way, found: Found): Promise<SetupTryView | undefined> {
  if (way.startsWith("take:")) return attemptFound(onboarding, way.slice("take:".length), found);
  if (way === "login") return attemptLogin(onboarding);
  return way === "server" ? attemptServer(onboarding) : attemptKey(onboarding);
}

async function attemptFound(
  onboarding: Onboarding,
  id: string,
  found: Found,
): Promise<SetupTryView | undefined> {
  const { ask, place } = onboarding;
  const { say } = place.context;
  const credential = found.credentials.find((each) => each.id === id);
  const server = found.servers.find((each) => each.id === id);
  if (credential?.caution) {
    tell(onboarding, credential.caution);
    const { source, where } = credential;
    const question = say("onboard.take-login", { program: source, where });
    if (!(await ask?.isWanted(question, false))) return undefined;
  }
  const models = server?.models ?? [];
  const model =
    models.length > 1
      ? await ask?.choose(
          say("onboard.which-of", { name: server?.providerName ?? "" }),
          models.map((each) => ({ value: each.id, label: each.name })),
        )
      : undefined;
  const name = server?.providerName ?? credential?.providerName ?? id;
  return during(onboarding, say("onboard.trying", { what: name }), () => take(onboarding, id, model));
}

/** Those that most people have come first; the rest follows by name. */
const usualProviders = ["anthropic", "openai", "google", "openrouter", "deepseek", "mistral", "xai", "groq"];

async function attemptKey(onboarding: Onboarding): Promise<SetupTryView | undefined> {
  const { ask, place } = onboarding;
  const { say, redactor } = place.context;
  const { providers } = await withApi("models", place, ({ api }) => api.providers({}));
  const rank = (id: string) =>
    usualProviders.includes(id) ? usualProviders.indexOf(id) : usualProviders.length;
  const choices = providers
    .filter(({ serves, credential }) => serves === "conversation" && credential === "needed")
    .toSorted((one, other) => rank(one.id) - rank(other.id))
    .map(({ id, name }) => ({ value: id, label: name, ...(name === id ? {} : { hint: id }) }));
  const provider = await ask?.choose(say("onboard.which-provider"), choices);
  const key = await ask?.hide(say("onboard.enter-key", { provider: provider ?? "" }));
  if (provider === undefined || key === undefined) return undefined;
  redactor.add(`${provider}:default`, key.trim());
  return during(onboarding, say("onboard.trying", { what: provider }), () =>
    enter(onboarding, { provider, key }),
  );
}

async function attemptServer(onboarding: Onboarding): Promise<SetupTryView | undefined> {
  const { ask, place } = onboarding;
  const { say, redactor } = place.context;
  if (!ask) return undefined;
  const baseUrl = await ask.write(say("onboard.enter-address"));
  if (!/^https?:\/\/\S+$/.test(baseUrl)) {
    ask.bad(say("onboard.bad-address"));
    return undefined;
  }
  const key = (await ask.isWanted(say("onboard.needs-key"), false))
    ? await ask.hide(say("onboard.enter-key", { provider: baseUrl }))
    : undefined;
  if (key !== undefined) redactor.add("own-server", key.trim());
  const model = (await ask.write(say("onboard.enter-model"), "-")).replace(/^-$/, "") || undefined;
  const request = { provider: "own-server", baseUrl, key, model };
  return during(onboarding, say("onboard.trying", { what: baseUrl }), () => enter(onboarding, request));
}

/** At the provider's own page; what it gives is stored, and then tried. */
async function attemptLogin(onboarding: Onboarding): Promise<SetupTryView | undefined> {
  const { ask, place } = onboarding;
  const { context } = place;
  const { say } = context;
  const { loginProviders, logIn, hideEntered } = await import("../../gateway/methods/auth-login.ts");
  const provider = await ask?.choose(
    say("onboard.which-login"),
    (await loginProviders()).map((id) => ({ value: id, label: id })),
  );
  if (provider === undefined) return undefined;
  const interaction = createLoginInteraction(context, systemClock);
  try {
    const secret = await logIn(provider, interaction);
    const id = `${provider}:default`;
    hideEntered(context.redactor, id, secret);
    await withApi("auth", place, ({ api }) =>
      api.put({ id, provider, type: "oauth", secret, source: "login" }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    ask?.bad((error as Error).message);
    return undefined;
  } finally {
    interaction.over();
  }
  return during(onboarding, say("onboard.trying", { what: provider }), () => enter(onboarding, { provider }));
}

/** Lets the person choose another model of the provider; one that does not answer changes nothing. */
async function chooseAmong(
  onboarding: Onboarding,
  answered: SetupTryView & { ok: true },
): Promise<SetupTryView> {
  const { ask, place, options } = onboarding;
  const { say } = place.context;
  const [provider = "", ...rest] = answered.reference.split("/");
  const now = rest.join("/");
  if (!ask || options.model !== undefined || answered.models.length < 2) return answered;
  const keep = "";
  const model = await ask.choose(
    say("onboard.which-of", { name: provider }),
    [
      { value: keep, label: say("onboard.keep-model", { model: now }) },
      ...answered.models.filter((id) => id !== now).map((id) => ({ value: id, label: id })),
    ],
    keep,
  );
  if (model === keep) return answered;
  const tried = await during(onboarding, say("onboard.trying", { what: model }), () =>
    enter(onboarding, { provider, model }),
  );
  if (tried.ok) {
    tellAnswer(onboarding, tried);
    return tried;
  }
  tellProblem(onboarding, tried);
  return answered;
}

function tellAnswer(onboarding: Onboarding, { reference, latencyMs }: SetupTryView & { ok: true }): void {
  tellGood(onboarding, onboarding.place.context.say("onboard.answers", { reference, ms: latencyMs }));
}

function tellProblem({ ask, place }: Onboarding, { problem }: SetupTryView & { ok: false }): void {
  const { say } = place.context;
  const guide = say("onboard.guide", { guide: problem.guide });
  ask?.bad(`${problem.message}\n${problem.next}\n${guide}`);
}

const notAnswering = ({ problem }: SetupTryView & { ok: false }) =>
  failure(
    "model/failed",
    "onboard.not-answering",
    { message: problem.message, next: problem.next, guide: problem.guide },
    { hint: "onboard.not-answering.hint" },
  );
