/**
 * What a file is, told by what it holds; what its sender calls it decides only where the content leaves it open, and then among types
 * that nothing executes. Archives are named from the outside: nothing is ever unpacked to look into it.
 */
import { isUtf8 } from "node:buffer";
import { contentInMemory, type MediaContent } from "./media-content.ts";

const unknownType = "application/octet-stream";

type LookUp = (content: MediaContent) => Promise<string | undefined>;

/** Never throws: what cannot be told is `application/octet-stream`. `lookUp` may throw, or know nothing. */
export const sniffMediaType = (content: Uint8Array, claimed: string, lookUp?: LookUp): Promise<string> =>
  sniffContentType(contentInMemory(content), claimed, lookUp);

/** The same; throws only what reading the content does. */
export async function sniffContentType(
  content: MediaContent,
  claimed: string,
  lookUp: LookUp = lookUpInTable,
): Promise<string> {
  const claim = plainType(claimed);
  const start = await content.slice(0, startBytes);
  // Asked first: every format that shows pictures or runs has bytes that no text has, so a header alone makes no picture.
  if (await isText(content)) return textType(start, claim);
  const known = beginnings.find(({ bytes }) => startsWith(start, bytes))?.type;
  if (known !== undefined) return known === zip ? zipType(start, content) : known;
  const found = await lookUp(content).catch(() => undefined);
  const sniffed = binaryType(start, plainType(found ?? ""));
  return isSameContainer(sniffed, claim) ? claim : sniffed;
}

/** What tells a format stands within them, but for the names in an archive. */
const startBytes = 4096;

/** Loaded with the first file that needs it. */
async function lookUpInTable(content: MediaContent): Promise<string | undefined> {
  if (content.byteLength < 2) return undefined;
  const { fileTypeFromBlob } = await import("file-type");
  const slice = (from: number, to: number) => ({ arrayBuffer: async () => content.slice(from, to) });
  // All that is asked of one: so it reads what it needs, and no more is ever in memory.
  const blob = { size: content.byteLength, type: "", slice } as unknown as Blob;
  return (await fileTypeFromBlob(blob))?.mime;
}

/** Without parameters and in lower case; empty when it is no type at all. */
export function plainType(type: string): string {
  const [name = ""] = type.toLowerCase().split(";");
  const plain = name.trim();
  return plain.length <= 127 && /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/.test(plain) ? plain : "";
}

/** Valid UTF-8 with no control characters but those of text. */
async function isText(content: MediaContent): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const piece of content.pieces()) {
    const bytes = rest.byteLength === 0 ? asBuffer(piece) : Buffer.concat([rest, piece]);
    const whole = bytes.subarray(0, bytes.byteLength - unfinishedBytes(bytes));
    if (!isUtf8(whole) || nonTextControl.test(whole.toString("latin1"))) return false;
    rest = Buffer.from(bytes.subarray(whole.byteLength));
  }
  return rest.byteLength === 0;
}

/** How many bytes at the end begin a character that goes on in the next piece. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** All but tab, line feed, form feed, carriage return and escape. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const nonTextControl = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Text that is what it is called: none of these is executed or drawn by what opens it. */
const harmlessTextTypes = new Set([
  "application/json",
  "application/toml",
  "application/x-ndjson",
  "application/x-subrip",
  "application/yaml",
  "text/calendar",
  "text/csv",
  "text/markdown",
  "text/tab-separated-values",
  "text/vcard",
  "text/vtt",
  "text/x-diff",
  "text/yaml",
]);

