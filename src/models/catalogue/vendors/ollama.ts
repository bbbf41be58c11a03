import { plainServer, type Vendor } from "./vendor.ts";

export const ollama: Vendor = {
  id: "ollama",
  name: "Ollama",
  api: "openai-completions",
  baseUrl: "http://127.0.0.1:11434/v1",
  credential: "none",
  local: "http://127.0.0.1:11434/api/tags",
  compat: plainServer,
};
