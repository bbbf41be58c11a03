/**
 * Where the environment usually has a provider's key. Nothing is taken from there unless the config says so for that provider, or a
 * person has it stored: a key that lies around is not yet meant for us.
 */
import type { RequestAuth } from "../wire/wire.ts";
import type { CredentialSecret } from "../../storage/credentials/credential-secret.ts";

export interface EnvironmentOffer {
  provider: string;
  variable: string;
  type: "api_key" | "token";
  secret: CredentialSecret;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold a key, the first that is set counts. */
const keyVariables: Readonly<Record<string, readonly string[]>> = {
  "ant-ling": ["ANT_LING_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN"],
  "azure-openai-responses": ["AZURE_OPENAI_API_KEY"],
  baseten: ["BASETEN_API_KEY"],
  cerebras: ["CEREBRAS_API_KEY"],
  "cloudflare-ai-gateway": ["CLOUDFLARE_API_KEY"],
  "cloudflare-workers-ai": ["CLOUDFLARE_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  fireworks: ["FIREWORKS_API_KEY"],
  "github-copilot": ["COPILOT_GITHUB_TOKEN"],
  google: ["GEMINI_API_KEY"],
  "google-vertex": ["GOOGLE_CLOUD_API_KEY"],
  groq: ["GROQ_API_KEY"],
  huggingface: ["HF_TOKEN"],
  "kimi-coding": ["KIMI_API_KEY"],
  meta: ["META_API_KEY"],
  minimax: ["MINIMAX_API_KEY"],
  "minimax-cn": ["MINIMAX_CN_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  moonshotai: ["MOONSHOT_API_KEY"],
  "moonshotai-cn": ["MOONSHOT_API_KEY"],
  nvidia: ["NVIDIA_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  opencode: ["OPENCODE_API_KEY"],
  "opencode-go": ["OPENCODE_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  "qwen-token-plan": ["QWEN_TOKEN_PLAN_API_KEY"],
  "qwen-token-plan-cn": ["QWEN_TOKEN_PLAN_CN_API_KEY"],
  together: ["TOGETHER_API_KEY"],
  "vercel-ai-gateway": ["AI_GATEWAY_API_KEY"],
  xai: ["XAI_API_KEY"],
  xiaomi: ["XIAOMI_API_KEY"],
  zai: ["ZAI_API_KEY"],
  "zai-coding-cn": ["ZAI_CODING_CN_API_KEY"],
};

/** Variables that belong to a login outside of us, or to an account. */
const settingVariables: Readonly<Record<string, readonly string[]>> = {
  "amazon-bedrock": [
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
  ],
  "google-vertex": [
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "GCLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
  ],
  "azure-openai-responses": [
    "AZURE_OPENAI_BASE_URL",
    "AZURE_OPENAI_RESOURCE_NAME",
    "AZURE_OPENAI_API_VERSION",
    "AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
  ],
  "cloudflare-ai-gateway": ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID"],
  "cloudflare-workers-ai": ["CLOUDFLARE_ACCOUNT_ID"],
};

/** Those whose libraries find a login in files of the user, too. */
const findThemselves = new Set(["amazon-bedrock", "google-vertex"]);

/** The keys that lie in the environment, one offer per variable and provider. Their values are the caller's to hide. */
export function findKeysInEnvironment(environment: Environment): EnvironmentOffer[] {
  return Object.entries(keyVariables).flatMap(([provider, variables]) =>
    variables.flatMap((variable): EnvironmentOffer[] => {
      const value = environment[variable]?.trim();
      if (!value) return [];
      if (variable === "ANTHROPIC_OAUTH_TOKEN")
        return [{ provider, variable, type: "token", secret: { token: value } }];
      const settings = readEnvironmentAuth(provider, environment)?.settings;
      return [{ provider, variable, type: "api_key", secret: { key: value, ...(settings && { settings }) } }];
    }),
  );
}

/** What the environment has for a provider; undefined when that is nothing. */
export function readEnvironmentAuth(provider: string, environment: Environment): RequestAuth | undefined {
  const found = (names: readonly string[] = []) =>
    names.flatMap((name) => {
      const value = environment[name]?.trim();
      return value ? [[name, value] as const] : [];
    });
  const apiKey = found(keyVariables[provider])[0]?.[1];
  const settings = Object.fromEntries(found(settingVariables[provider]));
  if (apiKey === undefined && !findThemselves.has(provider)) return undefined;
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}
