import type { Clock } from "../../infra/clock.ts";
import { noLonger } from "../../infra/no-longer.ts";

export interface JsonAsker {
  fetch: typeof globalThis.fetch;
  clock: Clock;
}

export type JsonAnswer =
  | { ok: true; value: unknown }
  /** `status`: of an answer that was no yes. */
  | { ok: false; reason: "unreachable" | "refused" | "malformed"; detail: string; status?: number };

const mostBytes = 16_000_000;

/** One GET with a bound on time and size. Never throws, except the signal's reason when that aborts. */
export async function fetchJson(
  { fetch, clock }: JsonAsker,
  url: string,
  {
    headers = {},
    withinMs,
    signal,
  }: { headers?: Record<string, string>; withinMs: number; signal?: AbortSignal },
): Promise<JsonAnswer> {
  const late = new AbortController();
  const inTime = new AbortController();
  const until = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  clock.sleep(withinMs, inTime.signal).then(
    () => late.abort(),
    () => undefined, // it was answered in time
  );
  try {
    const response = await fetch(url, { headers: { accept: "application/json", ...headers }, signal: until });
    const text = await readBounded(response);
    const { status } = response;
    if (!response.ok) return { ok: false, reason: "refused", detail: `HTTP ${status}`, status };
    if (text === undefined) return { ok: false, reason: "malformed", detail: "the answer is too large" };
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof SyntaxError)
      return { ok: false, reason: "malformed", detail: "the answer is not JSON" };
    if (late.signal.aborted)
      return { ok: false, reason: "unreachable", detail: `no answer within ${withinMs} ms` };
    return { ok: false, reason: "unreachable", detail: reasonOf(error) };
  } finally {
    inTime.abort(noLonger);
  }
}

/** undefined when it is too large. */
async function readBounded(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === "string"
    ? cause.code
    : error instanceof Error
      ? error.message
      : String(error);
}
