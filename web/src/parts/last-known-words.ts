import type { Language, Say } from "../texts/texts.ts";
import { relativeTime } from "./amounts.ts";

/** "last known, 2 minutes ago". */
export function lastKnownWords(
  since: string,
  { say, language }: { say: Say; language: Language },
  now: number,
): string {
  const isFresh = now - Date.parse(since) < 60_000;
  return say("shell.last-known", { ago: isFresh ? say("time.now") : relativeTime(since, language, now) });
}
