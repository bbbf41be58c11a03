/** Takes away what nobody sees: between letters that people read, characters without a shape can carry words that only a model reads. */
export const visibleCharacters = (text: string): string => text.replace(joiners, "").replace(unseen, "");

/** Those that join emoji, and letters of scripts that are written with them, stay. */
const joiners =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}])[\u200c\u200d]/gu;

/** Controls, and all that is shown as nothing: zero-width marks, marks of direction, fillers, selectors of variants but the one for emoji, tags. */
const unseen = /(?!\t|\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
