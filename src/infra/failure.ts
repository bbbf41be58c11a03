/**
 * Errors whose texts come from the catalogue: created in English, and translated to the user's language at the edge.
 */
import { PincerError, type ErrorCode } from "@pincer/sdk";
import { createSay, type Say, type TextKey } from "./texts.ts";

const english = createSay("en");

/** The message is the text of `key`; `hint`, the text that says what to do next, is filled from the same parameters. */
export function failure(
  code: ErrorCode,
  key: TextKey,
  parameters: Record<string, string | number> = {},
  { hint, cause }: { hint?: TextKey | undefined; cause?: unknown } = {},
): PincerError {
  return new PincerError(code, english(key, parameters), {
    hint: hint && english(hint, parameters),
    cause,
    text: { key, parameters, ...(hint ? { hint } : {}) },
  });
}

/** What an error says, in the language of `say`; one without a place in the catalogue says what it was made with. */
export function sayError(error: PincerError, say: Say): { message: string; hint: string | undefined } {
  const { text, message, hint } = error;
  if (!text) return { message, hint };
  return {
    message: say(text.key as TextKey, text.parameters),
    hint: text.hint && say(text.hint as TextKey, text.parameters),
  };
}

/** With a full stop where it has no end of its own, so that a hint can follow in the same line. */
export const asSentence = (message: string): string =>
  /[.!?:;…。！？：；]$/.test(message) ? message : `${message}.`;
