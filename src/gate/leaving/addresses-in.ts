/**
 * Finds web addresses in texts and spells them one way. A bare word counts as a host only where its end is one that
 * sites have and files do not: "add it to notes.md" names a file.
 */

const written = /\bhttps?:\/\/[^\s<>"'`\\|^{}（）【】「」《》，。；]+/giu;
const bareHost =
  /(?<![\w@/.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s<>"'`，。]*)?/giu;

/**
 * As it would be asked for: the spelling that a server gets, without the fragment, which is never sent. Undefined for
 * what is no address of the web, and for one with a user or a password. Pure.
 */
export function addressOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "")
    return undefined;
  url.hash = "";
  return url.href;
}

/** Every full address in a text, as it would be asked for. Pure. */
export const addressesIn = (text: string): Set<string> =>
  new Set((text.match(written) ?? []).flatMap(readings).flatMap((each) => addressOf(each) ?? []));

/** As people write them: also hosts without a scheme, which are meant with either one. Pure. */
export function spokenAddressesIn(text: string): Set<string> {
  const bare = (text.match(bareHost) ?? [])
    .map((each) => each.replace(/[).,;:!?]+$/u, ""))
    .filter((each) => isHostShape(each.replace(/[:/].*$/su, "")));
  const spoken = bare.flatMap((each) => [`https://${each}`, `http://${each}`]);
  return new Set([...addressesIn(text), ...spoken.flatMap((each) => addressOf(each) ?? [])]);
}

/** Without the marks that end a sentence or a link, and before letters that follow it without a space. */
function readings(match: string): string[] {
  const whole = match.slice(0, endOfLink(match)).replace(/[.,;:!?*_\]]+$/u, "");
  const ascii = whole.replace(/[^\x21-\x7e].*$/su, "");
  return ascii === whole ? [whole] : [whole, ascii];
}

/** The first bracket that closes more than the address itself has opened. */
function endOfLink(match: string): number {
  let open = 0;
  for (let at = 0; at < match.length; at++) {
    if (match[at] === "(") open++;
    if (match[at] === ")" && --open < 0) return at;
  }
  return match.length;
}

/** Equal for addresses of the same resource: the last slash makes no difference. Undefined if it is no address. */
export const sameAddress = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  url.hash = "";
  return url.href.replace(/\/$/u, "");
};

/** How a grant names a page as a source. Undefined if it is no address. Pure. */
export const pageSource = (text: string): string | undefined => {
  const address = sameAddress(text);
  return address === undefined ? undefined : `page:${address}`;
};

export const hostMatches = (host: string, pattern: string): boolean => {
  const wanted = pattern.toLowerCase().replace(/:\d+$/u, "");
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
};

const generic = new Set(
  "com org net edu gov mil int info biz name pro io dev page site online shop store blog cloud tech example".split(
    " ",
  ),
);
/** Countries whose ends are those of files, too. */
const ofFiles = new Set("as bz cc cr in mk ml mm mo nc pl pm ps py rs sh so tf md".split(" "));

/** Whether a bare word looks like the name of a site rather than that of a file. Pure. */
export function isHostShape(name: string): boolean {
  const labels = name.toLowerCase().split(".");
  const end = labels.at(-1) ?? "";
  if (labels.length < 2 || labels.includes("")) return false;
  if (labels[0] === "www" && labels.length > 2) return true;
  return generic.has(end) || (/^[a-z]{2}$/u.test(end) && !ofFiles.has(end));
}

const ofTheInside = /(?:^|\.)(?:localhost|local|lan|internal|intranet|home|corp|home\.arpa)$/u;

/** Names of this machine and its network, as far as the name itself tells: a single word, `nas.lan`. Pure. */
export const isInsideName = (host: string): boolean =>
  !host.includes(":") && (!host.includes(".") || ofTheInside.test(host.toLowerCase().replace(/\.$/u, "")));
