/** Files that came along with messages, named by what they hold: the same file twice is kept once, and none of them for ever. */
import type { Attachment, MediaStore } from "@pincer/sdk";
import { defaultConfig } from "../config/default-config.ts";
import { diskFailure } from "../config/disk-failure.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { createOneAtATime } from "../infra/one-at-a-time.ts";
import { cleanMedia, type MediaCleaning } from "./media-cleaning.ts";
import { tidyMediaName } from "./media-name.ts";
import { createMediaShelf, digestOf, type MediaFiles } from "./media-shelf.ts";
import { plainType, sniffMediaType } from "./media-type.ts";

export interface MediaLimits {
  maxFileBytes: number;
  maxBytes: number;
  keepDays: number;
}

export interface KeptMedia extends MediaStore {
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
  const shelf = createMediaShelf({ directory, files });
  const inOrder = createOneAtATime();
  /** Of all files, as far as known: counted with the first that is stored, and by every cleaning. */
  let totalBytes: number | undefined;
  /** Not to be taken away again before anybody has heard of them. */
  const arriving = new Set<string>();

  const clean = ({ now }: { now: number }, share = 1) =>
    inOrder("clean", async () => {
      const { keepDays, maxBytes } = limits();
      const most = { keepDays, maxBytes: maxBytes * share };
      const cleaning = await cleanMedia({ shelf, limits: most, now, spared: arriving });
      totalBytes = cleaning.keptBytes;
      return cleaning;
    });

  return {
    async store(content, { mimeType: claimed, name }): Promise<Attachment> {
      const sizeBytes = content.byteLength;
      const { maxFileBytes, maxBytes } = limits();
      const limit = Math.min(maxFileBytes, maxBytes);
      if (sizeBytes > limit) throw tooLarge(sizeBytes, limit);
      const mimeType = await sniffMediaType(content, claimed);
      const digest = await digestOf(content);
      arriving.add(digest);
      try {
        const isNew = await shelf.put(digest, content, clock.now());
        if (isNew) await makeRoom(sizeBytes);
      } catch (error) {
        throw diskFailure(error, directory);
      } finally {
        arriving.delete(digest);
      }
      return {
        kind: kindOf(mimeType),
        media: `sha256:${digest}`,
        mimeType,
        ...given(
          "claimedType",
          plainType(claimed) === mimeType ? undefined : plainType(claimed) || undefined,
        ),
        sizeBytes,
        ...given("name", name === undefined ? undefined : tidyMediaName(name)),
      };
    },
    async read(media) {
      const digest = /^sha256:([0-9a-f]{64})$/.exec(media)?.[1];
      const content = digest === undefined ? undefined : await shelf.take(digest, clock.now());
      if (content === undefined) throw notFound(media);
      return content;
    },
    clean: (when) => clean(when),
  };

  /** Between two cleanings a flood of files would fill the disk. */
  async function makeRoom(addedBytes: number): Promise<void> {
    if (totalBytes !== undefined) totalBytes += addedBytes;
    if (totalBytes !== undefined && totalBytes <= limits().maxBytes) return;
    // The file is kept by now; that cleaning cannot be done is told by the one of the day.
    await clean({ now: clock.now() }, totalBytes === undefined ? 1 : roomyShare).catch(() => undefined);
  }
}

/** Of what may be kept, so that not every file that comes after looks at all the others again. */
const roomyShare = 0.9;

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
