/** Words for a place that has one line for them: in a prompt, a line of its own could pass for more than it is. */

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** At most so many characters, the last of them "…" where something was left out; never half a character. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
