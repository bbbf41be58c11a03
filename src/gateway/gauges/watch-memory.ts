/**
 * Notifies the owner once when the process uses more memory than it should. It is not killed: running work continues.
 */
import type { NoticeStore } from "../../storage/outbox/notices.ts";

export interface MemoryWatch {
  /** Looks once. Throws what the storage does. */
  look(rssBytes: number): Promise<void>;
}

export const softBoundBytes = 512 * 1024 * 1024;
/** Below this part of the bound it is over, so that a value that swings is told once. */
const overBelow = 0.8;
const subject = "gateway:memory";

export function createMemoryWatch({
  notices,
  boundBytes = softBoundBytes,
  told,
}: {
  notices: Pick<NoticeStore, "add" | "dismiss">;
  boundBytes?: number;
  /** The owner may be told now. */
  told(): void;
}): MemoryWatch {
  let isAbove = false;
  return {
    async look(rssBytes) {
      if (!isAbove && rssBytes > boundBytes) {
        isAbove = true;
        const parameters = { used: megabytes(rssBytes), bound: megabytes(boundBytes) };
        await notices.add({ kind: "memory", subject, text: { key: "notice.memory", parameters } });
        told();
      } else if (isAbove && rssBytes < boundBytes * overBelow) {
        isAbove = false;
        await notices.dismiss(subject);
      }
    },
  };
}

const megabytes = (bytes: number): number => Math.round(bytes / (1024 * 1024));
