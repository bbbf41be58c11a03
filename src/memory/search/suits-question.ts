/** How well a line suits a question apart from its words: who said it, when, and whether it holds what was quoted. */
import { offsetMinutes } from "../../infra/local-time.ts";
import type { LineRow } from "../../storage/memory-index/read-lines.ts";
import type { DayRange } from "./dates.ts";
import { dayMs } from "./day-spans.ts";
import { foldText, isPaired, termsOf } from "./index-terms.ts";
import type { Question } from "./read-question.ts";

/** Factors for the score of a line: from 1 for one that suits in nothing up to `most`, both as one number from 0 to 1. */
export function createSuiting(question: Question, timezone: string): (row: LineRow) => number {
  const { days, phrases } = question;
  const known = new Map<string | undefined, boolean>();
  const isAskedAbout = (who: string | undefined) => {
    const answer = known.get(who) ?? isNamed(who, question);
    known.set(who, answer);
    return answer;
  };
  const most =
    gainOfName * gainOfSelf * (days.length > 0 ? gainOfDay : 1) * (phrases.length > 0 ? gainOfPhrase : 1);
  return (row) => {
    const byName = isAskedAbout(row.who) ? gainOfName * (speaksOfSelf.test(row.text) ? gainOfSelf : 1) : 1;
    const byDay = days.length > 0 ? dayGain(row.time, days, timezone) : 1;
    const text = phrases.length > 0 ? foldText(row.text) : "";
    const byPhrase = phrases.some((phrase) => text.includes(phrase)) ? gainOfPhrase : 1;
    return (byName * byDay * byPhrase) / most;
  };
}

/** Whether the question names the speaker. */
function isNamed(who: string | undefined, { words, folded }: Question): boolean {
  if (who === undefined) return false;
  const name = foldText(who).trim();
  if (isPaired(name)) return folded.includes(name);
  return termsOf(who).some((part) => words.includes(part));
}

/** People mostly tell about themselves. */
const gainOfName = 1.6;
/** Decides between lines that are alike otherwise. */
const gainOfSelf = 1.05;
const speaksOfSelf = /\b(?:i|me|my|mine|we|us|our)\b|[我咱]/iu;
/** Who names a day means it. What happened is often told some days later. */
const gainOfDay = 3;
const gainOfLater = 2;
const laterDays = 14;
const gainOfPhrase = 2;

function dayGain(time: string | undefined, days: readonly DayRange[], timezone: string): number {
  const day = localDay(time, timezone);
  if (day === undefined) return 1;
  if (days.some(({ from, to }) => day >= from && day <= to)) return gainOfDay;
  const earlier = new Date(Date.parse(day) - laterDays * dayMs).toISOString().slice(0, 10);
  return days.some(({ to }) => day > to && earlier <= to) ? gainOfLater : 1;
}

/** The day it was where the person lives; a time without a zone is theirs already. */
function localDay(time: string | undefined, timezone: string): string | undefined {
  if (time === undefined) return undefined;
  const written = /^\d{4}-\d{2}-\d{2}/u.exec(time)?.[0];
  if (written === undefined || Number.isNaN(Date.parse(written))) return undefined;
  if (!/T.*(?:Z|[+-]\d{2}:?\d{2})$/iu.test(time)) return written;
  const at = Date.parse(time);
  if (Number.isNaN(at)) return written;
  return new Date(at + offsetMinutes(at, timezone) * 60_000).toISOString().slice(0, 10);
}
