/**
 * Which credential a request uses. A call asks for candidates in order, takes the secret of one, and reports how it
 * went.
 */
import type { ModelFailure } from "../model-failure.ts";
import type { RequestAuth } from "../wire/wire.ts";

export interface CredentialCandidate {
  /** Name; of a provider that needs none, `none`. */
  id: string;
  /** Whose it is, where it belongs to one agent alone. */
  agentId?: string;
  provider: string;
  /** Until when it is on cooldown; those come last, the first to return first. */
  cooldownUntil?: number;
  /** Why it is on cooldown, in the words of the failure. */
  reason?: string;
}

export interface CredentialWish {
  provider: string;
  agentId: string;
  /** This one and no other: from `--profile`. */
  only?: string;
}

export interface Credentials {
  /** In the order to try them (AUTH-04 to 06). Empty when there is none that could be used. Throws what the storage does. */
  candidates(wish: CredentialWish): Promise<CredentialCandidate[]>;
  /**
   * What goes with the request. An access token that has run out is renewed first, by one renewer however many ask. Answers with a
   * failure of code `auth` when that is refused or the credential is of no use, `unavailable` when nobody answers. `local`: the trouble
   * is of this machine, such as a key of the secrets that does not fit, and says nothing about the credential: not to be told to
   * `failed`. Everything secret in it is known to the redactor. Throws the signal's reason when it aborts, and what the storage does.
   */
  authOf(
    candidate: CredentialCandidate,
    wish: CredentialWish,
    signal: AbortSignal,
  ): Promise<{ ok: true; auth: RequestAuth } | { ok: false; failure: ModelFailure; local?: true }>;
  /**
   * For a login whose access token was refused although it should hold: exchanges the refresh token, once for each access token and not
   * within a minute of the last exchange. True when there is another access token than the one that `authOf` gave for this candidate;
   * `authOf` then answers with it. False for what cannot be renewed. Throws as `authOf`.
   */
  renew(candidate: CredentialCandidate, wish: CredentialWish, signal: AbortSignal): Promise<boolean>;
  /** Whose a credential is that the agent can see by this name, in use or not; undefined when there is none. Throws what the storage does. */
  providerOf(id: string, agentId: string): Promise<string | undefined>;
  /** It worked: whatever was held against it is forgotten. Rides with the next write. */
  succeeded(candidate: CredentialCandidate): Promise<void>;
  /** Only failures that are about the credential set it aside. `isOnly`: there is no other, so not longer than the provider asks for. */
  failed(
    candidate: CredentialCandidate,
    failure: ModelFailure,
    circumstances: { isOnly: boolean },
  ): Promise<void>;
}
