/** Days and moments as people write them in options. */
import { InvalidArgumentError } from "commander";
import type { Say } from "../infra/texts.ts";

const dayMs = 86_400_000;

/** A day is whole: up to one means to its end. */
export const dayOption =
  (side: "from" | "to", say: Say) =>
  (text: string): string => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
    const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
    const time = isDay || isMoment ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(time)) throw new InvalidArgumentError(say("usage.not-a-day", { day: text }));
    return new Date(isDay && side === "to" ? time + dayMs : time).toISOString();
  };
