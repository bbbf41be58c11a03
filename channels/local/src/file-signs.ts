/** Detects changes of a file by system events and, without those, by polling. */
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { ChannelHost } from "@pincer/sdk";

export interface FileSigns {
  /** From here on signs count. */
  hush(): void;
  /** Resolves at the next sign since `hush`, after `ms`, or when the signal aborts. Never throws. */
  next(clock: ChannelHost["clock"], ms: number, signal: AbortSignal): Promise<void>;
  /** Safe to call twice. */
  close(): void;
}

/** Watches the directory, so that a file which is replaced or not there yet is seen too. */
export function watchFile(path: string): FileSigns {
  let isSeen = false;
  let wake: (() => void) | undefined;
  const onSign = () => {
    isSeen = true;
    wake?.();
  };
  const watcher = startWatching(dirname(path), (name) => {
    if (name === null || name === basename(path)) onSign();
  });
  return {
    hush() {
      isSeen = false;
    },
    async next(clock, ms, signal) {
      if (isSeen) return;
      const timer = new AbortController();
      const onAbort = () => timer.abort();
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) timer.abort();
      wake = onAbort;
      // Aborted by a sign, which is what was waited for.
      await clock.sleep(ms, timer.signal).catch(() => undefined);
      wake = undefined;
      signal.removeEventListener("abort", onAbort);
    },
    close: () => watcher?.close(),
  };
}

function startWatching(directory: string, onName: (name: string | null) => void) {
  try {
    const watcher = watch(directory, (_event, name) => onName(name));
    // Looking now and then does what the signs would have done.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    // Looking now and then does what the signs would have done.
    return undefined;
  }
}
