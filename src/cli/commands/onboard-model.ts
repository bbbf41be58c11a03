/** The model: what was found comes first, nothing is taken without a yes, and nothing is kept before it has answered. */
import type { FoundCredentialView, FoundServerView, SetupTryView } from "@pincer/sdk";
import { environmentOffers } from "../../gateway/methods/auth-login.ts";
import { failure } from "../../infra/failure.ts";
import { withApi } from "./with-api.ts";
import { createLoginInteraction } from "./auth-interaction.ts";
import { atSetup, during, missing, secretByFlags, tell, tellGood, type Onboarding } from "./onboarding.ts";

type Found = { credentials: FoundCredentialView[]; servers: FoundServerView[] };
type Way = `take:${string}` | "key" | "login" | "server" | "later";

/** Undefined: it was put off. Throws `usage/…` where a flag is missing, `model/failed` where the model of the flags does not answer. */
export async function setUpModel(room: Onboarding): Promise<SetupTryView | undefined> {
  const byFlags = await attemptByFlags(room);
  if (byFlags?.ok) {
    tellAnswer(room, byFlags);
    return byFlags;
  }
  const { ask } = room;
  if (!ask) {
    if (byFlags) throw notAnswering(byFlags);
    throw await nothingSaid(room);
  }
  if (byFlags) tellProblem(room, byFlags);
  const found = await during(room, room.place.context.say("onboard.looking"), () => find(room));
  for (;;) {
    const way = await chooseWay(room, found);
    if (way === "later") return undefined;
    const tried = await attempt(room, way, found);
    if (tried?.ok) {
      tellAnswer(room, tried);
      return chooseAmong(room, tried);
    }
    if (tried) tellProblem(room, tried);
  }
}

async function find(room: Onboarding): Promise<Found> {
  const found = await atSetup(room, (api, language) => api.find(language));
  const isKnown = ({ provider, variable }: Own) =>
    found.credentials.some((each) => each.provider === provider && each.where === variable);
  const more = ownKeys(room).filter((offer) => !isKnown(offer));
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

async function attemptByFlags(room: Onboarding): Promise<SetupTryView | undefined> {
  const { options, place } = room;
  const { model, baseUrl } = options;
  const { say } = place.context;
  if (options.take !== undefined) {
    const [first] = options.take === "first" ? ids(await find(room)) : [options.take];
    if (first === undefined)
      throw failure("usage/not-found", "onboard.none-found", {}, { hint: "onboard.none-found.hint" });
    return during(room, say("onboard.trying", { what: first }), () => take(room, first, model));
  }
  const provider = options.provider ?? (model?.includes("/") ? model.split("/", 1)[0] : undefined);
  if (provider === undefined) {
    const stray = model ?? baseUrl ?? options.keyEnv ?? (options.keyStdin ? "" : undefined);
    if (stray === undefined) return undefined;
    throw missing("--provider");
  }
  const name = `${provider}:default`;
  const key = await secretByFlags(room, { stdin: options.keyStdin, variable: options.keyEnv }, name);
  return during(room, say("onboard.trying", { what: provider }), () =>
    enter(room, { provider, key, baseUrl, model }),
  );
}

function take(room: Onboarding, id: string, model: string | undefined): Promise<SetupTryView> {
  const own = ownKeys(room).find((offer) => `${hereMark}${offer.id}` === id);
  if (own) return enter(room, { provider: own.provider, key: String(own.secret["key"]), model });
  return atSetup(room, (api, language) =>
    api.take(
      { id, ...(model === undefined ? {} : { model }), ...language },
      { signal: room.place.context.signal },
    ),
  );
}

interface Entered {
  provider: string;
  key?: string | undefined;
  baseUrl?: string | undefined;
  model?: string | undefined;
}

const enter = (room: Onboarding, { provider, key, baseUrl, model }: Entered): Promise<SetupTryView> =>
  atSetup(room, (api, language) =>
    api.tryModel(
      {
        provider,
        ...(key === undefined ? {} : { key }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(model === undefined ? {} : { model }),
        ...language,
      },
      { signal: room.place.context.signal },
    ),
  );

async function nothingSaid(room: Onboarding): Promise<Error> {
  const offers = ids(await find(room));
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

/** Undefined: whoever was asked would rather choose anew. */
async function attempt(room: Onboarding, way: Way, found: Found): Promise<SetupTryView | undefined> {
  if (way.startsWith("take:")) return attemptFound(room, way.slice("take:".length), found);
  if (way === "login") return attemptLogin(room);
  return way === "server" ? attemptServer(room) : attemptKey(room);
}

async function attemptFound(room: Onboarding, id: string, found: Found): Promise<SetupTryView | undefined> {
  const { ask, place } = room;
  const { say } = place.context;
  const credential = found.credentials.find((each) => each.id === id);
  const server = found.servers.find((each) => each.id === id);
  if (credential?.caution) {
    tell(room, credential.caution);
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
  return during(room, say("onboard.trying", { what: name }), () => take(room, id, model));
}

/** Those that most people have come first; the rest follows by name. */
const usualProviders = ["anthropic", "openai", "google", "openrouter", "deepseek", "mistral", "xai", "groq"];

async function attemptKey(room: Onboarding): Promise<SetupTryView | undefined> {
  const { ask, place } = room;
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
  return during(room, say("onboard.trying", { what: provider }), () => enter(room, { provider, key }));
}

async function attemptServer(room: Onboarding): Promise<SetupTryView | undefined> {
  const { ask, place } = room;
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
  return during(room, say("onboard.trying", { what: baseUrl }), () => enter(room, request));
}

/** At the provider's own page; what it gives is stored, and then tried. */
async function attemptLogin(room: Onboarding): Promise<SetupTryView | undefined> {
  const { ask, place } = room;
  const { context } = place;
  const { say } = context;
  const { loginProviders, logIn, hideEntered } = await import("../../gateway/methods/auth-login.ts");
  const provider = await ask?.choose(
    say("onboard.which-login"),
    (await loginProviders()).map((id) => ({ value: id, label: id })),
  );
  if (provider === undefined) return undefined;
  try {
    const secret = await logIn(provider, createLoginInteraction(context));
    const id = `${provider}:default`;
    hideEntered(context.redactor, id, secret);
    await withApi("auth", place, ({ api }) =>
      api.put({ id, provider, type: "oauth", secret, source: "login" }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    ask?.bad((error as Error).message);
    return undefined;
  }
  return during(room, say("onboard.trying", { what: provider }), () => enter(room, { provider }));
}

/** Whoever wants another of the provider's models takes it here; one that does not answer changes nothing. */
async function chooseAmong(room: Onboarding, answered: SetupTryView & { ok: true }): Promise<SetupTryView> {
  const { ask, place, options } = room;
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
  const tried = await during(room, say("onboard.trying", { what: model }), () =>
    enter(room, { provider, model }),
  );
  if (tried.ok) {
    tellAnswer(room, tried);
    return tried;
  }
  tellProblem(room, tried);
  return answered;
}

function tellAnswer(room: Onboarding, { reference, latencyMs }: SetupTryView & { ok: true }): void {
  tellGood(room, room.place.context.say("onboard.answers", { reference, ms: latencyMs }));
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
