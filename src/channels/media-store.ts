/** Files that came along with messages, named by what they hold: the same file twice is kept once. */
import { createHash, randomBytes } from "node:crypto";
import { open, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attachment, MediaStore } from "@pincer/sdk";
import { ensureDir } from "../config/home.ts";
import { failure } from "../infra/failure.ts";
import { syncDirectory } from "../infra/sync-to-disk.ts";

export const largestMediaBytes = 50 * 1024 * 1024;

/** `store` throws `usage/bad-argument` for a file that is too large; `read` throws `usage/not-found`. Else the system's errors. */
export function createMediaStore({ directory }: { directory: string }): MediaStore {
  const fileOf = (digest: string) => join(directory, digest.slice(0, 2), digest);
  return {
    async store(content, { mimeType, name }): Promise<Attachment> {
      const sizeBytes = content.byteLength;
      if (sizeBytes > largestMediaBytes) {
        const facts = { size: sizeBytes, limit: largestMediaBytes };
        throw failure("usage/bad-argument", "media.too-large", facts, { hint: "media.too-large.hint" });
      }
      const digest = createHash("sha256").update(content).digest("hex");
      await keep(fileOf(digest), content);
      const kind = kindOf(mimeType);
      return {
        kind,
        media: `sha256:${digest}`,
        mimeType,
        sizeBytes,
        ...(name === undefined ? {} : { name }),
      };
    },
    async read(media) {
      const digest = /^sha256:([0-9a-f]{64})$/.exec(media)?.[1];
      if (digest === undefined) throw notFound(media);
      const content = await readFile(fileOf(digest)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? notFound(media) : error;
      });
      // What a failing disk made of it is not what somebody sent.
      if (createHash("sha256").update(content).digest("hex") !== digest) throw notFound(media);
      return content;
    },
  };
}

const notFound = (media: string) =>
  failure("usage/not-found", "media.not-found", { media }, { hint: "media.not-found.hint" });

function kindOf(mimeType: string): Attachment["kind"] {
  const [type = ""] = mimeType.toLowerCase().split("/");
  return type === "image" || type === "audio" || type === "video" ? type : "file";
}

/** On the disk, whole, under its name when it resolves. */
async function keep(file: string, content: Uint8Array): Promise<void> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => undefined,
  );
  if (size === content.byteLength) return;
  ensureDir(dirname(file));
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    // The error that led here says more than one about a leftover would.
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(file));
}
