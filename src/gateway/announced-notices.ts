import type { NoticeStore } from "../storage/outbox/notices.ts";

/** The same notices; `changed` is called when there is another one, or one less. */
export const announcedNotices = (notices: NoticeStore, changed: () => void): NoticeStore => ({
  ...notices,
  async add(draft) {
    const added = await notices.add(draft);
    if (added.isNew || draft.replaces) changed();
    return added;
  },
  async dismiss(idOrSubject) {
    const wasOpen = await notices.dismiss(idOrSubject);
    if (wasOpen) changed();
    return wasOpen;
  },
});
