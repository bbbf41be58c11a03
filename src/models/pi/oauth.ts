/**
 * The logins that pi has. Their code is loaded when somebody logs in or a token has to be renewed; pi finds its own flows by names
 * that a bundler cannot follow, so they are handed to it whole.
 */
import type { OAuthAuth, OAuthCredential } from "@earendil-works/pi-ai";
import { systemClock, type Clock } from "../../infra/clock.ts";
import type { CredentialSecret } from "../../storage/credentials/credential-secret.ts";
import { noLogin, type OAuthFlows, type RefreshOutcome } from "../credentials/oauth-flows.ts";
import type { RequestAuth } from "../wire/wire.ts";

/** By provider; each answers with pi's flow. */
type FlowLoaders = Readonly<Record<string, () => Promise<OAuthAuth | undefined>>>;

const piFlows: FlowLoaders = {
  anthropic: async () =>
    (await import("@earendil-works/pi-ai/providers/anthropic")).anthropicProvider().auth.oauth,
  "github-copilot": async () =>
    (await import("@earendil-works/pi-ai/providers/github-copilot")).githubCopilotProvider().auth.oauth,
  "kimi-coding": async () =>
    (await import("@earendil-works/pi-ai/providers/kimi-coding")).kimiCodingProvider().auth.oauth,
  meta: async () => (await import("@earendil-works/pi-ai/providers/meta")).metaProvider().auth.oauth,
  "openai-codex": async () =>
    (await import("@earendil-works/pi-ai/providers/openai-codex")).openaiCodexProvider().auth.oauth,
  openrouter: async () =>
    (await import("@earendil-works/pi-ai/providers/openrouter")).openrouterProvider().auth.oauth,
  xai: async () => (await import("@earendil-works/pi-ai/providers/xai")).xaiProvider().auth.oauth,
};

/**
 * A browser comes back to a fixed port of this machine. Somebody else's connection may have it for a moment, and
 * another login for minutes: that one is not waited for.
 */
const portTries = 20;
const portRetryMs = 500;

/** `loaders` other than pi's own are for tests. */
export function createPiOAuth(
  loaders: FlowLoaders = piFlows,
  clock: Pick<Clock, "sleep"> = systemClock,
): OAuthFlows {
  let registered: Promise<void> | undefined;

  async function flowOf(provider: string): Promise<OAuthAuth> {
    registered ??= import("@earendil-works/pi-ai/bun-oauth").then((pi) => pi.registerBunOAuthFlows());
    await registered;
    const flow = Object.hasOwn(loaders, provider) ? await loaders[provider]?.() : undefined;
    if (flow) return flow;
    throw noLogin(provider, Object.keys(loaders));
  }

  return {
    providers: Object.keys(loaders),
    has: (provider) => Object.hasOwn(loaders, provider),
    async login(provider, interaction) {
      const flow = await flowOf(provider);
      for (let left = portTries; ; left--) {
        try {
          const { type: _type, ...secret } = await flow.login(interaction);
          return secret;
        } catch (error) {
          if (!isPortTaken(error) || left === 1) throw error;
          await clock.sleep(portRetryMs, interaction.signal);
        }
      }
    },
    async refresh(provider, secret, signal): Promise<RefreshOutcome> {
      try {
        const flow = await flowOf(provider);
        const { type: _type, ...renewed } = await flow.refresh(asCredential(secret), signal);
        return { type: "renewed", secret: renewed };
      } catch (error) {
        // The words of pi's errors can hold the provider's whole answer, tokens included: none of them goes on.
        return { type: isRefusal(error) ? "refused" : "unavailable" };
      }
    },
    async toAuth(provider, secret) {
      const { apiKey, headers, baseUrl } = await (await flowOf(provider)).toAuth(asCredential(secret));
      const given = Object.entries(headers ?? {}).filter(
        (header): header is [string, string] => header[1] !== null,
      );
      const auth: RequestAuth = {};
      if (apiKey !== undefined) auth.apiKey = apiKey;
      if (given.length > 0) auth.headers = Object.fromEntries(given);
      if (baseUrl !== undefined) auth.baseUrl = baseUrl;
      return auth;
    },
  };
}

const asCredential = (secret: CredentialSecret): OAuthCredential => ({
  refresh: "",
  access: "",
  expires: 0,
  ...secret,
  type: "oauth",
});

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";

/** Whether a provider turned the token down, as opposed to not answering: the flows say it in words only. */
function isRefusal(error: unknown): boolean {
  const words = error instanceof Error ? error.message : String(error);
  const [, status] = /(?:^|status[= ]|\(|HTTP )(\d{3})\b/.exec(words) ?? [];
  if (status !== undefined) return ["400", "401", "403"].includes(status);
  return /invalid_grant|invalid_token|unauthorized|revoked|sign in again/i.test(words);
}
