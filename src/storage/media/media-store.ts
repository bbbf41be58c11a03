/** Files that came along with messages, named by what they hold: the same file twice is kept once, and none of them for ever. */
import type { Attachment, MediaStore } from "@pincer/sdk";
import { defaultConfig } from "../../config/default-config.ts";
import { diskFailure } from "../../config/disk-failure.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { createOneAtATime } from "../../infra/one-at-a-time.ts";
import { cleanMedia, type MediaCleaning } from "./media-cleaning.ts";
import { tidyMediaName } from "./media-name.ts";
import { contentInMemory } from "./media-content.ts";
import { createMediaBlobs, digestOf, type MediaFiles } from "./media-files.ts";
import { plainType, sniffContentType, sniffMediaType } from "./media-type.ts";

export interface MediaLimits {
  maxFileBytes: number;
  maxBytes: number;
  keepDays: number;
}

export interface ArrivingMedia {
  mimeType: string;
  name?: string;
  /** Asked when all of it is here, and before it is kept: what it throws is thrown, and nothing is kept. */
  mayKeep?(sizeBytes: number): void;
}

export interface KeptMedia extends MediaStore {
  /** As `store`, of what comes piece by piece, and is on the disk and not in memory. Throws what the pieces do, too, and keeps nothing then. */
  receive(pieces: AsyncIterable<Uint8Array>, about: ArrivingMedia): Promise<Attachment>;
  /**
   * Removes what was not used for `keepDays`, then the oldest beyond `maxBytes`, and what interrupted writes have left. Safe beside
   * everything else and at any interruption. Throws only when a directory cannot be read; a file that cannot be removed is counted.
   */
  clean(when: { now: number }): Promise<MediaCleaning>;
}

/**
 * `store` throws `usage/bad-argument` for a file that is too large, `storage/full` and `storage/unavailable` for a disk that refuses;
 * `read` throws `usage/not-found`, also for what was cleaned away. `limits` are asked anew each time.
 */
export function createMediaStore({
  directory,
  limits = () => defaultConfig.media,
  clock = systemClock,
  files,
}: {
  directory: string;
  limits?: () => MediaLimits;
  clock?: Pick<Clock, "now">;
  files?: MediaFiles;
}): KeptMedia {
  const blobs = createMediaBlobs({ directory, files });
  const inOrder = createOneAtATime();
  /** Of all files, as far as known: counted with the first that is stored, and by every cleaning. */
  let totalBytes: number | undefined;
  /** Not to be taken away again before anybody has heard of them. */
  const arriving = new Set<string>();

  const clean = ({ now }: { now: number }, share = 1) =>
    inOrder("clean", async () => {
      const { keepDays, maxBytes } = limits();
      const most = { keepDays, maxBytes: maxBytes * share };
      const cleaning = await cleanMedia({ blobs, limits: most, now, spared: arriving });
      totalBytes = cleaning.keptBytes;
      return cleaning;
    });

  function limitOfOne(): number {
    const { maxFileBytes, maxBytes } = limits();
    return Math.min(maxFileBytes, maxBytes);
  }

  async function keep(digest: string, sizeBytes: number, put: () => Promise<boolean>): Promise<void> {
    arriving.add(digest);
    try {
      const isNew = await onDisk(put);
      if (isNew) await freeSpace(sizeBytes);
    } finally {
      arriving.delete(digest);
    }
  }

  /** What the disk says in words; what anybody else throws stays as it is. */
  async function onDisk<Done>(work: () => Promise<Done>): Promise<Done> {
    try {
      return await work();
    } catch (error) {
      throw diskFailure(error, directory);
    }
  }

  return {
    async store(content, { mimeType: claimed, name }): Promise<Attachment> {
      const sizeBytes = content.byteLength;
      const limit = limitOfOne();
      if (sizeBytes > limit) throw tooLarge(sizeBytes, limit);
      const mimeType = await sniffMediaType(content, claimed);
      const digest = await digestOf(contentInMemory(content));
      await keep(digest, sizeBytes, () => blobs.put(digest, content, clock.now()));
      return attachmentOf({ digest, sizeBytes, mimeType, claimed, name });
    },
    async receive(pieces, { mimeType: claimed, name, mayKeep }) {
      const staged = await onDisk(() => blobs.stage(upTo(limitOfOne(), pieces), clock.now()));
      const { digest, bytes: sizeBytes } = staged;
      try {
        mayKeep?.(sizeBytes);
        const mimeType = await onDisk(() => blobs.look(staged, (it) => sniffContentType(it, claimed)));
        await keep(digest, sizeBytes, () => blobs.putStaged(staged, clock.now()));
        return attachmentOf({ digest, sizeBytes, mimeType, claimed, name });
      } catch (error) {
        // The error that led here says more than one about a leftover would.
        await blobs.removeLeftover(staged.file).catch(() => undefined);
        throw error;
      }
    },
    async read(media) {
      const digest = /^sha256:([0-9a-f]{64})$/.exec(media)?.[1];
      const content = digest === undefined ? undefined : await blobs.take(digest, clock.now());
      if (content === undefined) throw notFound(media);
      return content;
    },
    clean: (when) => clean(when),
  };

  /** Between two cleanings a flood of files would fill the disk. */
  async function freeSpace(addedBytes: number): Promise<void> {
    if (totalBytes !== undefined) totalBytes += addedBytes;
    if (totalBytes !== undefined && totalBytes <= limits().maxBytes) return;
    // The file is kept by now; that cleaning cannot be done is told by the one of the day.
    await clean({ now: clock.now() }, totalBytes === undefined ? 1 : targetShare).catch(() => undefined);
  }
}

/** Throws as soon as there is more of it. */
async function* upTo(limit: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(size, limit);
    yield piece;
  }
}

function attachmentOf({
  digest,
  sizeBytes,
  mimeType,
  claimed,
  name,
}: {
  digest: string;
  sizeBytes: number;
  mimeType: string;
  claimed: string;
  name: string | undefined;
}): Attachment {
  const claim = plainType(claimed);
  return {
    kind: kindOf(mimeType),
    media: `sha256:${digest}`,
    mimeType,
    ...given("claimedType", claim === mimeType ? undefined : claim || undefined),
    sizeBytes,
    ...given("name", name === undefined ? undefined : tidyMediaName(name)),
  };
}

/** Of what may be kept, so that not every file that comes after looks at all the others again. */
const targetShare = 0.9;

const tooLarge = (size: number, limit: number) =>
  failure("usage/bad-argument", "media.too-large", { size, limit }, { hint: "media.too-large.hint" });

const notFound = (media: string) =>
  failure("usage/not-found", "media.not-found", { media }, { hint: "media.not-found.hint" });

function kindOf(mimeType: string): Attachment["kind"] {
  const [type = ""] = mimeType.split("/");
  return type === "image" || type === "audio" || type === "video" ? type : "file";
}

/** The key with its value, or nothing where there is none. */
const given = <Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
