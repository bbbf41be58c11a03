/** Filters and formats lines of the log. Pure. */
import type { LogLineView } from "@pincer/sdk";

/** Each word must stand somewhere in the line, its fields included. */
export function filterLines(lines: readonly LogLineView[], words: string): LogLineView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    const text = `${line.level} ${line.message} ${fieldsOf(line)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** `runId=r_1 channel=telegram`. */
export const fieldsOf = ({ fields }: LogLineView): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
