/** How the patterns of cases are compared. */
import type { Effect, EffectPattern } from "./case.ts";

export const fits = (effect: Effect, pattern: EffectPattern): boolean =>
  Object.entries(pattern).every(([key, wanted]) => {
    const value = (effect as unknown as Record<string, unknown>)[key];
    return typeof value === "string" && fitsText(value, wanted);
  });

/** Equal, `…part`, or `/regex/flags`. */
function fitsText(text: string, wanted: string): boolean {
  if (wanted.startsWith("…")) return text.includes(wanted.slice(1));
  return regexOf(wanted)?.test(text) ?? text === wanted;
}

/** A part, or `/regex/flags`. */
export const holdsText = (text: string, wanted: string): boolean =>
  regexOf(wanted)?.test(text) ?? text.includes(wanted);

function regexOf(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}
