/**
 * The models that pi knows, one file of data per provider. Each is loaded when somebody asks for that provider: all of them together
 * are most of a megabyte. The imports are written out, so that a bundler finds them.
 */
import type { ModelRecord } from "../model-record.ts";

export interface BuiltInProvider {
  id: string;
  name: string;
  /** What the provider's name alone means; otherwise the first of the data. */
  first?: string;
  load(): Promise<object>;
}

/** By id. Throws nothing; an unknown provider has no models. */
export async function loadBuiltInModels(provider: string): Promise<ModelRecord[]> {
  const known = builtInProviders.find(({ id }) => id === provider);
  if (!known) return [];
  // Each module has one export, the models by id; its name is different in each.
  const [models] = Object.values(await known.load()) as Array<Record<string, ModelRecord>>;
  return Object.values(models ?? {}).map((model) => toRecord(provider, model));
}

/** Only what we read: the data holds more, and may hold anything tomorrow. */
const toRecord = (provider: string, model: ModelRecord): ModelRecord => ({
  provider,
  id: model.id,
  name: model.name,
  api: model.api,
  baseUrl: model.baseUrl,
  reasoning: model.reasoning,
  input: model.input,
  contextWindow: model.contextWindow,
  maxTokens: model.maxTokens,
  cost: model.cost,
  ...(model.headers ? { headers: model.headers } : {}),
  ...(model.thinkingLevelMap ? { thinkingLevelMap: model.thinkingLevelMap } : {}),
  ...(model.compat ? { compat: model.compat } : {}),
});

