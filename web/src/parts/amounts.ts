/** Numbers and times as people read them. */
import type { Language } from "../texts/texts.ts";

const locales = { en: "en", zh: "zh-CN" } as const;
const steps: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "3 minutes ago". */
export function relativeTime(iso: string, language: Language, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  if (Number.isNaN(seconds)) return "";
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return formats(language).ago.format(Math.trunc(seconds / size), unit);
}

/** The moment itself, for those who want it exactly. */
export function exactTime(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return formats(language).exact.format(date);
}

const timeUnits = {
  en: { ms: "ms", second: "s", minute: "min", hour: "h" },
  zh: { ms: "毫秒", second: "秒", minute: "分", hour: "小时" },
} as const;

/** "850 ms", "12.3 s", "4 min 5 s", "2 h 3 min". */
export function duration(ms: number, language: Language): string {
  const unit = timeUnits[language];
  if (ms < 1000) return `${Math.round(ms)} ${unit.ms}`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} ${unit.second}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} ${unit.minute} ${Math.floor(seconds % 60)} ${unit.second}`;
  return `${Math.floor(minutes / 60)} ${unit.hour} ${minutes % 60} ${unit.minute}`;
}

/** "1.5 MB". */
export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "$0.0042", "$12.30"; small amounts keep two digits that count. */
export function money(dollars: number): string {
  if (dollars === 0) return "$0";
  if (Math.abs(dollars) >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toPrecision(2)}`;
}

/** "12,345" and, for large ones, "1.2 M". */
export function count(value: number, language: Language): string {
  const { plain, compact } = formats(language);
  return (value >= 100_000 ? compact : plain).format(value);
}

const made = new Map<Language, ReturnType<typeof makeFormats>>();

/** Made once: that takes longer than to use them, and a list of rows uses them many times. */
function formats(language: Language): ReturnType<typeof makeFormats> {
  const known = made.get(language) ?? makeFormats(locales[language]);
  made.set(language, known);
  return known;
}

const makeFormats = (locale: string) => ({
  ago: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  exact: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }),
  plain: new Intl.NumberFormat(locale),
  compact: new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
});
