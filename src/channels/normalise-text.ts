/**
 * A text for comparison, without case, punctuation and white space: "Hello, world!" equals "hello world". A text of
 * punctuation alone stays: "?" and "!" differ.
 */
export function normaliseText(text: string): string {
  const folded = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, " ")
    .trim();
  return folded === "" ? text.trim() : folded;
}
