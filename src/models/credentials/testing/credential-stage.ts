/** Credentials over stores in memory, with a provider of logins whose refresh tokens are good for one exchange. */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { defaultConfig } from "../../../config/default-config.ts";
import { createSecretBox, type SecretBox } from "../../../config/secret-box.ts";
import { createIds } from "../../../infra/ids.ts";
import { createRedactor, type Redactor } from "../../../infra/redactor.ts";
import { createSay } from "../../../infra/texts.ts";
import { createMemoryStores } from "../../../storage/memory-stores.ts";
import { createSessionLeases } from "../../../storage/sessions/session-lease.ts";
import type { CredentialDraft } from "../../../storage/credentials/credentials.ts";
import type { Stores } from "../../../storage/storage.ts";
import { createCredentials } from "../create-credentials.ts";
import {
  expiresAtOf,
  sealName,
  sealSecret,
  type CredentialSecret,
} from "../../../storage/credentials/credential-secret.ts";
import type { CredentialSettings } from "../credential-sources.ts";
import type { Credentials } from "../credentials.ts";
import type { OAuthFlows } from "../oauth-flows.ts";

export interface FakeLogins extends OAuthFlows {
  /** Refresh tokens that were handed in, in order. */
  exchanged: string[];
  /** Let a waiting exchange go on; until then it hangs. */
  hold(): () => void;
  isDown: boolean;
}

/** Knows `refresh-0`; each exchange makes the next one valid and the former one invalid, for good. */
export function createFakeLogins(clock: HandClock): FakeLogins {
  let valid = 0;
  let gate: Promise<void> = Promise.resolve();
  const logins: FakeLogins = {
    exchanged: [],
    isDown: false,
    providers: ["openai-codex"],
    has: (provider) => provider === "openai-codex",
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async login() {
      return { refresh: `refresh-${valid}`, access: "access-login", expires: clock.now() + 3_600_000 };
    },
    async refresh(_provider, secret) {
      logins.exchanged.push(String(secret["refresh"]));
      await gate;
      if (logins.isDown) return { type: "unavailable" };
      if (secret["refresh"] !== `refresh-${valid}`) return { type: "refused" };
      valid += 1;
      const renewed = {
        refresh: `refresh-${valid}`,
        access: `access-${valid}`,
        expires: clock.now() + 3_600_000,
      };
      return { type: "renewed", secret: renewed };
    },
    toAuth: async (_provider, secret) => ({ apiKey: String(secret["access"]) }),
  };
  return logins;
}

export interface CredentialStage {
  clock: HandClock;
  stores: Stores;
  box: SecretBox;
  redactor: Redactor;
  logins: FakeLogins;
  settings: CredentialSettings;
  environment: Record<string, string | undefined>;
  secrets: Map<string, string>;
  keyless: Set<string>;
  /** The same home as seen by one more process. */
  open(processId?: string, tenantId?: string): Credentials;
  put(id: string, provider: string, secret: CredentialSecret, more?: Partial<CredentialDraft>): Promise<void>;
}

export function createCredentialStage(): CredentialStage {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) });
  const key = Buffer.alloc(32, 7);
  const tenant = "t_default";
  const stage: CredentialStage = {
    clock,
    stores,
    box: createSecretBox(async () => key),
    redactor: createRedactor(),
    logins: createFakeLogins(clock),
    settings: structuredClone(defaultConfig),
    environment: {},
    secrets: new Map(),
    keyless: new Set(),
    open: (processId = "one", tenantId = tenant) =>
      createCredentials({
        store: stores.tenant(tenantId).credentials,
        tenantId,
        box: stage.box,
        secrets: { resolve: async (reference) => stage.secrets.get(reference) ?? reference },
        config: () => stage.settings,
        environment: stage.environment,
        oauth: stage.logins,
        clock,
        redactor: stage.redactor,
        say: createSay("en"),
        leases: createSessionLeases({
          leases: stores.tenant(tenantId).leases,
          clock,
          holder: { id: processId, pid: 1, host: "here", processStart: "1" },
          isAlive: () => true,
          random: () => 0,
        }),
        isKeyless: (provider) => stage.keyless.has(provider),
      }),
    async put(id, provider, secret, more = {}) {
      const agentId = more.agentId ?? null;
      await stores.tenant(tenant).credentials.put({
        id,
        agentId,
        provider,
        type: "api_key",
        label: null,
        expiresAt: expiresAtOf(secret),
        source: "login",
        sealed: await sealSecret(stage.box, sealName(tenant, { agentId, id }), secret),
        ...more,
      });
    },
  };
  return stage;
}
