/** The credentials of one tenant, over its store, its config and, where the config says so, the environment. */
import { asPincerError, PincerError } from "@pincer/sdk";
import { rememberOpened, type SecretBox } from "../../config/secret-box.ts";
import type { Secrets } from "../../config/secrets.ts";
import type { Clock } from "../../infra/clock.ts";
import { sayError } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { formatCredentialKey } from "../../storage/credentials/credential-key.ts";
import type { CredentialStore } from "../../storage/credentials/credentials.ts";
import type { SessionLeases } from "../../storage/sessions/session-lease.ts";
import type { ModelFailure } from "../model-failure.ts";
import type { RequestAuth } from "../wire/wire.ts";
import { isTable } from "./auth-profiles-file.ts";
import { afterFailure, afterSuccess, setAsideUntil } from "./credential-state.ts";
import {
  hideSecret,
  sealName,
  textIn,
  unsealSecret,
  type CredentialSecret,
} from "../../storage/credentials/credential-secret.ts";
import {
  findSources,
  providerInConfig,
  type CredentialSettings,
  type CredentialSource,
} from "./credential-sources.ts";
import type { CredentialCandidate, Credentials, CredentialWish } from "./credentials.ts";
import { readEnvironmentAuth } from "./environment-keys.ts";
import type { OAuthFlows } from "./oauth-flows.ts";
import { sortByAvailability } from "./order-credentials.ts";
import { createRenewer } from "./renew-credential.ts";

export interface CredentialParts {
  store: CredentialStore;
  tenantId: string;
  box: SecretBox;
  secrets: Pick<Secrets, "resolve">;
  /** The tenant's own, as they are now: what stands in there is the tenant's to use. */
  config(): CredentialSettings;
  environment: Readonly<Record<string, string | undefined>>;
  oauth: OAuthFlows;
  clock: Clock;
  redactor: Redactor;
  say: Say;
  leases?: Pick<SessionLeases, "hold">;
  /** Whether a provider was found to want none: a server on this machine. */
  isKeyless?(provider: string): boolean;
}

type AuthOutcome = Awaited<ReturnType<Credentials["authOf"]>>;

