/** What a success and a failure change in what is known of a credential, and what follows from that. */
import type { CredentialUse } from "../../storage/credentials/credentials.ts";
import type { ModelFailure } from "../model-failure.ts";
import type { Config } from "../../config/schema.ts";

/** AUTH-07: whatever was held against it is forgotten. */
export const afterSuccess = (_use: CredentialUse, now: number): CredentialUse => ({
  lastUsedAt: textOf(now),
  errorCount: 0,
  billingCount: 0,
  cooldownUntil: null,
  disabledUntil: null,
  disabledReason: null,
  lastError: null,
  lastErrorAt: null,
});

export interface FailureCircumstances {
  now: number;
  /** There is no other, so its cooldown is no longer than the provider asks for. */
  isOnly: boolean;
  cooldowns: CooldownSettings;
}

/** AUTH-08. A failure that says nothing about the credential changes nothing: a bad request fails with any. */
export function afterFailure(
  use: CredentialUse,
  failure: ModelFailure,
  circumstances: FailureCircumstances,
): CredentialUse {
  const { now, cooldowns } = circumstances;
  if (isUnknown(failure) && setAsideUntil(use, now) === undefined)
    return { ...use, lastError: `unknown: ${failure.message || failure.code}`, lastErrorAt: textOf(now) };
  if (!isAboutCredential(failure)) return use;
  const noted = { ...use, lastError: failure.message || failure.code, lastErrorAt: textOf(now) };
  if (failure.code === "billing") {
    // Requests that were under way together fail together: that is one failure, not many.
    const billingCount = use.billingCount + (isLater(use.disabledUntil, now) ? 0 : 1);
    const pause = pauseAfter(failure, billingPauseMs(billingCount, cooldowns), circumstances);
    return {
      ...noted,
      billingCount,
      errorCount: use.errorCount + (billingCount > use.billingCount ? 1 : 0),
      disabledUntil: laterOf(use.disabledUntil, now, pause),
      disabledReason: failure.code,
    };
  }
  const errorCount = use.errorCount + (isLater(use.cooldownUntil, now) ? 0 : 1);
  const pause = pauseAfter(failure, cooldownMs(errorCount, cooldowns), circumstances);
  return { ...noted, errorCount, cooldownUntil: laterOf(use.cooldownUntil, now, pause) };
}

/** Until when it is on cooldown; undefined when it can be used. */
export function setAsideUntil(use: CredentialUse, now: number): number | undefined {
  const until = Math.max(momentOf(use.cooldownUntil), momentOf(use.disabledUntil));
  // It failed at a time that is yet to come: the clock was set back since, and nobody knows how much of the pause is left.
  const isFromLater = momentOf(use.lastErrorAt) > now + clockDriftMs;
  return until > now && !isFromLater ? until : undefined;
}

/** Clocks that are corrected a little do not count as set. */
const clockDriftMs = 1000;

const isAboutCredential = ({ code }: ModelFailure): boolean =>
  code === "auth" || code === "billing" || code === "rate_limit" || code === "timeout";

/** The provider's own trouble: it is noted, and no reason to set a credential aside. */
const isUnknown = ({ code, status }: ModelFailure): boolean =>
  (code === "unavailable" || code === "unknown") && status !== undefined && status >= 500;

/** At least what the provider asks for, but no provider locks a credential out for longer than lack of money does. */
function pauseAfter(
  { code, retryAfterMs }: ModelFailure,
  usual: number,
  { isOnly, cooldowns }: FailureCircumstances,
): number {
  const asked = Math.min(Math.max(0, retryAfterMs ?? 0), cooldowns.billingMaxMs);
  if (!isOnly) return Math.max(usual, asked);
  return code === "timeout" ? 0 : asked;
}

const isLater = (until: string | null, now: number): boolean => momentOf(until) > now;

function laterOf(present: string | null, now: number, pauseMs: number): string | null {
  const until = Math.max(momentOf(present), pauseMs > 0 ? now + pauseMs : 0);
  return until > 0 ? textOf(until) : null;
}

const momentOf = (time: string | null): number => (time === null ? 0 : Date.parse(time));
const textOf = (ms: number): string => new Date(ms).toISOString();

type CooldownSettings = Config["auth"]["cooldowns"];

/** AUTH-09. `errorCount` is 1 after the first failure. */
export const cooldownMs = (errorCount: number, { baseMs, factor, maxMs }: CooldownSettings): number =>
  growing(errorCount, baseMs, factor, maxMs);

/** AUTH-10: for lack of money or quota, which passes less soon. */
export const billingPauseMs = (
  billingCount: number,
  { billingBaseMs, billingFactor, billingMaxMs }: CooldownSettings,
): number => growing(billingCount, billingBaseMs, billingFactor, billingMaxMs);

const growing = (count: number, base: number, factor: number, most: number): number =>
  count < 1 ? 0 : Math.min(most, base * factor ** (count - 1));
