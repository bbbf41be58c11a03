/** What a file was when it was read: enough to say later whether it is still the same, and who may have changed it. */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { relative } from "node:path";
import { isInside } from "./is-inside.ts";

export interface FileVersion {
  /** The real path. */
  real: string;
  /** In the workdir, as people and models name it; else the real path. That of a directory ends with a slash. */
  name: string;
  /** SHA-256 of its content, as hex; left out for a directory, and for a file that is too large. */
  hash?: string | undefined;
  /** When anything about it was last changed. A program can set the time of modification, never this one. */
  ctimeMs: number;
}

/** A larger file has no hash. */
export const mostHashedBytes = 20_000_000;

export const hashOf = (content: string | Uint8Array): string => hash("sha256", content);

/** Relative to the workdir, or absolute outside it. Pure. */
export const nameIn = (realRoot: string, real: string): string =>
  isInside(real, realRoot) ? relative(realRoot, real) || "." : real;

export async function versionOfDirectory(
  { handle, real }: { handle: FileHandle; real: string },
  realRoot: string,
): Promise<FileVersion> {
  return { real, name: `${nameIn(realRoot, real)}/`, ctimeMs: (await handle.stat()).ctimeMs };
}

export interface WholeFile {
  /** Undefined if it is too large to be read at once. */
  bytes: Buffer | undefined;
  version: FileVersion;
}

/** The hash is that of the very bytes. If somebody writes meanwhile, the version has the later time of change. */
export async function readWhole(
  handle: FileHandle,
  { real, realRoot }: { real: string; realRoot: string },
): Promise<WholeFile> {
  const { size, ctimeMs } = await handle.stat();
  const name = nameIn(realRoot, real);
  if (size > mostHashedBytes) return { bytes: undefined, version: { real, name, ctimeMs } };
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === bytes.length) break;
  }
  const whole = bytes.subarray(0, Math.min(length, size));
  const after = await handle.stat();
  const hashed = after.size === size ? { hash: hashOf(whole) } : {};
  return { bytes: whole, version: { real, name, ...hashed, ctimeMs: Math.max(ctimeMs, after.ctimeMs) } };
}
