/** In the place of credentials where nobody is asked: every provider has one that opens nothing. */
import type { Credentials } from "./credentials.ts";

export const noCredentials: Credentials = {
  candidates: async ({ provider }) => [{ id: "none", provider }],
  authOf: async () => ({ ok: true, auth: { apiKey: "none" } }),
  renew: async () => false,
  providerOf: async () => undefined,
  async succeeded() {},
  async failed() {},
};
