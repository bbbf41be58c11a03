/** Servers that people run themselves, at the port that each has by default. */
import { plainServer, type Vendor } from "./vendor.ts";

const server = (id: string, name: string, baseUrl: string): Vendor => ({
  id,
  name,
  api: "openai-completions",
  baseUrl,
  credential: "none",
  compat: plainServer,
});

export const ownServers: readonly Vendor[] = [
  server("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
  server("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
  server("litellm", "LiteLLM", "http://127.0.0.1:4000/v1"),
  server("copilot-proxy", "Copilot Proxy", "http://localhost:3000/v1"),
];
