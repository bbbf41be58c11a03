/** What needs the owner, until they have seen it. The promises that all verbs keep are in `storage.ts`. */
import type { Notice, NoticeDraft } from "./notice.ts";
import type { OutboxDraft, OutboxRow } from "./outbox.ts";

export interface NoticeStore {
  /** `isNew` false when one about this subject is open and stays as it is. */
  add(draft: NoticeDraft): Promise<{ notice: Notice; isNew: boolean }>;
  /** Newest first; open ones unless `all`. */
  list(query: { limit: number; all?: boolean }): Promise<Notice[]>;
  /** Open ones that were not sent to the owner yet, oldest first. */
  untold(limit: number): Promise<Notice[]>;
  /** Sends one, once: the rows of the messages that tell it, or none when it was told before. Rides with the next write. */
  tell(id: string, drafts: OutboxDraft[]): Promise<OutboxRow[]>;
  /** By id or by subject. False when there was none open. */
  dismiss(idOrSubject: string): Promise<boolean>;
}
