/**
 * What a backup says about itself. It is written last, so a directory without one is not a backup, and only
 * names that a backup can hold are believed: a manifest cannot point at files elsewhere.
 */
import { PincerError } from "@pincer/sdk";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Check } from "typebox/value";
import { failure } from "../../infra/failure.ts";
import type { TextKey } from "../../infra/texts.ts";

export const manifestName = "manifest.json";
export const formatVersion = 1;

/** The names, relative to the directory, that a backup may hold besides its manifest. */
export const allowedName =
  /^(core\.db|config\.json5|secrets\.json|secret\.key|config-history\/[A-Za-z0-9][A-Za-z0-9._-]*|memory\/[^/\\]+\.md)$/;

export const Manifest = Type.Object({
  formatVersion: Type.Literal(formatVersion),
  pincerVersion: Type.String(),
  createdAt: Type.String(),
  /** Null when there was no database that could be copied. */
  database: Type.Union([
    Type.Object({
      schemaVersion: Type.Integer({ minimum: 0 }),
      sessions: Type.Integer({ minimum: 0 }),
      entries: Type.Integer({ minimum: 0 }),
    }),
    Type.Null(),
  ]),
  /** Whether the key of the secrets is in it. */
  withKey: Type.Boolean(),
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: allowedName.source }),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
  ),
});

export type Manifest = Static<typeof Manifest>;

/** Throws PincerError `backup/invalid` with what is wrong. */
export async function readManifest(directory: string): Promise<Manifest> {
  const value = parse(await readText(directory), directory);
  const version =
    typeof value === "object" && value !== null && "formatVersion" in value ? value.formatVersion : null;
  if (typeof version === "number" && version > formatVersion) {
    const versions = { directory, version, known: formatVersion };
    throw failure("backup/invalid", "failure.backup-too-new", versions, {
      hint: "failure.backup-too-new.hint",
    });
  }
  if (Check(Manifest, value)) return value;
  throw invalid("failure.backup-no-manifest", { directory });
}

/** Size and digest of a plain file, read as a stream. Throws `backup/invalid` for anything that is not one. */
export async function describeFile(directory: string, name: string): Promise<Manifest["files"][number]> {
  const path = join(directory, name);
  const status = await lstat(path);
  if (!status.isFile()) throw invalid("failure.backup-no-file", { path });
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { name, size: status.size, sha256: hash.digest("hex") };
}

async function readText(directory: string): Promise<string> {
  const path = join(directory, manifestName);
  try {
    if (!(await lstat(path)).isFile()) throw invalid("failure.backup-no-file", { path });
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof PincerError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR")
      throw invalid("failure.file-unreadable", { path, reason: message });
    throw invalid("failure.backup-incomplete", { directory });
  }
}

function parse(text: string, directory: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid("failure.backup-no-json", { directory, reason: (error as Error).message });
  }
}

const invalid = (key: TextKey, parameters: Record<string, string>) =>
  failure("backup/invalid", key, { manifest: manifestName, ...parameters }, { hint: "failure.backup.hint" });
