/**
 * Screens and networks fetch pictures and previews in answers by themselves. An address that could leak something is
 * made readable but not fetchable.
 */

const picture = /!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)/gu;
const address = /\b(https?):\/\/([^\s<>"'`\]]+)/giu;
/** Networks treat these as addresses, too. */
const bareAddress =
  /(?<![\w@/.:-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,12}(?![\w.-])(?::\d+)?(?:[/?#][^\s<>"'`\]]+)?/giu;

/** Whether the text contains anything that a screen might fetch. Pure. */
export const holdsAddress = (text: string): boolean => text.includes("![") || allAddresses(text).length > 0;

/** Pure. */
export const allAddresses = (text: string): string[] => [
  ...(text.match(address) ?? []),
  ...(text.match(bareAddress) ?? []).map((each) => `http://${each}`),
];

/** Addresses that a screen might fetch by itself and that could leak something. Pure. */
export const tellingAddresses = (text: string): string[] =>
  [...(text.match(address) ?? []), ...(text.match(bareAddress) ?? []).map((each) => `http://${each}`)].filter(
    carries,
  );

/** `mayShow`: whether the address may be fetched automatically. Pure. */
export function guardReply(
  text: string,
  mayShow: (address: string) => boolean,
  mayName: (address: string) => boolean = () => true,
): string {
  if (!holdsAddress(text)) return text;
  const known = new Map<string, boolean>();
  const isFree = (url: string): boolean => {
    const plain = url.replace(/[).,;:!?*_]+$/u, "");
    const found = known.get(plain) ?? mayShow(plain);
    known.set(plain, found);
    return found;
  };
  return text
    .replaceAll(picture, (whole, words: string, url: string) =>
      isFree(url) ? whole : `${words || "picture"} (${inert(url)})`,
    )
    .replaceAll(address, (whole: string) =>
      isFree(whole) || (!carries(whole) && mayName(whole)) ? whole : inert(whole),
    )
    .replaceAll(bareAddress, (whole: string) => {
      const spoken = [`https://${whole}`, `http://${whole}`];
      return spoken.some(isFree) || (!carries(`http://${whole}`) && mayName(`http://${whole}`))
        ? whole
        : inert(whole);
    });
}

/** Makes every address of a text unfetchable: for text that is read and never followed. Pure. */
export const inertAddresses = (text: string): string =>
  text
    .replaceAll(address, (whole: string) => inert(whole))
    .replaceAll(bareAddress, (whole: string) =>
      /[/?#]/u.test(whole) || carries(`http://${whole}`) ? inert(whole) : whole,
    );

/** The usual notation that people can read and programs do not follow. */
const inert = (url: string): string =>
  url.replaceAll(/http(?=s?:\/\/)/giu, "hxxp").replaceAll(/\.(?=[a-z0-9])/giu, "[.]");

const longest = 120;
const longestLabel = 16;

/** Whether the address has space for a payload. */
function carries(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    !parsed ||
    parsed.search !== "" ||
    parsed.username !== "" ||
    parsed.hostname.split(".").length > 3 ||
    parsed.hostname.split(".").some((label) => label.length > longestLabel) ||
    url.length > longest ||
    /[A-Za-z0-9_-]{20,}/u.test(parsed.pathname)
  );
}