export function createCredentials(parts: CredentialParts): Credentials {
  const { store, clock, config } = parts;
  const box = rememberOpened(parts.box);
  const renewer = createRenewer({ ...parts, box });

  async function sourcesOf({ provider, agentId }: CredentialWish) {
    const { records, orders, uses } = await store.outlook(agentId);
    const found = findSources({
      provider,
      agentId,
      records,
      orders,
      settings: config(),
      environment: parts.environment,
      isKeyless: parts.isKeyless?.(provider) ?? false,
    });
    return { ...found, uses };
  }

  /** Where a candidate came from, so that a caller with fresh candidates need not ask again. */
  const found = new WeakMap<CredentialCandidate, CredentialSource>();

  /** The version of the stored secret that a candidate was last answered with. */
  const given = new WeakMap<CredentialCandidate, number>();

  async function sourceOf(candidate: CredentialCandidate, wish: CredentialWish) {
    const known = found.get(candidate);
    // What was stored may have been renewed meanwhile.
    if (known && known.type !== "stored") return known;
    const { sources } = await sourcesOf(wish);
    return sources.find(({ id, agentId }) => id === candidate.id && agentId === (candidate.agentId ?? null));
  }

  return {
    async candidates(wish) {
      const { sources, order, uses } = await sourcesOf(wish);
      const now = clock.now();
      const wanted = wish.only === undefined ? order : [wish.only];
      const candidates = wanted
        .flatMap((id) => sources.filter((source) => source.id === id))
        .filter((source) => !hasRunOut(source, now))
        .map((source): CredentialCandidate => {
          const use = uses.get(formatCredentialKey(source));
          const until = use && setAsideUntil(use, now);
          const { id, agentId, provider } = source;
          const candidate: CredentialCandidate = {
            id,
            provider,
            ...(agentId === null ? {} : { agentId }),
            ...(until === undefined ? {} : { cooldownUntil: until }),
            ...(until === undefined || !use?.lastError ? {} : { reason: use.lastError }),
          };
          found.set(candidate, source);
          return candidate;
        });
      return sortByAvailability(candidates);
    },

    async authOf(candidate, wish, signal) {
      const source = await sourceOf(candidate, wish);
      if (!source) return local(parts.say("auth.gone", { name: candidate.id }));
      try {
        return await authOfSource(candidate, source, signal);
      } catch (error) {
        rethrowOurs(error, signal);
        // One that cannot be opened here must not stand in the way of the others.
        return local(wordsOf(error, source));
      }
    },

    async renew(candidate, { provider }, signal) {
      const { id, agentId = null } = candidate;
      const record = await store.get({ agentId, id });
      if (record?.type !== "oauth" || record.provider !== provider) return false;
      try {
        return await renewer.replace(record, given.get(candidate) ?? record.version, signal);
      } catch (error) {
        rethrowOurs(error, signal);
        return false;
      }
    },

    async providerOf(id, agentId) {
      const record = (await store.get({ agentId, id })) ?? (await store.get({ agentId: null, id }));
      return record?.provider ?? providerInConfig(id, config());
    },

    async succeeded({ id, agentId = null, provider }) {
      if (id === "none") return; // there is nothing to know of it
      await store.noteUse({ id, agentId, provider }, (use) => afterSuccess(use, clock.now()));
    },

    async failed({ id, agentId = null, provider }, failure, { isOnly }) {
      if (id === "none") return;
      const circumstances = { now: clock.now(), isOnly, cooldowns: config().auth.cooldowns };
      const known = { ...failure, message: parts.redactor.text(failure.message) };
      await store.noteUse({ id, agentId, provider }, (use) => afterFailure(use, known, circumstances));
    },
  };

  async function authOfSource(
    candidate: CredentialCandidate,
    source: CredentialSource,
    signal: AbortSignal,
  ): Promise<AuthOutcome> {
    const { id, provider } = source;
    if (source.type === "none") return { ok: true, auth: {} };
    if (source.type === "environment") {
      // Whatever the machine is logged in with besides, in files that only the provider's own library reads.
      const auth = { ...readEnvironmentAuth(provider, parts.environment), environment: true };
      hideSecret(parts.redactor, id, auth);
      return { ok: true, auth };
    }
    if (source.type === "config") {
      const apiKey = (await parts.secrets.resolve(source.reference)).trim();
      parts.redactor.add(id, apiKey);
      return { ok: true, auth: { apiKey } };
    }
    const { record } = source;
    if (record.type !== "oauth") {
      const secret = await unsealSecret(box, sealName(parts.tenantId, record), record.sealed);
      hideSecret(parts.redactor, id, secret);
      return { ok: true, auth: plainAuth(secret) };
    }
    const renewal = await renewer.fresh(record, signal);
    if (renewal.type === "fresh") {
      given.set(candidate, renewal.version);
      try {
        return { ok: true, auth: await parts.oauth.toAuth(provider, renewal.secret) };
      } catch (error) {
        return refusal("auth", wordsOf(error, source));
      }
    }
    if (renewal.type === "unavailable")
      return refusal("unavailable", parts.say("auth.refresh-unavailable", { name: id }));
    if (renewal.type === "gone") return local(parts.say("auth.gone", { name: id }));
    return refusal("auth", parts.say("auth.refresh-refused", { name: id, provider }));
  }

  function wordsOf(error: unknown, { id, provider }: CredentialSource): string {
    if (error instanceof PincerError) {
      const { message, hint } = sayError(error, parts.say);
      return [message, hint].filter(Boolean).join(" ");
    }
    // The words of other errors can repeat what they stumbled over, which is secret.
    return parts.say("auth.unusable", { name: id, provider });
  }
}

/** What is not about any credential: that the asker has gone, and what the storage has to say. */
function rethrowOurs(error: unknown, signal: AbortSignal): void {
  if (signal.aborted || asPincerError(error).domain === "storage") throw error;
}

/** AUTH-05: a token that has run out is none. An access token that has is renewed. */
const hasRunOut = (source: CredentialSource, now: number): boolean =>
  source.type === "stored" &&
  source.record.type === "token" &&
  source.record.expiresAt !== null &&
  Date.parse(source.record.expiresAt) <= now;

/** No address and no headers: where requests go is for the config to say, not for a file that somebody brought along. */
function plainAuth(secret: CredentialSecret): RequestAuth {
  const settings = Object.entries(isTable(secret["settings"]) ? secret["settings"] : {}).filter(
    (setting): setting is [string, string] => typeof setting[1] === "string",
  );
  return {
    apiKey: (textIn(secret, "key") || textIn(secret, "token")).trim(),
    ...(settings.length === 0 ? {} : { settings: Object.fromEntries(settings) }),
  };
}

/** Trouble of this machine, which is not held against the credential. */
const local = (message: string): AuthOutcome => ({
  ok: false,
  failure: { code: "auth", message },
  local: true,
});

const refusal = (code: ModelFailure["code"], message: string): AuthOutcome => ({
  ok: false,
  failure: { code, message },
});
