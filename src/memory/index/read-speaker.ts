/** The speaker of a line that begins with a name and a colon. */
import { readDay } from "./read-day.ts";

export interface SpokenLine {
  who?: string | undefined;
  /** `13:45:00` */
  clock?: string | undefined;
  /** What was said. */
  words: string;
}

/** `Ann: hello`, `**Ann**: hello`, `[13:45] Ann (42): hello`, `小明：你好`. A line of another kind is all words. */
export function readSpeaker(line: string): SpokenLine {
  const clock = clockBefore.exec(line);
  const time = clock && readDay(clock[0]).clock;
  const rest = time ? line.slice(clock[0].length) : line;
  const match = speaker.exec(rest);
  const who = match && cleanName(match[1] ?? match[2] ?? match[3] ?? match[4] ?? "");
  const words = match ? rest.slice(match[0].length).trim() : "";
  // A name with nothing behind it is a title of what follows.
  if (!who || words === "") return { clock: time ?? undefined, words: rest.trim() || line };
  return { who, clock: time ?? undefined, words };
}

/** In brackets, or bare with a dash or a space behind. */
const clockBefore = /^[[(（]?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?[\])）]?(?:\s*[-–—]\s+|\s+)/i;

/** One word of any kind, or up to four that each begin like a name; behind it, perhaps, an id in brackets. */
const one = String.raw`[\p{L}\p{N}_@][\p{L}\p{M}\p{N}_.@'\u2019-]{0,39}`;
const titled = String.raw`[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}.'\u2019-]{0,29}`;
const particle = "(?:de|da|del|la|van|von|der|den|bin|al|el)";
const name = String.raw`(?:${titled}(?: (?:${titled}|${particle})){1,3}|${one})`;
const id = String.raw`(?: \([^()\n]{1,80}\))?`;
const colon = String.raw`(?::(?=\s|\p{Lo})\s*|\uFF1A\s*)`;
const speaker = new RegExp(
  String.raw`^(?:\*\*(${name})${id}\*\*${colon}|\*\*(${name})${id}[:\uFF1A]\*\*\s*|__(${name})${id}__${colon}|(${name})${id}${colon})`,
  "u",
);

/** A number alone is no name: `12:30`, `3: third`. */
const cleanName = (text: string): string | undefined => (/^[\p{N}.]+$/u.test(text) ? undefined : text);
