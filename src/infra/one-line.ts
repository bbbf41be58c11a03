/** Text for a place with a single line: in a prompt, a line break could make it look like more than it is. */

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** At most this many characters, the last of them "…" if something was cut; never half a character. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
