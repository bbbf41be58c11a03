/** Serves a folder of files from the build: compressed if available, and sent again only if they changed. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { HttpFailure, type HttpCall, type HttpReply } from "../http/http-route.ts";

/** Nothing comes from anywhere else, nothing is inline, and no other page may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** The best first. */
const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

export interface StaticFile {
  /** Within the folder; its last part must be a plain name. */
  path: string;
  /** Its name changes with its content, so that nobody needs to ask again. */
  isImmutable?: boolean | undefined;
  /** 404 for what stands in the place of something that is not there; nobody keeps it. */
  status?: 404 | undefined;
}

/** Fails with 404 for what is not there, and for what is no plain name. */
export function createStaticFiles({
  directory,
  missing,
}: {
  directory: string;
  missing?: string | undefined;
}) {
  const notFound = () => new HttpFailure(404, "NOT_FOUND", missing ?? "There is no such file.");

  return async function serve(call: HttpCall, reply: HttpReply, file: StaticFile): Promise<void> {
    const type = types[extname(file.path)];
    if (type === undefined || !isPlain(file.path)) throw notFound();
    const found = await readBest(join(directory, file.path), String(call.headers["accept-encoding"] ?? ""));
    if (!found) throw notFound();
    const tag = `"${createHash("sha256").update(found.bytes).digest("base64url").slice(0, 22)}"`;
    const headers = {
      "content-type": type,
      "content-security-policy": policy,
      // The names of links in answers are looked up when somebody follows them.
      "x-dns-prefetch-control": "off",
      vary: "accept-encoding",
    };
    const encoding = found.encoding === undefined ? {} : { "content-encoding": found.encoding };
    if (file.status === 404) {
      reply.bytes(404, found.bytes, { ...headers, ...encoding, "cache-control": "no-store" });
      return;
    }
    const kept = {
      ...headers,
      "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      etag: tag,
    };
    if (call.headers["if-none-match"] === tag) {
      reply.bytes(304, new Uint8Array(), kept);
      return;
    }
    reply.bytes(200, found.bytes, { ...kept, ...encoding });
  };
}

/** Every part is a name without tricks: nothing leads out of the folder, and nothing hidden is served. */
const isPlain = (path: string): boolean =>
  path.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(part));

async function readBest(
  file: string,
  accepted: string,
): Promise<{ bytes: Buffer; encoding?: string } | undefined> {
  for (const { name, ending } of encodings) {
    if (!new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted)) continue;
    const bytes = await readIfThere(`${file}${ending}`);
    if (bytes) return { bytes, encoding: name };
  }
  const bytes = await readIfThere(file);
  return bytes && { bytes };
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}