export const builtInProviders: readonly BuiltInProvider[] = [
  {
    id: "amazon-bedrock",
    name: "Amazon Bedrock",
    first: "amazon.nova-lite-v1:0",
    load: () => import("@earendil-works/pi-ai/providers/amazon-bedrock.models"),
  },
  { id: "ant-ling", name: "Ant Ling", load: () => import("@earendil-works/pi-ai/providers/ant-ling.models") },
  {
    id: "anthropic",
    name: "Anthropic",
    first: "claude-sonnet-5",
    load: () => import("@earendil-works/pi-ai/providers/anthropic.models"),
  },
  {
    id: "azure-openai-responses",
    name: "Azure OpenAI",
    first: "gpt-5.5",
    load: () => import("@earendil-works/pi-ai/providers/azure-openai-responses.models"),
  },
  { id: "baseten", name: "Baseten", load: () => import("@earendil-works/pi-ai/providers/baseten.models") },
  { id: "cerebras", name: "Cerebras", load: () => import("@earendil-works/pi-ai/providers/cerebras.models") },
  {
    id: "cloudflare-ai-gateway",
    name: "Cloudflare AI Gateway",
    load: () => import("@earendil-works/pi-ai/providers/cloudflare-ai-gateway.models"),
  },
  {
    id: "cloudflare-workers-ai",
    name: "Cloudflare Workers AI",
    load: () => import("@earendil-works/pi-ai/providers/cloudflare-workers-ai.models"),
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    first: "deepseek-flash",
    load: () => import("@earendil-works/pi-ai/providers/deepseek.models"),
  },
  {
    id: "fireworks",
    name: "Fireworks",
    load: () => import("@earendil-works/pi-ai/providers/fireworks.models"),
  },
  {
    id: "github-copilot",
    name: "GitHub Copilot",
    first: "gpt-5-mini",
    load: () => import("@earendil-works/pi-ai/providers/github-copilot.models"),
  },
  {
    id: "google-vertex",
    name: "Google Vertex AI",
    first: "gemini-2.5-flash",
    load: () => import("@earendil-works/pi-ai/providers/google-vertex.models"),
  },
  {
    id: "google",
    name: "Google Gemini",
    first: "gemini-flash-latest",
    load: () => import("@earendil-works/pi-ai/providers/google.models"),
  },
  {
    id: "groq",
    name: "Groq",
    first: "llama-3.3-70b-versatile",
    load: () => import("@earendil-works/pi-ai/providers/groq.models"),
  },
  {
    id: "huggingface",
    name: "Hugging Face",
    load: () => import("@earendil-works/pi-ai/providers/huggingface.models"),
  },
  {
    id: "kimi-coding",
    name: "Kimi For Coding",
    load: () => import("@earendil-works/pi-ai/providers/kimi-coding.models"),
  },
  { id: "meta", name: "Meta", load: () => import("@earendil-works/pi-ai/providers/meta.models") },
  {
    id: "minimax-cn",
    name: "MiniMax CN",
    load: () => import("@earendil-works/pi-ai/providers/minimax-cn.models"),
  },
  { id: "minimax", name: "MiniMax", load: () => import("@earendil-works/pi-ai/providers/minimax.models") },
  {
    id: "mistral",
    name: "Mistral",
    first: "mistral-large-latest",
    load: () => import("@earendil-works/pi-ai/providers/mistral.models"),
  },
  {
    id: "moonshotai-cn",
    name: "Moonshot AI CN",
    load: () => import("@earendil-works/pi-ai/providers/moonshotai-cn.models"),
  },
  {
    id: "moonshotai",
    name: "Moonshot AI",
    load: () => import("@earendil-works/pi-ai/providers/moonshotai.models"),
  },
  { id: "nvidia", name: "NVIDIA", load: () => import("@earendil-works/pi-ai/providers/nvidia.models") },
  {
    id: "openai-codex",
    name: "OpenAI Codex (ChatGPT)",
    first: "gpt-5.5",
    load: () => import("@earendil-works/pi-ai/providers/openai-codex.models"),
  },
  {
    id: "openai",
    name: "OpenAI",
    first: "gpt-5.5",
    load: () => import("@earendil-works/pi-ai/providers/openai.models"),
  },
  {
    id: "opencode-go",
    name: "OpenCode Go",
    load: () => import("@earendil-works/pi-ai/providers/opencode-go.models"),
  },
  {
    id: "opencode",
    name: "OpenCode Zen",
    load: () => import("@earendil-works/pi-ai/providers/opencode.models"),
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    first: "anthropic/claude-sonnet-5",
    load: () => import("@earendil-works/pi-ai/providers/openrouter.models"),
  },
  {
    id: "qwen-token-plan-cn",
    name: "Qwen Token Plan CN",
    load: () => import("@earendil-works/pi-ai/providers/qwen-token-plan-cn.models"),
  },
  {
    id: "qwen-token-plan-individual",
    name: "Qwen Token Plan Individual",
    load: () => import("@earendil-works/pi-ai/providers/qwen-token-plan-individual.models"),
  },
  {
    id: "qwen-token-plan",
    name: "Qwen Token Plan",
    load: () => import("@earendil-works/pi-ai/providers/qwen-token-plan.models"),
  },
  { id: "radius", name: "Radius", load: () => import("@earendil-works/pi-ai/providers/radius.models") },
  { id: "together", name: "Together", load: () => import("@earendil-works/pi-ai/providers/together.models") },
  {
    id: "vercel-ai-gateway",
    name: "Vercel AI Gateway",
    load: () => import("@earendil-works/pi-ai/providers/vercel-ai-gateway.models"),
  },
  {
    id: "xai",
    name: "xAI",
    first: "grok-4.5",
    load: () => import("@earendil-works/pi-ai/providers/xai.models"),
  },
  {
    id: "xiaomi-token-plan-ams",
    name: "Xiaomi Token Plan AMS",
    load: () => import("@earendil-works/pi-ai/providers/xiaomi-token-plan-ams.models"),
  },
  {
    id: "xiaomi-token-plan-cn",
    name: "Xiaomi Token Plan CN",
    load: () => import("@earendil-works/pi-ai/providers/xiaomi-token-plan-cn.models"),
  },
  {
    id: "xiaomi-token-plan-sgp",
    name: "Xiaomi Token Plan SGP",
    load: () => import("@earendil-works/pi-ai/providers/xiaomi-token-plan-sgp.models"),
  },
  { id: "xiaomi", name: "Xiaomi", load: () => import("@earendil-works/pi-ai/providers/xiaomi.models") },
  {
    id: "zai-coding-cn",
    name: "Z.AI Coding CN",
    load: () => import("@earendil-works/pi-ai/providers/zai-coding-cn.models"),
  },
  { id: "zai", name: "Z.AI", load: () => import("@earendil-works/pi-ai/providers/zai.models") },
];
