/** A parsed line of the log. */
import { logLevels, type LogLevel, type LogLineView } from "@pincer/sdk";

/** A line that is none of ours, or was torn by a full disk, is shown as it is. Never throws. */
export function readLogLine(text: string): LogLineView {
  try {
    const { level, time, msg, ...fields } = JSON.parse(text) as Record<string, unknown>;
    if (isLevel(level) && typeof time === "string" && typeof msg === "string")
      return { time, level, message: msg, fields };
  } catch {
    // No JSON: shown as it is, below.
  }
  return { time: "", level: "info", message: text, fields: {} };
}

/** Whether it weighs as much as is asked for, or more. */
export const weighs = ({ level }: LogLineView, least: LogLevel): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(least);

const isLevel = (level: unknown): level is LogLevel => logLevels.some((each) => each === level);
