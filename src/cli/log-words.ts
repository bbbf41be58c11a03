/** A log line for people: time, level, text, and context. */
import type { LogLineView } from "@pincer/sdk";
import { plainText } from "./plain-text.ts";

/** One line; whatever breaks there were within it are shown as such. */
export function logWords({ time, level, message, fields }: LogLineView): string {
  const { tenantId: _tenant, ...ids } = fields;
  const about = Object.entries(ids).map(([name, value]) => `${name}=${String(value)}`);
  const words = [time, level.padEnd(5), message.replaceAll("\n", " ⏎ "), about.join(" ")];
  return plainText(words.filter(Boolean).join("  "));
}
