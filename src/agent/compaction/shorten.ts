/** Makes texts shorter, and says so. Never cuts a character in two. */
import { shortenText } from "../context/head-and-tail.ts";

/** The beginning, at most `max` characters, the dots included. */
export function beginning(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, wholeBefore(text, Math.max(0, max - 1)))}…`;
}

/** Beginning and end, with the number of characters left out in between; at most `max` characters. */
export const headAndTail = (text: string, max: number): string =>
  shortenText(text, max, (leftOut) => `[… ${leftOut} characters left out …]`);

/** Beginning and end, so that it takes at most `maxTokens` by the given count. */
export function fitTokens(text: string, maxTokens: number, tokensOf: (text: string) => number): string {
  let fitted = text;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const tokens = tokensOf(fitted);
    if (tokens <= maxTokens) return fitted;
    fitted = headAndTail(text, Math.floor(fitted.length * Math.min(0.9, maxTokens / tokens)));
  }
  return fitted;
}

const attempts = 12;

/** The place itself, or one less where a pair of surrogates stands across it. */
function wholeBefore(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return place > 0 && code >= 0xdc_00 && code <= 0xdf_ff ? place - 1 : place;
}
