/** Logins that providers have of their own, as far as credentials need them. */
import { failure } from "../../infra/failure.ts";
import type { RequestAuth } from "../wire/wire.ts";
import type { CredentialSecret } from "../../storage/credentials/credential-secret.ts";

export type RefreshOutcome =
  | { type: "renewed"; secret: CredentialSecret }
  /** The provider does not take this one any more: its person has to log in again. */
  | { type: "refused" }
  /** Nobody answered, or not in a way that says anything about the credential. */
  | { type: "unavailable" };

export interface OAuthFlows {
  /** Whether a person can log in there. */
  has(provider: string): boolean;
  providers: readonly string[];
  /** The secret part of a new credential. Throws what the flow throws; the signal's reason when it aborts. */
  login(provider: string, interaction: LoginInteraction): Promise<CredentialSecret>;
  /** Exchanges the refresh token, which may be of no use afterwards: call it once for each. Never throws. */
  refresh(provider: string, secret: CredentialSecret, signal: AbortSignal): Promise<RefreshOutcome>;
  /** What goes with a request. Asks nobody. */
  toAuth(provider: string, secret: CredentialSecret): Promise<RequestAuth>;
}

/** `usage/bad-argument` for a provider that has no login, which says which have. */
export const noLogin = (provider: string, providers: readonly string[]) =>
  failure(
    "usage/bad-argument",
    "auth.no-login",
    { provider, providers: providers.join(", ") },
    { hint: "auth.no-login.hint" },
  );

const loginOnly: ReadonlySet<string> = new Set(["openai-codex"]);

/** Whether the provider has a login and takes no keys. */
export const takesOnlyLogin = (provider: string): boolean => loginOnly.has(provider);

export type LoginPrompt = { signal?: AbortSignal; message: string } & (
  | { type: "text" | "secret" | "manual_code"; placeholder?: string }
  | { type: "select"; options: ReadonlyArray<{ id: string; label: string; description?: string }> }
);

export type LoginEvent =
  | { type: "info"; message: string; links?: ReadonlyArray<{ url: string; label?: string }> }
  | { type: "auth_url"; url: string; instructions?: string }
  | { type: "device_code"; userCode: string; verificationUri: string }
  | { type: "progress"; message: string };

/** How a flow speaks with the person who logs in. */
export interface LoginInteraction {
  signal: AbortSignal;
  /** What was entered, or the id of what was chosen. Rejects when it is cancelled. */
  prompt(prompt: LoginPrompt): Promise<string>;
  notify(event: LoginEvent): void;
}
