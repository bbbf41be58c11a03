import { plainServer, type Vendor } from "./vendor.ts";

export const lmstudio: Vendor = {
  id: "lmstudio",
  name: "LM Studio",
  api: "openai-completions",
  baseUrl: "http://127.0.0.1:1234/v1",
  credential: "none",
  local: "http://127.0.0.1:1234/v1/models",
  compat: plainServer,
};
