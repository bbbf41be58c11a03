/** Removes invisible characters, which can carry text that only a model reads. */
export const visibleCharacters = (text: string): string => text.replace(joiners, "").replace(unseen, "");

/** Joiners of emoji and of scripts that need them stay. */
const joiners =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}])[\u200c\u200d]/gu;

/**
 * Controls and everything without a shape: zero-width marks, direction marks, fillers, variation selectors except the
 * one for emoji, tags.
 */
const unseen = /(?!\t|\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
