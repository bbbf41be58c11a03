import { EntryBody, type Entry } from "@pincer/sdk";
import { Compile } from "typebox/compile";
import { createSay, type Say } from "../../infra/texts.ts";
import { unsealLine } from "./line-codec.ts";

export type DecodedLine = { ok: true; entry: Entry } | { ok: false; reason: string };

/** Reads one line back; never throws. A line that is not exactly what was written is refused with a reason, in English unless told. */
export function decodeLine(line: string, say: Say = english): DecodedLine {
  const json = unsealLine(line);
  if (json === undefined) return refuse(say("transcript.flaw.checksum"));
  const value = parse(json);
  if (!isRecord(value)) return refuse(say("transcript.flaw.no-object"));
  const { seq, time, ...body } = value;
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1)
    return refuse(say("transcript.flaw.seq"));
  if (typeof time !== "string" || !isTimestamp(time)) return refuse(say("transcript.flaw.time"));
  if (!checkBody().Check(body)) return refuse(say("transcript.flaw.body", { kind: kindOf(body) }));
  return { ok: true, entry: { seq, time, ...body } };
}

const english = createSay("en");

const refuse = (reason: string): DecodedLine => ({ ok: false, reason });

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
