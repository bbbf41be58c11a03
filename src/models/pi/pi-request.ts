/**
 * The model and the options that a request goes out with. Sealed: the libraries below would take keys, organisations and addresses from
 * the environment, and a tenant must not ask with what belongs to the operator.
 */
import type { SimpleStreamOptions } from "@earendil-works/pi-ai";
import type { ModelRecord, ThinkingLevel } from "../model-record.ts";
import { estimateInput } from "../wire/usage.ts";
import type { RequestAuth, WireRequest } from "../wire/wire.ts";
import type { PiModel } from "./load-api.ts";

export interface WireSettings {
  maxArgumentsBytes: number;
  cacheRetention: "none" | "short" | "long";
}

/** What stands where there is no key: the libraries look into the environment for a missing one only. */
const noKey = "none";

/** The longest that a timer can run. Some libraries have a timeout of their own, one as short as a minute for the whole answer. */
const noTimeoutMs = 2 ** 31 - 1;

/** Whether a header says no more than that. */
export const isPlaceholder = (value: string): boolean => value === noKey || value === `Bearer ${noKey}`;

/** Whether the key can go into a header: what was copied from a page may hold a dash or an ellipsis that no header takes. */
export const canBeSent = ({ apiKey = "", headers = {} }: RequestAuth): boolean =>
  // oxlint-disable-next-line no-control-regex -- those that HTTP forbids
  [apiKey, ...Object.values(headers)].every((value) => !/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value.trim()));

export function toPiModel(
  record: ModelRecord,
  auth: RequestAuth,
  request: Pick<WireRequest, "systemPrompt" | "messages" | "tools" | "maxTokens">,
): PiModel {
  return {
    ...record,
    ...withoutDetours(record),
    baseUrl: addressOf(record, auth),
    // The library would put the thinking on top of the room for the answer, up to this limit.
    maxTokens: answerRoom(record, request),
    // Zero: the library leaves the limit of the answer alone. It would go down to one token where the window is only assumed.
    contextWindow: 0,
  } as PiModel;
}

/**
 * What a model is said to do so that the library leaves a context alone that needs nothing done: its one system message stands at the
 * beginning already, and images that the model does not see have become words.
 */
function withoutDetours({ api, compat }: ModelRecord): Partial<ModelRecord> {
  if (api !== "openai-completions") return {};
  return { input: everything, compat: { ...compat, supportsMidConvoSystemMessages: true } };
}

const everything: ModelRecord["input"] = ["text", "image"];

/** Some addresses have a place for an account: `{CLOUDFLARE_ACCOUNT_ID}`. */
const addressOf = (record: ModelRecord, { baseUrl = record.baseUrl, settings = {} }: RequestAuth): string =>
  baseUrl.replaceAll(/\{([A-Z_]+)\}/g, (place, name: string) => settings[name] ?? place);

export interface PiOptionsParts {
  record: ModelRecord;
  auth: RequestAuth;
  request: WireRequest;
  settings: WireSettings;
  fetch: typeof globalThis.fetch | undefined;
  signal: AbortSignal;
  environment: NodeJS.ProcessEnv;
  /** How long the answer may be, as the model says that was made of the same request; left out, it is found again. */
  room?: number;
  onPayload?: ((payload: unknown) => unknown) | undefined;
}

export function toPiOptions(parts: PiOptionsParts): SimpleStreamOptions {
  const { record, auth, request, settings, fetch, signal, environment, onPayload } = parts;
  const apiKey = keyOf(record.api, auth, environment);
  const { room = answerRoom(record, request) } = parts;
  return {
    signal,
    maxRetries: 0,
    timeoutMs: noTimeoutMs,
    transport: "sse",
    maxTokens: room,
    cacheRetention: settings.cacheRetention,
    headers: headersOf(record, auth, { apiKey, environment }),
    env: environmentOf(record, auth, apiKey),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(fetch ? { fetch } : {}),
    ...(onPayload ? { onPayload } : {}),
    ...(request.cacheKey === undefined ? {} : { sessionId: request.cacheKey }),
    ...(record.reasoning ? thinkingWithin(room, request.thinking) : {}),
  };
}

/** Providers require at least this; the same is left for the answer. */
const leastThinking = 1024;
/** As the library has them where the vendor has none of its own; vendors go up to twice the most. */
const thinkingBudgets = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 };

/** Thinking shares the room with the answer: where there is too little for both, there is none. */
function thinkingWithin(
  room: number,
  level: ThinkingLevel,
): Pick<SimpleStreamOptions, "reasoning" | "thinkingBudgets"> {
  const most = room - leastThinking;
  if (level === "off" || most < leastThinking + 50) return {};
  if (most >= 2 * thinkingBudgets.high) return { reasoning: level };
  const within = Object.entries(thinkingBudgets).map(([name, tokens]) => [name, Math.min(tokens, most)]);
  return { reasoning: level, thinkingBudgets: Object.fromEntries(within) };
}

