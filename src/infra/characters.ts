/** Characters as people see them: an emoji, a flag, a letter with its accents. */
let segmenter: Intl.Segmenter | undefined;

/** Made when it is first asked for: its tables take some 9 ms to load, and most processes never cut a text. */
export const characters = (): Intl.Segmenter =>
  (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" }));
