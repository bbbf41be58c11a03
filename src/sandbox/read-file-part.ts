/** Reads what a tool may show of a file: some lines, a picture, or else its type. */
import type { FileHandle } from "node:fs/promises";
import { readWhole, type FileVersion } from "./file-version.ts";
import { WorkdirError } from "./workdir-opener.ts";

export interface WantedPart {
  /** The first line, counted from 1. */
  line: number;
  /** How many lines; by default as many as fit. */
  lines?: number | undefined;
  maxBytes: number;
}

export type FilePart =
  | {
      type: "text";
      text: string;
      /** Bytes of the whole file. */
      size: number;
      /** The next line after it; undefined at the end of the file. */
      next: number | undefined;
    }
  | { type: "image"; mimeType: string; bytes: Buffer; size: number }
  /** `kind` is a media type, as far as it is known. */
  | { type: "binary"; kind: string; size: number };

const mostImageBytes = 5_000_000;
const headBytes = 8192;
const chunkBytes = 65_536;

/** Where the bytes come from: of a file that has a hash, the very bytes that were hashed. */
interface Source {
  size: number;
  at(from: number, most: number): Promise<Buffer>;
}

/** Closes the handle. Throws WorkdirError if it is no file or has fewer lines. */
export async function readFilePart(
  handle: FileHandle,
  path: string,
  wanted: WantedPart,
  place: { real: string; realRoot: string },
): Promise<FilePart & { version: FileVersion }> {
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new WorkdirError(`${path} is a directory; list it instead`);
    const { bytes, version } = await readWhole(handle, place);
    const source: Source = bytes
      ? { size: bytes.length, at: async (from, most) => bytes.subarray(from, from + most) }
      : { size: stat.size, at: (from, most) => bytesAt(handle, from, most, stat.size) };
    return { ...(await partOf(source, path, wanted)), version };
  } finally {
    await handle.close();
  }
}

async function partOf(source: Source, path: string, wanted: WantedPart): Promise<FilePart> {
  const { size } = source;
  const head = await source.at(0, headBytes);
  const mimeType = imageTypeOf(head);
  if (mimeType !== undefined && size <= mostImageBytes)
    return { type: "image", mimeType, bytes: await source.at(0, mostImageBytes), size };
  if (head.includes(0)) return { type: "binary", kind: await kindOf(head), size };

  const from = await startOfLine(source, path, wanted.line);
  const bytes = await source.at(from, wanted.maxBytes);
  if (bytes.includes(0)) return { type: "binary", kind: await kindOf(head), size };
  const part = bytes.subarray(0, endOfLines(bytes, wanted.lines));
  // `stream: true` drops a character that the limit cut in two.
  const text = new TextDecoder("utf-8", { ignoreBOM: from > 0 }).decode(part, { stream: true });
  const isAll = from + part.length >= size;
  return { type: "text", text, size, next: isAll ? undefined : wanted.line + newlinesIn(part) };
}

/** By content, never by name; compares the whole signature, since a text may begin with its first letters. */
function imageTypeOf(head: Buffer): string | undefined {
  const start = head.toString("latin1", 0, 16);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF[^]{4}WEBP/.test(start)) return "image/webp";
  return undefined;
}

/** The same for types that no tool shows. */
async function kindOf(head: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? "unknown";
}

async function bytesAt(handle: FileHandle, from: number, most: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, Math.min(most, size - from)));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}

/** The byte offset of the line. */
async function startOfLine(source: Source, path: string, line: number): Promise<number> {
  let before = line - 1;
  let from = 0;
  while (before > 0) {
    const chunk = await source.at(from, chunkBytes);
    if (chunk.length === 0)
      throw new WorkdirError(`${path} has ${line - before} lines; there is no line ${line}`);
    let at = chunk.indexOf(newline);
    while (at >= 0 && before > 0) {
      before -= 1;
      if (before === 0) return from + at + 1;
      at = chunk.indexOf(newline, at + 1);
    }
    from += chunk.length;
  }
  return from;
}

const newline = 10;

function endOfLines(bytes: Buffer, lines: number | undefined): number {
  if (lines === undefined) return bytes.length;
  let end = 0;
  for (let left = lines; left > 0; left--) {
    const at = bytes.indexOf(newline, end);
    if (at < 0) return bytes.length;
    end = at + 1;
  }
  return end;
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}
