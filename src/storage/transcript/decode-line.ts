import { EntryBody, type Entry } from "@pincer/sdk";
import { Compile } from "typebox/compile";
import { unsealLine } from "./line-codec.ts";

export type DecodedLine = { ok: true; entry: Entry } | { ok: false; reason: string };

/** Reads one line back; never throws. A line that is not exactly what was written is refused with a reason. */
export function decodeLine(line: string): DecodedLine {
  const json = unsealLine(line);
  if (json === undefined) return { ok: false, reason: "its checksum is missing or does not fit" };
  const value = parse(json);
  if (!isRecord(value)) return { ok: false, reason: "it is not a JSON object" };
  const { seq, time, ...body } = value;
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1)
    return { ok: false, reason: "its seq is no positive integer" };
  if (typeof time !== "string" || !isTimestamp(time))
    return { ok: false, reason: "its time is not RFC 3339 in UTC with milliseconds" };
  if (!checkBody().Check(body)) return { ok: false, reason: `it is no valid ${kindOf(body)} entry` };
  return { ok: true, entry: { seq, time, ...body } };
}

const checkBody = once(() => Compile(EntryBody));

/** Compiling takes milliseconds, and not every start reads a transcript. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A sealed line that is no JSON was not written by us; undefined is no record, and the caller says so.
    return undefined;
  }
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

function kindOf(body: Record<string, unknown>): string {
  const type = body["type"];
  return typeof type === "string" && /^[a-z-]{1,32}$/.test(type) ? type : "transcript";
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
