/** What providers themselves said about their models, kept in the home: one file each, which may be deleted at any time. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { replacePrivateFile } from "../../config/write-private-file.ts";
import type { Clock } from "../../infra/clock.ts";
import { ModelEntry } from "./model-entry.ts";

const RefreshedFile = Type.Object({
  provider: Type.String(),
  /** RFC 3339. */
  refreshedAt: Type.String(),
  models: Type.Array(ModelEntry),
});
export type RefreshedFile = Static<typeof RefreshedFile>;

export interface RefreshedModels {
  /** undefined when there is none, or none that can be read; the latter is told once. Never throws. */
  read(provider: string): Promise<RefreshedFile | undefined>;
  /** Throws PincerError `storage/…` or the system's error. */
  write(file: RefreshedFile): Promise<void>;
}

export function createRefreshedModels({
  directory,
  clock,
  onBroken,
}: {
  directory: string;
  clock: Clock;
  /** Told of a file that is not what it should be. */
  onBroken(file: string): void;
}): RefreshedModels {
  const seen = new Map<string, { stamp: string; file: RefreshedFile | undefined; lookedAt: number }>();
  const pathOf = (provider: string) => join(directory, `${provider}.json`);

  return {
    async read(provider) {
      if (!isFileName(provider)) return undefined;
      const known = seen.get(provider);
      const lookedAt = clock.monotonic();
      if (known && lookedAt - known.lookedAt < believedMs) return known.file;
      const path = pathOf(provider);
      const stats = await stat(path).catch(() => undefined);
      const stamp = stats?.isFile() ? `${stats.mtimeMs} ${stats.size}` : "";
      const isSame = stamp === "" || known?.stamp === stamp;
      const text = isSame ? "" : await readFile(path, "utf8").catch(() => "");
      const file = stamp === "" ? undefined : isSame ? known?.file : await parse(text, provider);
      if (!isSame && !file) onBroken(path);
      seen.set(provider, { stamp, file, lookedAt });
      return file;
    },
    async write(file) {
      if (!isFileName(file.provider)) return;
      await replacePrivateFile(pathOf(file.provider), `${JSON.stringify(file, null, 2)}\n`);
      seen.delete(file.provider);
    },
  };
}

/** How long a look at the disk is believed: every turn asks. */
const believedMs = 5000;

/** Providers are named by people; a name that could lead elsewhere has no file. */
const isFileName = (provider: string): boolean => /^[A-Za-z0-9][\w.-]{0,99}$/.test(provider);

async function parse(text: string, provider: string): Promise<RefreshedFile | undefined> {
  // Most homes have no such file, and a turn should not wait for what reads it.
  const { Check } = await import("typebox/value");
  try {
    const value: unknown = JSON.parse(text);
    return Check(RefreshedFile, value) && value.provider === provider ? value : undefined;
  } catch {
    // Cut short or edited by hand: the caller tells.
    return undefined;
  }
}
