import { TextDecoder } from "node:util";

/** Decodes bytes in the encoding that they declare: by byte order mark, header, or the page itself. Never throws. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const named = markOf(bytes) ?? charsetOf(contentType) ?? charsetInPage(bytes) ?? "utf-8";
  return decoderFor(named).decode(bytes);
}

function decoderFor(name: string): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    // An unknown name counts as none.
    return new TextDecoder();
  }
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

const charsetOf = (text: string): string | undefined => /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];

/** The part of a page that may declare it. */
const headBytes = 2048;

function charsetInPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1");
  const [, inXml] = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ?? [];
  const meta = /<meta[^>]*charset[^>]*>/i.exec(head)?.[0];
  const named = inXml ?? (meta && charsetOf(meta));
  // A name that was readable until here is not in UTF-16.
  return named?.toLowerCase().startsWith("utf-16") ? "utf-8" : named;
}
