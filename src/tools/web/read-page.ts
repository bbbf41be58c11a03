/** Turns a web response into text. May be slow and need much memory: runs on the page thread. */
import { decodeText } from "./decode-text.ts";
import type { PageFormat } from "./html-text.ts";
import { visibleCharacters } from "./visible-characters.ts";

export interface PageSource {
  bytes: Uint8Array;
  /** As the server says. */
  contentType: string;
  /** The base of relative links. */
  url: string;
  format: PageFormat;
}

export type PageKind = "html" | "pdf" | "json" | "text";

export interface PageText {
  kind: PageKind;
  title: string;
  text: string;
}

/** Throws an error that is worded for a model. */
export async function readPage(source: PageSource): Promise<PageText> {
  const kind = kindOf(source);
  if (kind === undefined)
    throw new Error(`not a text: ${source.contentType || "of no type"}, ${source.bytes.length} bytes`);
  const { title, text } = await wordsOf(kind, source);
  return { kind, title: visibleCharacters(title).replace(/\s+/g, " ").trim(), text: visibleCharacters(text) };
}

/** Reads the beginning of a larger page, which is more than is ever shown; all of it would exceed the time limit. */
const mostHtmlBytes = 3_000_000;

async function wordsOf(kind: PageKind, { bytes, contentType, url, format }: PageSource) {
  if (kind === "pdf") return { title: "", text: await pdfText(bytes) };
  const words = decodeText(kind === "html" ? bytes.subarray(0, mostHtmlBytes) : bytes, contentType);
  if (kind === "html") return (await import("./html-text.ts")).htmlToText(words, url, format);
  return { title: "", text: kind === "json" ? indented(words) : words };
}

async function pdfText(bytes: Uint8Array): Promise<string> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }));
  return text.join("\n\n");
}

function indented(words: string): string {
  try {
    return JSON.stringify(JSON.parse(words), undefined, 2);
  } catch {
    // Cut off, or not JSON after all: treat it as text.
    return words;
  }
}

/** By its first bytes if these are clear, else by the server's type; undefined: not readable. */
function kindOf({ bytes, contentType }: PageSource): PageKind | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (start.startsWith("%PDF-")) return "pdf";
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/^(application|text)\/(.+\+)?json$/.test(type)) return "json";
  if (type.startsWith("text/") || /^application\/(.+\+xml|xml|javascript|yaml|toml)$/.test(type))
    return "text";
  const isUnnamed = type === "" || type === "application/octet-stream";
  if (!isUnnamed || start.includes("\0")) return undefined;
  return /^\s*(<!doctype html|<html)/i.test(start) ? "html" : "text";
}
