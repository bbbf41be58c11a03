/** How long a provider asks to wait: said in one of a dozen ways. */
import type { FailureEvidence } from "./failure-evidence.ts";

/** In milliseconds from `now`; undefined when nothing was said. */
export function retryAfterOf(
  { headers = {}, text = "", status }: Pick<FailureEvidence, "headers" | "text" | "status">,
  now: number,
): number | undefined {
  const exact = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && exact >= 0) return Math.ceil(exact);
  const plain = headers["retry-after"] === undefined ? undefined : pointInTime(headers["retry-after"], now);
  if (plain !== undefined) return plain;
  return inWords(text, now) ?? (status === undefined || status === 429 ? ofBuckets(headers, now) : undefined);
}

/** Of the limits that are used up, the one that lasts longest. */
function ofBuckets(headers: Record<string, string>, now: number): number | undefined {
  const waits: number[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!/^(?:x-|anthropic-)?ratelimit-(?:[\w-]*-)?reset(?:-[\w-]+)?$/.test(name)) continue;
    const left = headers[name.replace("reset", "remaining")];
    if (left !== undefined && Number(left) > 0) continue;
    const wait = pointInTime(value, now);
    if (wait !== undefined) waits.push(wait);
  }
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Seconds from now, seconds or milliseconds since the epoch, a length such as `6m0s`, or a date. */
function pointInTime(value: string, now: number): number | undefined {
  const text = value.trim();
  const number = text === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number)) {
    if (number > 1e11) return Math.max(0, Math.ceil(number - now));
    if (number > 1e9) return Math.max(0, Math.ceil(number * 1000 - now));
    return number < 0 ? undefined : Math.ceil(number * 1000);
  }
  const length = lengthOf(text);
  if (length !== undefined) return length;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `120ms`, `1.5s`, `6m0s`, `1h2m3s`. */
function lengthOf(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = "0", unit = "s"] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    total += Number(amount) * (unitMs[unit] ?? 0);
  return Math.ceil(total);
}

function inWords(text: string, now: number): number | undefined {
  const delay = /"retryDelay"\s*:\s*"([\d.]+s)"/.exec(text)?.[1];
  if (delay !== undefined) return lengthOf(delay);
  const seconds = /"(?:resets_in_seconds|retry_after(?:_seconds)?)"\s*:\s*"?(\d+(?:\.\d+)?)/.exec(text)?.[1];
  if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  const resetsAt = /"resets_at"\s*:\s*"?(\d{9,13})/.exec(text)?.[1];
  if (resetsAt !== undefined) return pointInTime(resetsAt, now);
  const length =
    /(?:again|retry|wait)[^.\n]{0,20}? (?:in|after|for) ~?((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)\b/i.exec(
      text,
    )?.[1];
  if (length !== undefined) return lengthOf(length);
  const spoken =
    /(?:again|retry|wait)[^.\n]{0,20}? (?:in|after|for)? ?~?(\d+(?:\.\d+)?) ?(second|sec|minute|min|hour)/i.exec(
      text,
    );
  if (!spoken) return undefined;
  const [, amount = "0", unit = "second"] = spoken;
  const unitOf = { s: 1000, m: 60_000, h: 3_600_000 }[unit.charAt(0).toLowerCase()] ?? 1000;
  return Math.ceil(Number(amount) * unitOf);
}
