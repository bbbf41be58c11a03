/**
 * What is answered is seen by screens and networks that ask for pictures and previews by themselves. An address that could carry something
 * away is left readable there, and nothing that anybody would ask for.
 */

const picture = /!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)/gu;
const address = /\b(https?):\/\/([^\s<>"'`\]]+)/giu;
/** Networks take these for addresses, too. */
const bareAddress =
  /(?<![\w@/.:-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,12}(?![\w.-])(?::\d+)?(?:[/?#][^\s<>"'`\]]+)?/giu;

/** Whether there is anything in it that a screen might ask for to somebody's gain. Pure. */
export const holdsAddress = (text: string): boolean => text.includes("![") || allAddresses(text).length > 0;

/** Pure. */
export const allAddresses = (text: string): string[] => [
  ...(text.match(address) ?? []),
  ...(text.match(bareAddress) ?? []).map((each) => `http://${each}`),
];

/** Addresses that a screen might ask for by itself and that could carry something away. Pure. */
export const tellingAddresses = (text: string): string[] =>
  [...(text.match(address) ?? []), ...(text.match(bareAddress) ?? []).map((each) => `http://${each}`)].filter(
    carries,
  );

/** `mayShow`: whether it may be asked for by itself. Pure. */
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

/** Every address of a text made so: for words that must be read and never followed. Pure. */
export const inertAddresses = (text: string): string =>
  text
    .replaceAll(address, (whole: string) => inert(whole))
    .replaceAll(bareAddress, (whole: string) =>
      /[/?#]/u.test(whole) || carries(`http://${whole}`) ? inert(whole) : whole,
    );

/** As it is usual for those who must be able to read it, and whose programs must not follow it. */
const inert = (url: string): string =>
  url.replaceAll(/http(?=s?:\/\/)/giu, "hxxp").replaceAll(/\.(?=[a-z0-9])/giu, "[.]");

const longest = 120;
const longestLabel = 16;

/** Whether there is room for anything in it. */
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
