/**
 * Which credential a request goes out with. The door that a call goes through: it asks for candidates in the order to try them, takes the
 * secret of one, and tells how it went.
 */
import type { ModelFailure } from "../model-failure.ts";
import type { RequestAuth } from "../wire/wire.ts";

export interface CredentialCandidate {
  /** Name; of a provider that needs none, `none`. */
  id: string;
  /** Whose it is, where it belongs to one agent alone. */
  agentId?: string;
  provider: string;
  /** Until when it is set aside; those come last, the first to return first. */
  cooldownUntil?: number;
  /** Why it is set aside, in the words of the failure. */
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
   * failure of code `auth` when that is refused, `unavailable` when nobody answers. Everything secret in it is known to the redactor.
   * Throws the signal's reason when it aborts, and what the storage does.
   */
  authOf(
    candidate: CredentialCandidate,
    wish: CredentialWish,
    signal: AbortSignal,
  ): Promise<{ ok: true; auth: RequestAuth } | { ok: false; failure: ModelFailure }>;
  /** It worked: whatever was held against it is forgotten. Rides with the next write. */
  succeeded(candidate: CredentialCandidate): Promise<void>;
  /** Only failures that are about the credential set it aside. `isOnly`: there is no other, so not longer than the provider asks for. */
  failed(
    candidate: CredentialCandidate,
    failure: ModelFailure,
    circumstances: { isOnly: boolean },
  ): Promise<void>;
}
