/** The order in which models and credentials are tried. Pure. */
import type { CredentialView } from "@pincer/sdk";

/** The list with one item a place earlier (-1) or later (1); as it was where there is no such place. */
export function moved<Item>(list: readonly Item[], index: number, step: -1 | 1): Item[] {
  const other = index + step;
  const [item, neighbour] = [list[index], list[other]];
  if (item === undefined || neighbour === undefined) return [...list];
  return list.with(index, neighbour).with(other, item);
}

/** What the config says who answers. */
export interface ModelChoice {
  primary: string | undefined;
  fallbacks: string[];
}

/** In the order of trying: the first is the primary. */
export const choiceOf = (references: readonly string[]): ModelChoice => ({
  primary: references[0],
  fallbacks: references.slice(1),
});

/** First from now on; what was first is tried next. */
export const usedFirst = (references: readonly string[], reference: string): string[] => [
  reference,
  ...references.filter((each) => each !== reference),
];

export const usedLast = (references: readonly string[], reference: string): string[] =>
  references.includes(reference) ? [...references] : [...references, reference];

export interface ProviderCredentials {
  provider: string;
  /** In the order of trying; those that are not tried come last. */
  credentials: CredentialView[];
  /** Ids that are tried, in order: what `auth.order` takes. */
  order: string[];
}

export function byProvider(credentials: readonly CredentialView[]): ProviderCredentials[] {
  const groups = Map.groupBy(credentials, ({ provider }) => provider);
  return [...groups].map(([provider, all]) => {
    const inOrder = all.toSorted((one, other) => (one.position ?? Infinity) - (other.position ?? Infinity));
    return {
      provider,
      credentials: inOrder,
      order: inOrder.filter(({ position }) => position !== null).map(({ id }) => id),
    };
  });
}

/** Only what a browser opens as a page: never a script. Undefined for anything else. */
export function webAddress(text: string): string | undefined {
  const address = URL.parse(text);
  return address && (address.protocol === "https:" || address.protocol === "http:")
    ? address.href
    : undefined;
}
