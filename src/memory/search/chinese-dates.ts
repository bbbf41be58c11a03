/** Days as they are named in Chinese. */
import { around, dateRule, upToToday, whole, type DateRule, type DayUnit } from "./date-rule.ts";
import { amount, weekdayNumber } from "./date-words.ts";
import { date, inAnyYear, wholeMonth, wholeWeek, wholeYear, yearOf, type Span } from "./day-spans.ts";

const number = "([0-9]{1,3}|[一二两三四五六七八九十]{1,3})";
const year = "([0-9]{4}|大前|前|去|今|明)年";
const week = "(?:个|個)?(?:周|週|星期|礼拜|禮拜)";
const units: Record<string, DayUnit> = {
  天: "day",
  日: "day",
  周: "week",
  週: "week",
  星期: "week",
  礼拜: "week",
  月: "month",
  年: "year",
};
const unit = "(天|日|周|週|星期|礼拜|月|年)";

/** More words first: a shorter rule would take a part of them. */
export const chineseDateRules: DateRule[] = [
  dateRule(`${year}的?${number}月(?:份)?${number}[日号號]`, ([, y = "", m = "", d = ""], today) =>
    date(yearNamed(y, today), amount(m), amount(d)),
  ),
  dateRule(`${year}的?${number}月(?:份)?`, ([, y = "", m = ""], today) =>
    monthIn(yearNamed(y, today), amount(m)),
  ),
  dateRule(`${number}月${number}[日号號]`, ([, m = "", d = ""], today) =>
    inAnyYear(today, (each) => date(each, amount(m), amount(d))),
  ),
  dateRule(`${number}(?:个|個)?${unit}(?:之)?前`, ([, n = "", of = ""], today) =>
    around(amount(n), unitNamed(of), today),
  ),
  dateRule(`(?:最近|过去|過去|近)${number}(?:个|個)?${unit}`, ([, n = "", of = ""], today) =>
    upToToday(amount(n), unitNamed(of), today),
  ),
  dateRule(year, ([, y = ""], today) => [wholeYear(yearNamed(y, today))]),
  dateRule(`(?<![0-9个個])${number}月(?:份)?`, ([, m = ""], today) =>
    inAnyYear(today, (each) => monthIn(each, amount(m))),
  ),
  dateRule("(上上|上|这|這|本|下)(?:个|個)?月", ([, which = ""], today) => [
    whole("month", onward(which), today),
  ]),
  dateRule(`(上上|上|这|這|本|下)${week}末`, ([, which = ""], today) => {
    const [monday] = wholeWeek(today, onward(which));
    return [[monday + 5, monday + 6]];
  }),
  dateRule(`(上上|上|这|這|本|下)${week}([一二三四五六日天])`, ([, which = "", name = ""], today) => {
    const [monday] = wholeWeek(today, onward(which));
    const day = monday + weekdayNumber(name) - 1;
    return [[day, day]];
  }),
  dateRule(`(上上|上|这|這|本|下)${week}`, ([, which = ""], today) => [whole("week", onward(which), today)]),
  dateRule("(大前|前|昨|今|明|后|後)(?:天|晚|早|日)", ([, which = ""], today) => {
    const day = today + ({ 大前: -3, 前: -2, 昨: -1, 今: 0, 明: 1 }[which] ?? 2);
    return [[day, day]];
  }),
];

function yearNamed(name: string, today: number): number {
  const back = { 大前: 3, 前: 2, 去: 1, 今: 0, 明: -1 }[name];
  return back === undefined ? Number(name) : yearOf(today) - back;
}

function unitNamed(name: string): DayUnit {
  return units[name] ?? "day";
}

function monthIn(inYear: number, month: number): Span[] {
  return month >= 1 && month <= 12 ? [wholeMonth(inYear, month)] : [];
}

function onward(which: string): number {
  return { 上上: -2, 上: -1, 下: 1 }[which] ?? 0;
}
