/**
 * Screens and networks may fetch pictures and previews in answers by themselves, and people follow links. An address
 * that could tell its host something is made readable but not followable, and its picture is replaced by its words.
 */
const picture = /!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)/gu;
/** Browsers take one slash, none, or the other one for two. */
const address = /https?:[/\\]*[^\s<>"'`\]/\\][^\s<>"'`\]]*/giu;
/** A page takes the scheme from where it stands. */
const schemeless = /(?<![\w:/])\/\/(?:[a-z0-9-]+\.)+[^\s<>"'`\]]+/giu;
/** Networks treat these as addresses, too. */
const bareAddress =
  /(?<![\w@/.:-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]{2,})(?![\w.-])(?::\d+)?(?:[/?#][^\s<>"'`\]]+)?/giu;

/** Whether the text contains anything that a screen might fetch. Pure. */
export const holdsAddress = (text: string): boolean => text.includes("![") || allAddresses(text).length > 0;

/** Pure. */
export const allAddresses = (text: string): string[] => [
  ...(text.match(address) ?? []).map(unmarked),
  ...(text.match(schemeless) ?? []).map((each) => `https:${unmarked(each)}`),
  ...(text.match(bareAddress) ?? []).map((each) => `http://${unmarked(each)}`),
];

/** `mayShow`: whether following the address tells nobody anything. Pure. */
export function guardReply(text: string, mayShow: (address: string) => boolean): string {
  if (!holdsAddress(text)) return text;
  const known = new Map<string, boolean>();
  const isFree = (url: string): boolean => {
    const plain = unmarked(url);
    const found = known.get(plain) ?? mayShow(plain);
    known.set(plain, found);
    return found;
  };
  return text
    .replaceAll(picture, (whole, words: string, url: string) =>
      isOfHere(url) || isFree(url) ? whole : `${words || "picture"} (${inert(url)})`,
    )
    .replaceAll(address, (whole: string) => (isFree(whole) ? whole : inert(whole)))
    .replaceAll(schemeless, (whole: string) => (isFree(`https:${whole}`) ? whole : inert(whole)))
    .replaceAll(bareAddress, (whole: string) =>
      !isFollowed(whole) || isFree(`https://${whole}`) || isFree(`http://${whole}`) ? whole : inert(whole),
    );
}

/** Makes every address of a text unfetchable: for text that is read and never followed. Pure. */
export const inertAddresses = (text: string): string =>
  text
    .replaceAll(address, (whole: string) => inert(whole))
    .replaceAll(bareAddress, (whole: string) =>
      /[/?#]/u.test(whole) || carries(`http://${whole}`) ? inert(whole) : whole,
    );

const unmarked = (url: string): string => url.replace(/[).,;:!?*_]+$/u, "");

/** A picture beside the answer: nothing is asked of anybody. */
const isOfHere = (url: string): boolean =>
  /^(?:[\w-][\w./-]*|data:image\/[\w+-]+;base64,[\w+/=]+)$/u.test(url);

/** Without a scheme, names of files and of code look the same: those are left that have little room. */
const isFollowed = (bare: string): boolean =>
  /[/?#]/u.test(bare) || isSite.test(bare.replace(/:\d+$/u, "")) || carries(`http://${bare}`);

const isSite = /^www\.|\.(?:com|org|net|edu|gov|biz|example)$/iu;

/** The usual notation that people can read and programs do not follow. */
const inert = (url: string): string =>
  url.replaceAll(/http(?=s?:)/giu, "hxxp").replaceAll(/\.(?=[a-z0-9])/giu, "[.]");

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
