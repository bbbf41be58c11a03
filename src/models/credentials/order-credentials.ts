/** Which credentials of a provider are tried, and in which order. */

export interface OrderSources {
  /** A person's, set by command: of the agent, else of all. */
  stored: readonly string[] | undefined;
  /** `auth.order` of the config. */
  configured: readonly string[] | undefined;
  /** `auth.profiles` of the config that are for this provider. */
  profiles: readonly string[];
  /** All that are stored for this provider. */
  all: readonly string[];
}

/** AUTH-04: the first that names anything that is there. One of which nothing is left says nothing any more. */
export function resolveOrder(
  { stored, configured, profiles, all }: OrderSources,
  exists: (id: string) => boolean,
): string[] {
  const named = [stored, configured, profiles].find((ids) => ids?.some(exists));
  return [...new Set(named ?? all)].filter(exists);
}

/** AUTH-06: those that can be used first, as they stand; then those on cooldown, the first to return first. */
export function sortByAvailability<Candidate extends { cooldownUntil?: number }>(
  candidates: readonly Candidate[],
): Candidate[] {
  const until = ({ cooldownUntil }: Candidate) => cooldownUntil ?? 0;
  return candidates.toSorted((one, other) => until(one) - until(other));
}
