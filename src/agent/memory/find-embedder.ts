/** Chooses the embedder: from the config, the owner's keys, and what runs on this machine. */
import { embedderNames } from "../../config/schema/memory-search.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import {
  chooseEmbedder,
  type EmbedderSettings,
  type EmbedderSurroundings,
} from "../../memory/embedders/choose-embedder.ts";
import { findOllama } from "../../memory/embedders/find-ollama.ts";
import { localPackage } from "../../memory/embedders/local-package.ts";
import type { LazyModels } from "../models/connected-models.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import type { EmbedderChoice } from "../../memory/following/memory-surroundings.ts";

export interface FindEmbedderParts {
  openedHome: Pick<OpenHome, "home" | "stores"> & { foundation: Pick<OpenHome["foundation"], "secrets"> };
  config(): Config;
  connected: Pick<LazyModels, "room">;
  say: Say;
}

/** What `pincer auth` calls them, and how the embedders do. */
const keyed = { openai: "openai", google: "gemini", voyage: "voyage" } as const;
const patienceMs = 1500;

/** Throws PincerError where a secret that the config names cannot be read. Sends nothing to anybody but a question to this machine. */
export async function findEmbedder(parts: FindEmbedderParts): Promise<EmbedderChoice> {
  const { say } = parts;
  const { home } = parts.openedHome;
  const settings = await settingsOf(parts);
  const { provider } = settings;
  const { query } = parts.config().agents.defaults.memorySearch;
  if (!query.hybrid.enabled)
    return { spec: { type: "none" }, provider: "none", why: say("embedder.not-hybrid") };
  const chosen = chooseEmbedder(settings, {
    keys: isOneOf(provider, ["auto", "openai", "gemini", "voyage"]) ? await keysOf(parts) : {},
    // If an address is configured, nothing else is asked.
    ollama:
      isOneOf(provider, ["auto", "ollama"]) && !settings.remote?.baseUrl
        ? await findOllama(AbortSignal.timeout(patienceMs))
        : undefined,
    localDirectory: home.embedderDir,
    isLocalInstalled: localPackage.installedIn(home.embedderDir),
  });
  const words = [chosen.why, ...(chosen.next ? [chosen.next] : [])];
  return {
    spec: chosen.spec,
    provider: chosen.spec.type,
    why: words.map(({ key, parameters }) => say(key, parameters)).join(" "),
  };
}

const isOneOf = (
  provider: EmbedderSettings["provider"],
  names: Array<EmbedderSettings["provider"]>,
): boolean => names.includes(provider);

async function settingsOf({ config, openedHome }: FindEmbedderParts): Promise<EmbedderSettings> {
  const { provider, model, remote, local } = config().agents.defaults.memorySearch;
  const { secrets } = openedHome.foundation;
  const apiKey = remote?.apiKey === undefined ? undefined : await secrets.resolve(remote.apiKey);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(remote?.headers ?? {}))
    headers[name] = await secrets.resolve(value);
  return {
    provider: requireEmbedder(provider),
    model,
    remote: { baseUrl: remote?.baseUrl, apiKey, headers },
    idleMs: local.idleSeconds * 1000,
  };
}

/** An imported config may name one that is unknown here. */
function requireEmbedder(name: string): EmbedderSettings["provider"] {
  const known = embedderNames.find((each) => each === name);
  if (known) return known;
  const names = embedderNames.join(", ");
  throw failure("config/bad-value", "embedder.unknown", { name, names });
}

/** Only real keys: a login that is meant for chats does not open the door to embeddings. */
async function keysOf({
  openedHome,
  config,
  connected,
}: FindEmbedderParts): Promise<EmbedderSurroundings["keys"]> {
  const stored = await openedHome.stores.credentials.list();
  const configured = config().models.providers;
  const keys: EmbedderSurroundings["keys"] = {};
  for (const [name, type] of Object.entries(keyed)) {
    const theirs = stored.filter(({ provider }) => provider === name);
    const own = Object.hasOwn(configured, name) ? configured[name] : undefined;
    if (theirs.length === 0 && own?.apiKey === undefined) continue;
    if (theirs.some(({ type }) => type !== "api_key")) continue;
    const auth = await (await connected.room()).authOf(name);
    if (auth?.apiKey === undefined) continue;
    keys[type] = { apiKey: auth.apiKey, baseUrl: auth.baseUrl ?? own?.baseUrl };
  }
  return keys;
}
