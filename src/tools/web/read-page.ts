/** What an answer of the web says, in words. It may take long and much memory: it is called on the page thread. */
import { decodeText } from "./decode-text.ts";
import type { PageFormat } from "./html-text.ts";
import { visibleCharacters } from "./visible-characters.ts";

export interface PageSource {
  bytes: Uint8Array;
  /** As the server says. */
  contentType: string;
  /** Where it is from: links are made whole with it. */
  url: string;
  format: PageFormat;
}

export type PageKind = "html" | "pdf" | "json" | "text";

export interface PageText {
  kind: PageKind;
  title: string;
  text: string;
}

/** Throws an error whose message is fit for a model. */
export async function readPage(source: PageSource): Promise<PageText> {
  const kind = kindOf(source);
  if (kind === undefined)
    throw new Error(`not a text: ${source.contentType || "of no type"}, ${source.bytes.length} bytes`);
  const { title, text } = await wordsOf(kind, source);
  return { kind, title: visibleCharacters(title).replace(/\s+/g, " ").trim(), text: visibleCharacters(text) };
}

/** Of a larger page the beginning is read, which is more than is ever shown; all of it would be cut off by time, with nothing read. */
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
    // Cut off, or no JSON after all: then it is a text.
    return words;
  }
}

/** By its first bytes where these are clear, else by what the server says; undefined: not for reading. */
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