function textType(bytes: Uint8Array, claim: string): string {
  const start = asBuffer(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  if (start.startsWith("#!")) return "text/x-shellscript";
  if (start.startsWith("%PDF-")) return "application/pdf";
  if (start.startsWith("%!PS")) return "application/postscript";
  if (start.startsWith("{\\rtf")) return "application/rtf";
  const markup = /^<([!?/a-z][^\s>]*)/i.exec(withoutComments(start))?.[1];
  if (markup !== undefined) return markupType(markup.toLowerCase(), claim);
  return harmlessTextTypes.has(claim) ? claim : "text/plain";
}

/** One that does not end is left, and is markup like another. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("<!--") && rest.includes("-->")) {
    rest = rest.slice(rest.indexOf("-->") + 3).trimStart();
  }
  return rest;
}

/** A drawing in SVG can run scripts: it is a document, never a picture. */
function markupType(opening: string, claim: string): string {
  const isXml = opening === "?xml" || opening === "svg" || opening.startsWith("svg:");
  return isXml || (/[/+]xml$/.test(claim) && !opening.startsWith("html")) ? "application/xml" : "text/html";
}

const zip = "application/zip";

/** Kept from the table of types, which would unpack a part of them, or look behind them for something else. */
const beginnings = [
  { bytes: "\x1f\x8b", type: "application/gzip" },
  { bytes: "PK\x03\x04", type: zip },
  { bytes: "ID3", type: "audio/mpeg" },
  { bytes: "\xef\xbb\xbf", type: unknownType },
];

/** By the names that stand in it. */
async function zipType(start: Uint8Array, content: MediaContent): Promise<string> {
  // These formats begin with an entry that says what they are, stored as it is.
  const said = /^mimetype(application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z-]+))/.exec(
    asBuffer(start).toString("latin1", 30, 120),
  )?.[1];
  if (said !== undefined) return said;
  const found = await namesIn(content, [...new Set(zipContents.flatMap(({ names }) => names))]);
  return zipContents.find(({ names }) => names.every((name) => found.has(name)))?.type ?? zip;
}

/** Those of the names that stand anywhere in it, also where two pieces meet. */
async function namesIn(content: MediaContent, names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const longest = Math.max(...names.map((name) => name.length));
  let before = Buffer.alloc(0);
  for await (const piece of content.pieces()) {
    const seam = Buffer.concat([before, piece.subarray(0, longest)]);
    const bytes = asBuffer(piece);
    for (const name of names) if (seam.includes(name) || bytes.includes(name)) found.add(name);
    before = Buffer.concat([before, bytes.subarray(-longest)]).subarray(-longest);
  }
  return found;
}

const office = "application/vnd.openxmlformats-officedocument";
const zipContents = [
  { names: ["classes.dex"], type: "application/vnd.android.package-archive" },
  { names: ["META-INF/MANIFEST.MF"], type: "application/java-archive" },
  { names: ["[Content_Types].xml", "word/document"], type: `${office}.wordprocessingml.document` },
  { names: ["[Content_Types].xml", "xl/workbook"], type: `${office}.spreadsheetml.sheet` },
  { names: ["[Content_Types].xml", "ppt/presentation"], type: `${office}.presentationml.presentation` },
];

function binaryType(start: Uint8Array, found: string): string {
  // Three letters are enough for the table, and too little for those who draw it.
  const isNoGif = !startsWith(start, "GIF87a") && !startsWith(start, "GIF89a");
  if (found === "" || (found === "image/gif" && isNoGif)) return unknownType;
  return /[/+]xml$/.test(found) ? "application/xml" : found;
}

/** The same bytes may be either; only what is inside tells, and players find that out themselves. */
const containers: Record<string, readonly string[]> = {
  "video/mp4": ["audio/mp4", "audio/x-m4a", "audio/aac"],
  "video/webm": ["audio/webm"],
  "video/3gpp": ["audio/3gpp"],
  "application/ogg": ["audio/ogg", "video/ogg"],
  "application/x-cfb": ["application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"],
};

const isSameContainer = (sniffed: string, claim: string): boolean =>
  containers[sniffed]?.includes(claim) === true;

const startsWith = (content: Uint8Array, bytes: string): boolean =>
  content.byteLength >= bytes.length &&
  Array.from(bytes).every((character, index) => content[index] === character.charCodeAt(0));
