/** Parses the arguments of `handoff`: `phase-1 what was done`, or `name=phase-1 summary="what was done"`. */
import { characters } from "../infra/characters.ts";

interface HandoffWords {
  name?: string;
  summary?: string;
}

/** In characters as people see them. */
const longestName = 60;
const quoted = '"([^"]*)"|“([^”]*)”|「([^」]*)」';

/** Never throws. A first word that is too long for a name begins the summary; a name that is called so is given as it is. */
export function parseHandoff(words: string): HandoffWords {
  const named: Record<string, string> = {};
  let rest = words.trim();
  for (;;) {
    const match = new RegExp(`^(name|summary)=(?:${quoted}|(\\S+))\\s*`, "i").exec(rest);
    const key = match?.[1]?.toLowerCase();
    if (!match || key === undefined || Object.hasOwn(named, key)) break;
    named[key] = firstOf(match.slice(2));
    rest = rest.slice(match[0].length);
  }
  const isByKey = Object.keys(named).length > 0;
  const first = isByKey ? null : new RegExp(`^(?:${quoted}|(\\S+))\\s*`).exec(rest);
  const word = first ? firstOf(first.slice(1)) : "";
  const isName = word !== "" && handoffName(word) === word;
  const name = isName ? word : named["name"];
  const behind = isName && first ? rest.slice(first[0].length) : rest;
  const summary = [named["summary"], unquoted(behind)].filter(Boolean).join(" ");
  return { ...(name ? { name } : {}), ...(summary ? { summary } : {}) };
}

/** What is too long for a name is cut behind a whole character. */
export const handoffName = (name: string): string =>
  Array.from(characters().segment(name.trim()), ({ segment }) => segment)
    .slice(0, longestName)
    .join("");

const firstOf = (parts: ReadonlyArray<string | undefined>): string =>
  (parts.find((part) => part !== undefined) ?? "").trim();

function unquoted(text: string): string {
  const whole = new RegExp(`^(?:${quoted})$`).exec(text.trim());
  return whole ? firstOf(whole.slice(1)) : text.trim();
}
