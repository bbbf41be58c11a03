/** Values that are known to be secret, so that they are found wherever somebody wrote them. */
import { mask } from "./secret-keys.ts";
import type { Secrets } from "./secrets.ts";

export interface KnownSecrets {
  /** The name of a secret whose value stands somewhere in the text. */
  within(text: string): string | undefined;
  /** The text with every such value replaced by the mask. */
  hide(text: string): string;
}

export const noneKnown: KnownSecrets = { within: () => undefined, hide: (text) => text };

/** Shorter values would be found in innocent texts. */
const shortest = 6;

/** Where the secrets cannot be opened, none is known: the config can be changed and recorded all the same. */
export async function readKnownSecrets(secrets: Pick<Secrets, "values"> | undefined): Promise<KnownSecrets> {
  const values = await secrets?.values().catch(() => []);
  // Longest first, so that one that contains another is hidden whole.
  const known = (values ?? [])
    .filter(({ value }) => value.length >= shortest)
    .sort((a, b) => b.value.length - a.value.length);
  if (known.length === 0) return noneKnown;
  return {
    within: (text) => known.find(({ value }) => text.includes(value))?.name,
    hide: (text) => known.reduce((present, { value }) => present.replaceAll(value, () => mask), text),
  };
}
