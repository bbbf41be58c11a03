/**
 * Which trace a turn belongs to. Ids are derived from stored ids, so that a process that continues after a crash
 * continues the same trace; if the caller has a trace, the turn is a part of it.
 */
import { hash } from "node:crypto";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { Span } from "./span.ts";

export interface TurnTrace {
  traceId: string;
  /** The span of the caller. */
  parentSpanId: string | undefined;
  /** False if the caller does not want it traced. */
  isWanted: boolean;
}

export function traceOf({ turnId, options }: Pick<TurnRecord, "turnId" | "options">): TurnTrace {
  const given = parseTraceparent(options["traceparent"]);
  if (given) return given;
  return { traceId: digest(`trace:${turnId}`, 32), parentSpanId: undefined, isWanted: true };
}

/** Deterministic: exporting the same thing again replaces the first export. */
export const spanIdOf = (name: Span["name"], id: string): string => digest(`span:${name}:${id}`, 16);

/** Whether this trace is among those that are kept; all spans of one trace are, or none. */
export function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(0, 8), 16) < ratio * 0x1_0000_0000;
}

/** By W3C Trace Context. Undefined for what is none: then the turn has a trace of its own. */
export function parseTraceparent(header: unknown): TurnTrace | undefined {
  if (typeof header !== "string" || header.length > longestHeader) return undefined;
  const [, version, traceId = "", parentSpanId = "", flags = "", rest = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header.trim()) ?? [];
  if (version === undefined || version === "ff" || isZero(traceId) || isZero(parentSpanId)) return undefined;
  // Only later versions may say more.
  if (version === "00" && rest !== "") return undefined;
  return { traceId, parentSpanId, isWanted: (Number.parseInt(flags, 16) & 1) === 1 };
}

const longestHeader = 512;

const isZero = (id: string): boolean => /^0+$/.test(id);

/** All zero is no id; that a digest is has never been seen. */
const digest = (text: string, length: number): string => hash("sha256", text).slice(0, length);
