/** Finds web addresses in texts and normalises them. */

const written = /\bhttps?:\/\/[^\s<>"'`\\|^{}（）【】「」《》，。；]+/giu;
const bareHost =
  /(?<![\w@/.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s<>"'`，。]*)?/giu;

/** Every full address in a text, normalised. Pure. */
export function addressesIn(text: string): Set<string> {
  const found = (text.match(written) ?? []).flatMap((each) => [each, each.replace(/[).,;:!?*_\]]+$/u, "")]);
  return new Set(found.flatMap((each) => sameAddress(each) ?? []));
}

/** As people write them, also without a scheme. Pure. */
export function spokenAddressesIn(text: string): Set<string> {
  const bare = (text.match(bareHost) ?? []).flatMap((each) => {
    const plain = each.replace(/[).,;:!?]+$/u, "");
    return [`https://${plain}`, `http://${plain}`];
  });
  return new Set([...addressesIn(text), ...bare.flatMap((each) => sameAddress(each) ?? [])]);
}

/**
 * Equal for addresses of the same resource: drops the fragment, which is never sent, and the last slash. Undefined if
 * it is no address.
 */
export function sameAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  url.hash = "";
  return url.href.replace(/\/$/u, "");
}

const secondLevel = new Set(["co", "com", "org", "net", "gov", "edu", "ac", "or", "ne", "go"]);

/** The registrable domain of a host. */
export function registeredOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/u, "").split(".");
  const [last = "", second = ""] = labels.toReversed();
  const count = last.length === 2 && secondLevel.has(second) ? 3 : 2;
  return labels.slice(-count).join(".");
}

export const hostMatches = (host: string, pattern: string): boolean => {
  const wanted = pattern.toLowerCase().replace(/:\d+$/u, "");
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
};
