/** Parses values of options and arguments. An invalid value is wrong usage, reported in the user's language. */
import { InvalidArgumentError } from "commander";
import type { Say } from "../infra/texts.ts";

/** From 1 on. */
export const wholeNumber =
  (say: Say) =>
  (text: string): number => {
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    throw new InvalidArgumentError(say("usage.whole-number"));
  };

/** Names between commas; blanks and empty places do not count. */
export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
