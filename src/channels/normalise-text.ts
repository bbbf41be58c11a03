/**
 * A text as it compares: case, punctuation and white space do not count, so that "Hello, world!" and "hello world" are the same. A text
 * of nothing but marks is itself: "?" and "!" are two different answers.
 */
export function normaliseText(text: string): string {
  const folded = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, " ")
    .trim();
  return folded === "" ? text.trim() : folded;
}
