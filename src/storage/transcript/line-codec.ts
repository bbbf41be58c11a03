/**
 * One entry as one line of a transcript: `{"seq":…,"time":…,"type":…,…,"sum":"xxxxxxxx"}`. The sum is the CRC-32 of the UTF-8
 * bytes before `,"sum":`, so that a line damaged on the disk is never taken for what was said.
 * Reading a line back, in `decode-line.ts`, needs the schema; who only writes does not pay for it.
 */
import { crc32 } from "node:zlib";
import type { Entry } from "@pincer/sdk";

/** Without the line break at its end. Pure; keys keep their order behind seq, time and type. */
export function encodeLine(entry: Entry): string {
  const { seq, time, type, ...rest } = entry;
  // JSON escapes lone surrogates itself; the other line separators are escaped for readers that break lines at them.
  const json = JSON.stringify({ seq, time, type, ...rest }).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const sealed = json.slice(0, -1);
  return `${sealed},"sum":"${sumOf(sealed)}"}`;
}

/** The JSON under the seal, or undefined when the seal is missing or broken. */
export function unsealLine(line: string): string | undefined {
  const seal = /,"sum":"([0-9a-f]{8})"\}$/.exec(line.slice(-sealLength));
  if (!seal) return undefined;
  const sealed = line.slice(0, -sealLength);
  return sumOf(sealed) === seal[1] ? `${sealed}}` : undefined;
}

const sealLength = ',"sum":"xxxxxxxx"}'.length;

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, "0");
