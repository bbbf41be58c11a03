/** What a program said last, fit to stand in a sentence. */
export const lastLine = (said: string): string =>
  said
    .split("\n")
    .at(-1)
    ?.replace(/[.?!]$/, "") ?? "";
