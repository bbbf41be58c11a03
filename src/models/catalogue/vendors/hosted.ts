/** Vendors in the network that speak OpenAI's older format and have no list of models here: `pincer models refresh` asks them. */
import { plainServer, type Vendor } from "./vendor.ts";

const vendor = (id: string, name: string, baseUrl: string): Vendor => ({
  id,
  name,
  api: "openai-completions",
  baseUrl,
  credential: "needed",
  compat: plainServer,
});

export const hostedVendors: readonly Vendor[] = [
  vendor("dashscope", "Alibaba Cloud Model Studio", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
  vendor("deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai"),
  vendor("perplexity", "Perplexity", "https://api.perplexity.ai"),
  vendor("siliconflow", "SiliconFlow", "https://api.siliconflow.cn/v1"),
  vendor("volcengine", "Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3"),
];