const safetyTokens = 4096;
const leastTokens = 1024;

/** As much as was asked for, as far as the window has room beside the question. */
function answerRoom(
  record: ModelRecord,
  request: Pick<WireRequest, "systemPrompt" | "messages" | "tools" | "maxTokens">,
): number {
  const wished = request.maxTokens ?? record.maxTokens;
  const room = record.contextWindow - estimateInput(request) - safetyTokens;
  return Math.min(wished, Math.max(leastTokens, room));
}

/** Undefined where the credential is something else than a key. */
function keyOf(api: string, auth: RequestAuth, environment: NodeJS.ProcessEnv): string | undefined {
  if (auth.apiKey) return auth.apiKey;
  if (hasLogin(api, auth, environment)) return undefined;
  const hasOwn = Object.keys(auth.headers ?? {}).some((name) => /^(authorization|x-api-key)$/i.test(name));
  // Only there a made-up key would go out beside the header that counts.
  return hasOwn && api === "anthropic-messages" ? undefined : noKey;
}

function hasLogin(
  api: string,
  { environment: mayUseMachine = false, settings = {} }: RequestAuth,
  environment: NodeJS.ProcessEnv,
): boolean {
  if (api === "google-vertex")
    return mayUseMachine || settings["GOOGLE_APPLICATION_CREDENTIALS"] !== undefined;
  if (api !== "bedrock-converse-stream") return false;
  const token = "AWS_BEARER_TOKEN_BEDROCK";
  // The library would prefer a token of the environment to a login that was given.
  if (!mayUseMachine && environment[token] !== undefined && settings[token] === undefined) return false;
  return mayUseMachine || [token, "AWS_PROFILE", "AWS_ACCESS_KEY_ID"].some((name) => settings[name]);
}

function headersOf(
  record: ModelRecord,
  auth: RequestAuth,
  { apiKey, environment }: { apiKey: string | undefined; environment: NodeJS.ProcessEnv },
): Record<string, string | null> {
  const own = new Set<string>();
  for (const name in record.headers) own.add(name.toLowerCase());
  for (const name in auth.headers) own.add(name.toLowerCase());
  const keyName = record.api === "anthropic-messages" ? "x-api-key" : "authorization";
  const headers: Record<string, string | null> = {};
  for (const name of ambientHeaders(environment)) {
    const lower = name.toLowerCase();
    if (!own.has(lower)) headers[name] = lower === keyName && apiKey ? keyHeader(record.api, apiKey) : null;
  }
  if (!own.has("user-agent")) headers["User-Agent"] = "pincer";
  return { ...headers, ...auth.headers };
}

const keyHeader = (api: string, apiKey: string): string =>
  api === "anthropic-messages" ? apiKey : `Bearer ${apiKey}`;

/** Headers that the libraries of OpenAI and Anthropic would add from the environment. */
function ambientHeaders(environment: NodeJS.ProcessEnv): readonly string[] {
  const { OPENAI_CUSTOM_HEADERS: openai = "", ANTHROPIC_CUSTOM_HEADERS: anthropic = "" } = environment;
  if (openai === "" && anthropic === "") return alwaysAdded;
  const custom = `${openai}\n${anthropic}`;
  const names = custom.split("\n").map((line) => line.slice(0, Math.max(0, line.indexOf(":"))).trim());
  const added = names.filter((name) => name !== "" && !/^(?:content-type|accept|anthropic-)/i.test(name));
  return [...alwaysAdded, ...added];
}

const alwaysAdded: readonly string[] = ["OpenAI-Organization", "OpenAI-Project"];

/** What the library would look up in the environment where it is not given here; an empty text would count as not given. */
function environmentOf(
  record: ModelRecord,
  auth: RequestAuth,
  apiKey: string | undefined,
): Record<string, string> {
  const own = auth.settings ?? {};
  if (record.api === "azure-openai-responses") {
    const resource = own["AZURE_OPENAI_RESOURCE_NAME"];
    const ofResource = resource && `https://${resource}.openai.azure.com/openai/v1`;
    const sealed = {
      AZURE_OPENAI_BASE_URL: (ofResource ?? addressOf(record, auth)) || "https://address-not-set.invalid",
      AZURE_OPENAI_API_VERSION: "v1",
      AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "none=none",
    };
    return { ...sealed, ...own };
  }
  if (record.api === "bedrock-converse-stream" && apiKey !== undefined) {
    const sealed = { AWS_ACCESS_KEY_ID: noKey, AWS_SECRET_ACCESS_KEY: noKey, AWS_SESSION_TOKEN: noKey };
    return { ...own, ...sealed };
  }
  return own;
}
