/**
 * Chooses the embedder from the config and what is available. A configured name is used or refused, never replaced;
 * `auto` takes the best. Texts go only to services for which the owner has given a key or an address, or stay on this
 * machine.
 */
import type { TextKey } from "../../infra/texts.ts";
import { dialects } from "./dialects.ts";
import type { EmbedderSpec } from "./embedder.ts";
import { localPackage } from "./local-package.ts";

/** As the config has them. */
export interface EmbedderSettings {
  provider: "auto" | EmbedderSpec["type"];
  model?: string | undefined;
  remote?:
    | {
        baseUrl?: string | undefined;
        apiKey?: string | undefined;
        headers?: Record<string, string> | undefined;
      }
    | undefined;
  idleMs: number;
}

type KeyedType = "openai" | "gemini" | "voyage";

export interface EmbedderSurroundings {
  /** Keys that the owner has given to Pincer, and where each of them is used, if not at the provider's own address. */
  keys: Partial<Record<KeyedType, { apiKey: string; baseUrl?: string | undefined }>>;
  /** An Ollama that answers, and the names of its models. */
  ollama?: { baseUrl: string; models: readonly string[] } | undefined;
  /** Where the local package would be. */
  localDirectory: string;
  isLocalInstalled: boolean;
}

/** A text of the catalogue. */
export interface TextReference {
  key: TextKey;
  parameters: Record<string, string | number>;
}

/** `next` says what to do where nothing can be used. */
export interface ChosenEmbedder {
  spec: EmbedderSpec;
  why: TextReference;
  next?: TextReference;
}

export function chooseEmbedder(settings: EmbedderSettings, there: EmbedderSurroundings): ChosenEmbedder {
  const { provider } = settings;
  if (provider === "none") return none("embedder.off");
  return provider === "auto" ? choose(settings, there) : take(provider, settings, there);
}

const keyedTypes: readonly KeyedType[] = ["openai", "gemini", "voyage"];
/** What `pincer auth` calls them. */
const providerNames: Record<KeyedType, string> = { openai: "openai", gemini: "google", voyage: "voyage" };

function choose(settings: EmbedderSettings, there: EmbedderSurroundings): ChosenEmbedder {
  const { model, remote = {} } = settings;
  if (remote.baseUrl) return because(take("compatible", settings, there), "embedder.auto.address");
  // Sent to the wrong provider, the key would be disclosed.
  if (remote.apiKey) return none("embedder.auto.whose-key", "embedder.auto.whose-key.next");

  const keyed = keyedTypes.find((type) => there.keys[type] && isOf(type, model));
  if (keyed)
    return because(take(keyed, settings, there), "embedder.auto.key", { embedder: dialects[keyed].name });

  const { ollama } = there;
  const found = ollama && embeddingModel(ollama.models, model);
  if (ollama && found) {
    const spec = remoteSpec("ollama", ollama.baseUrl, found, settings);
    return { spec, why: said("embedder.auto.ollama", { address: ollama.baseUrl, model: found }) };
  }
  if (model !== undefined) return none("embedder.auto.model", "embedder.auto.model.next", { model });
  if (there.isLocalInstalled) return because(take("local", settings, there), "embedder.auto.local");
  const command = localPackage.installCommand(there.localDirectory);
  return none("embedder.auto.nothing", "embedder.auto.nothing.next", { command });
}

function take(
  type: Exclude<EmbedderSpec["type"], "none">,
  settings: EmbedderSettings,
  there: EmbedderSurroundings,
): ChosenEmbedder {
  const { model, remote = {}, idleMs } = settings;
  const parameters = { embedder: type };
  const why = said("embedder.chosen", parameters);

  if (type === "local") {
    const { localDirectory: directory, isLocalInstalled } = there;
    if (isLocalInstalled) return { spec: { type, directory, idleMs }, why };
    const { diskMb } = localPackage.cost;
    const command = localPackage.installCommand(directory);
    return none("embedder.local.none", "embedder.local.none.next", { command, diskMb });
  }
  if (type === "compatible") {
    if (!remote.baseUrl || !model) return none("embedder.no-address", "embedder.no-address.next");
    return { spec: remoteSpec(type, remote.baseUrl, model, settings), why };
  }
  if (type === "ollama") {
    const baseUrl = remote.baseUrl ?? there.ollama?.baseUrl ?? dialects.ollama.baseUrl;
    // One that does not run yet may run later, and says so until then.
    const found = model ?? embeddingModel(there.ollama?.models ?? [], undefined) ?? dialects.ollama.model;
    return { spec: remoteSpec(type, baseUrl, found, settings), why };
  }
  // A known key is not sent to an address that was given for something else.
  const known = remote.baseUrl ? undefined : there.keys[type];
  const apiKey = remote.apiKey ?? known?.apiKey;
  if (!apiKey && !remote.baseUrl)
    return none("embedder.no-key", "embedder.no-key.next", { ...parameters, provider: providerNames[type] });
  const ownAddress = remote.apiKey ? undefined : known?.baseUrl;
  const baseUrl = remote.baseUrl ?? ownAddress ?? dialects[type].baseUrl;
  return { spec: { ...remoteSpec(type, baseUrl, model ?? dialects[type].model, settings), apiKey }, why };
}

function remoteSpec(
  type: keyof typeof dialects,
  baseUrl: string,
  model: string,
  { remote = {} }: EmbedderSettings,
) {
  return { type, baseUrl, model, apiKey: remote.apiKey, headers: remote.headers };
}

/** Whether the provider has a model of that name; each has any where none was asked for. */
function isOf(type: KeyedType, model: string | undefined): boolean {
  const names = {
    openai: /^text-embedding-(3|ada)/,
    gemini: /^(gemini-|text-embedding-00|embedding-0)/,
    voyage: /^voyage-/,
  };
  return model === undefined || names[type].test(model);
}

/** In the order in which they are liked. */
const embeddingModels = [
  "nomic-embed-text",
  "bge-m3",
  "mxbai-embed-large",
  "snowflake-arctic-embed",
  "embeddinggemma",
];

/** The one that was asked for, or one of those that are made for this; other models would answer too, badly. */
function embeddingModel(models: readonly string[], asked: string | undefined): string | undefined {
  const isNamed = (model: string, name: string) => model === name || model.startsWith(`${name}:`);
  if (asked !== undefined) return models.some((model) => isNamed(model, asked)) ? asked : undefined;
  const liked = embeddingModels.find((name) => models.some((model) => isNamed(model, name)));
  return liked
    ? models.find((model) => isNamed(model, liked))
    : models.find((model) => /embed|minilm/.test(model));
}

const because = (
  chosen: ChosenEmbedder,
  key: TextKey,
  parameters: TextReference["parameters"] = {},
): ChosenEmbedder => (chosen.spec.type === "none" ? chosen : { ...chosen, why: said(key, parameters) });

const said = (key: TextKey, parameters: TextReference["parameters"] = {}): TextReference => ({
  key,
  parameters,
});

const none = (
  why: TextKey,
  next?: TextKey,
  parameters: TextReference["parameters"] = {},
): ChosenEmbedder => ({
  spec: { type: "none" },
  why: said(why, parameters),
  ...(next ? { next: said(next, parameters) } : {}),
});
