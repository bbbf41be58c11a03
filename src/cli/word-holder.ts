/**
 * Cuts a stream of deltas between words. A word is written whole: a secret in it is then recognised and taken out, and no character is
 * torn in two.
 */
export interface WordHolder {
  push(delta: string): void;
  /** Writes what is held: nothing more comes, or something else comes next. */
  flush(): void;
}

/** Nobody waits for the end of a word longer than this. */
const longestWord = 1000;

export function createWordHolder(write: (text: string) => void): WordHolder {
  let held = "";
  function give(text: string): void {
    if (text !== "") write(text);
  }
  return {
    push(delta) {
      const text = held + delta;
      const end = endOfWords(text);
      held = text.slice(end);
      give(text.slice(0, end));
    },
    flush() {
      const rest = held;
      held = "";
      give(rest);
    },
  };
}

/** Up to where nothing that follows can belong to the same word. Scripts without spaces are cut anywhere between characters. */
function endOfWords(text: string): number {
  let end = text.length;
  const isHalf = (code: number) => code >= 0xd8_00 && code <= 0xdb_ff;
  if (end > 0 && isHalf(text.charCodeAt(end - 1))) end -= 1;
  const whole = end;
  const earliest = Math.max(0, whole - longestWord);
  while (end > earliest && isOfWord(text.charCodeAt(end - 1))) end -= 1;
  return end === earliest && earliest > 0 ? whole : end;
}

const isOfWord = (code: number): boolean => code > 0x20 && code < 0x7f;

/** What `whole` has after the words in `shown`, white space aside; undefined when it does not begin with them. */
export function beyond(shown: string, whole: string): string | undefined {
  if (whole.startsWith(shown)) return whole.slice(shown.length);
  let at = 0;
  for (const sign of shown) {
    if (isSpace(sign)) continue;
    while (at < whole.length && isSpace(whole.charAt(at))) at += 1;
    if (!whole.startsWith(sign, at)) return undefined;
    at += sign.length;
  }
  return whole.slice(at);
}

const isSpace = (sign: string): boolean => /\s/.test(sign);
