/** The vendors that pi does not bring along. Another one is a record or a line here. */
import { plainServer, type Vendor } from "./vendor.ts";

type Server = Pick<Vendor, "id" | "name" | "baseUrl" | "local">;

/** A server that people run themselves, at the port that it has by default. */
const ownServer = (server: Server): Vendor => ({
  ...server,
  api: "openai-completions",
  credential: "none",
  compat: plainServer,
});

/** In the network, in OpenAI's older format, without a list of models here: `pincer models refresh` asks them. */
const hosted = (id: string, name: string, baseUrl: string): Vendor => ({
  id,
  name,
  api: "openai-completions",
  baseUrl,
  credential: "needed",
  compat: plainServer,
});

/** Turns speech into text. It has no model to talk to, so it is named among the providers and offers none. */
const deepgram: Vendor = {
  id: "deepgram",
  name: "Deepgram",
  api: "deepgram",
  baseUrl: "https://api.deepgram.com/v1",
  credential: "needed",
  serves: "speech",
};

/** Always there, and asks nobody. */
const stub: Vendor = {
  id: "stub",
  name: "Stub",
  api: "stub",
  baseUrl: "",
  credential: "none",
  models: [{ id: "stub", name: "Says that no model is connected" }],
};

export const vendors: readonly Vendor[] = [
  ownServer({
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    local: "http://127.0.0.1:11434/api/tags",
  }),
  ownServer({
    id: "lmstudio",
    name: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    local: "http://127.0.0.1:1234/v1/models",
  }),
  ownServer({ id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" }),
  ownServer({ id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" }),
  ownServer({ id: "litellm", name: "LiteLLM", baseUrl: "http://127.0.0.1:4000/v1" }),
  ownServer({ id: "copilot-proxy", name: "Copilot Proxy", baseUrl: "http://localhost:3000/v1" }),
  hosted("dashscope", "Alibaba Cloud Model Studio", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
  hosted("deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai"),
  hosted("perplexity", "Perplexity", "https://api.perplexity.ai"),
  hosted("siliconflow", "SiliconFlow", "https://api.siliconflow.cn/v1"),
  hosted("volcengine", "Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3"),
  deepgram,
  stub,
];

export const findVendor = (id: string): Vendor | undefined => vendors.find((vendor) => vendor.id === id);

/** Whether the provider is known to answer without a credential. */
export const isKeyless = (provider: string): boolean => findVendor(provider)?.credential === "none";
