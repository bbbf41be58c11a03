/** Days and times of day as people write them in headings and names of files: English and Chinese, in the order of each. */
import { offsetMinutes } from "../../infra/local-time.ts";

export interface WrittenTime {
  /** `2026-11-15` */
  day?: string | undefined;
  /** `13:45:00` */
  clock?: string | undefined;
  /** True if the line contains only a day or a time. */
  isAll: boolean;
}

/** The first day and the first time of day that a text names, as far as there are any. */
export function readDay(text: string): WrittenTime {
  const day = firstOf(dayForms, text);
  const rest = day ? text.replace(day.found, " ") : text;
  const clock = firstOf(clockForms, rest);
  const left = (clock ? rest.replace(clock.found, " ") : rest).replace(filler, "");
  return { day: day?.value, clock: clock?.value, isAll: Boolean(day ?? clock) && left === "" };
}

/** The day in the name of a note: `memory/2026-11-15.md`, `memory/202611/20261115.md`, also with more behind it. */
export function dayOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [, year, month, date] = /^(\d{4})(?:-(?=\d\d-)|(?=\d{4}(?!\d)))(\d\d)-?(\d\d)(?!\d)/.exec(name) ?? [];
  return asDay(year, month, date);
}

/** RFC 3339: the day alone, or the moment as the clocks there show it. */
export function momentOf({ day, clock }: Omit<WrittenTime, "isAll">, timezone: string): string | undefined {
  if (day === undefined || clock === undefined) return day;
  const asUtc = Date.parse(`${day}T${clock}Z`);
  const offset = offsetMinutes(asUtc - offsetMinutes(asUtc, timezone) * 60_000, timezone);
  return `${day}T${clock}${offsetText(offset)}`;
}

/** The same moment, as the clocks there show it. */
export function atLocalTime(time: string, timezone: string): string {
  const moment = Date.parse(time);
  if (Number.isNaN(moment)) return time;
  const offset = offsetMinutes(moment, timezone);
  return new Date(moment + offset * 60_000).toISOString().slice(0, 19) + offsetText(offset);
}

function offsetText(minutes: number): string {
  if (minutes === 0) return "Z";
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

type Form = { pattern: RegExp; read(groups: Record<string, string | undefined>): string | undefined };

function firstOf(forms: readonly Form[], text: string): { found: string; value: string } | undefined {
  for (const { pattern, read } of forms) {
    const match = pattern.exec(text);
    const value = match && read(match.groups ?? {});
    if (value) return { found: match[0], value };
  }
  return undefined;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const month =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?";
const date = "(?<date>\\d{1,2})(?:st|nd|rd|th)?";
const year = "(?<year>\\d{4})(?!\\d)";
const han = "〇零一二三四五六七八九十";

const dayForms: Form[] = [
  {
    pattern: /(?<!\d)(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<date>\d{1,2})(?!\d)/,
    read: (at) => asDay(at["year"], at["month"], at["date"]),
  },
  {
    pattern: new RegExp(
      `(?<year>\\d{4}|[${han}]{4})\\s*年\\s*(?<month>\\d{1,2}|[${han}]{1,2})\\s*月\\s*(?<date>\\d{1,2}|[${han}]{1,3})\\s*[日号號]`,
    ),
    read: (at) => asDay(hanDigits(at["year"]), hanNumber(at["month"]), hanNumber(at["date"])),
  },
  {
    pattern: new RegExp(`(?<!\\d)${date}\\s+(?:of\\s+)?${month},?\\s+${year}`, "i"),
    read: (at) => asDay(at["year"], monthNumber(at["month"]), at["date"]),
  },
  {
    pattern: new RegExp(`\\b${month}\\s+${date}(?:,\\s*|\\s+)${year}`, "i"),
    read: (at) => asDay(at["year"], monthNumber(at["month"]), at["date"]),
  },
  {
    // Day first with dots, month first with slashes, unless it can only be the other way round.
    pattern: /(?<!\d)(?<a>\d{1,2})(?<mark>[./])(?<b>\d{1,2})\k<mark>(?<year>\d{4})(?!\d)/,
    read: ({ a, b, mark, year: of }) => (mark === "." || Number(a) > 12 ? asDay(of, b, a) : asDay(of, a, b)),
  },
  {
    pattern: /(?<!\d)(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<date>\d\d)(?!\d)/,
    read: (at) => asDay(at["year"], at["month"], at["date"]),
  },
];

const clockForms: Form[] = [
  {
    pattern: /(?<!\d)(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?!\d)\s*(?<half>[ap]\.?m\b\.?)?/i,
    read: ({ hour, minute, second, half }) => asClock(hour, minute, second, half),
  },
  {
    pattern: /(?<!\d)(?<hour>\d{1,2})\s*(?<half>[ap]\.?m\b\.?)/i,
    read: ({ hour, half }) => asClock(hour, "0", "0", half),
  },
  {
    pattern:
      /(?<half>上午|早上|凌晨|中午|下午|晚上)?\s*(?<hour>\d{1,2})\s*[点點时時]\s*(?:(?<minute>\d{1,2})\s*分?|(?<thirty>半))?/,
    read: ({ half, hour, minute, thirty }) => {
      const lateUntil = half === "下午" || half === "晚上" ? 12 : half === "中午" ? 3 : 0;
      const isLate = Number(hour) > 0 && Number(hour) < lateUntil;
      return asClock(hour, thirty ? "30" : minute, "0", isLate ? "pm" : undefined);
    },
  },
];

/** What may stand around a day without saying anything else. */
const filler =
  /\b(?:on|at|t|the|date|day|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|星期[一二三四五六日天]|周[一二三四五六日天]|日期|[\s\p{P}\p{S}]/giu;

function asDay(yearText?: string, monthText?: string, dateText?: string): string | undefined {
  const [y, m, d] = [Number(yearText), Number(monthText), Number(dateText)];
  const moment = new Date(Date.UTC(y, m - 1, d));
  const isReal = y >= 1000 && moment.getUTCMonth() === m - 1 && moment.getUTCDate() === d;
  return isReal ? `${yearText}-${two(m)}-${two(d)}` : undefined;
}

function asClock(hourText?: string, minuteText = "0", secondText = "0", half?: string): string | undefined {
  const given = Number(hourText);
  if (half && (given < 1 || given > 12)) return undefined;
  const hour = half ? (given % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0) : given;
  const [minute, second] = [Number(minuteText), Number(secondText)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return [hour, minute, second].map(two).join(":");
}

const monthNumber = (name = ""): string => String(monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1);
const two = (number: number): string => String(number).padStart(2, "0");

const digitOf = (character: string): number =>
  character === "零" ? 0 : han.replace("零", "").indexOf(character);

const hanDigits = (text = ""): string =>
  /^\d+$/.test(text) ? text : Array.from(text, (character) => digitOf(character)).join("");

/** Up to 31: 八, 十五, 二十, 三十一. */
function hanNumber(text = ""): string {
  if (/^\d+$/.test(text)) return text;
  const [tens = "", ones = ""] = text.includes("十") ? text.split("十") : ["〇", text];
  return String((tens === "" ? 1 : digitOf(tens)) * 10 + (ones === "" ? 0 : digitOf(ones)));
}
