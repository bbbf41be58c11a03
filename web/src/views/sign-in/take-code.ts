import { readCodeLink, type GivenCode } from "./code-link.ts";

/**
 * The one-time code of a sign-in link, out of the address bar before anything else happens: what stays there is in the history, and in what people
 * copy and show.
 */
export function takeCode(
  location: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "replaceState">,
): GivenCode | undefined {
  const given = readCodeLink(location.hash);
  if (given) history.replaceState(null, "", location.pathname + location.search);
  return given;
}

/** What somebody pasted: the code of a link, or the words themselves. */
export function pastedSecret(text: string): string {
  const words = text.trim();
  const [, code] = /#(?:.*&)?code=([\w-]+)/.exec(words) ?? [];
  return code ?? words;
}

/** One-time codes look like this; tokens may, too. */
export const mayBeCode = (secret: string): boolean => /^[\w-]{32}$/.test(secret);
