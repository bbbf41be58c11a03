/** Tells the owner of a trouble that lasts: once, and until it is over. */
import type { NoticeDraft } from "../../storage/outbox/notice.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";

export interface StandingNotices {
  /** How it is with this subject now; no text: it is well. Throws what the storage does. */
  look(subject: string, text: NoticeDraft["text"] | undefined): Promise<void>;
}

export function createStandingNotices({
  notices,
  told,
}: {
  notices: Pick<NoticeStore, "add" | "dismiss">;
  /** The owner may be told now. */
  told(): void;
}): StandingNotices {
  /** Whether there is one; an earlier process may have left one of which nobody here knows. */
  const standing = new Map<string, boolean>();
  return {
    async look(subject, text) {
      if (standing.get(subject) === (text !== undefined)) return;
      if (text) {
        await notices.add({ kind: "trouble", subject, text });
        told();
      } else await notices.dismiss(subject);
      standing.set(subject, text !== undefined);
    },
  };
}
