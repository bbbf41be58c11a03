/** Notices for the owner, open until seen. `storage.ts` states the contract of all verbs. */
import type { Notice, NoticeDraft } from "./notice.ts";
import type { OutboxDraft, OutboxRow } from "./outbox.ts";

export interface NoticeStore {
  /** `isNew` is false if one about this subject is open and unchanged. */
  add(draft: NoticeDraft): Promise<{ notice: Notice; isNew: boolean }>;
  /** Newest first; open ones unless `all`. */
  list(query: { limit: number; all?: boolean }): Promise<Notice[]>;
  /** Open notices that were not sent yet, oldest first. */
  untold(limit: number): Promise<Notice[]>;
  /** Sends one, once: returns its message rows, or none if it was sent before. Along with the next write. */
  tell(id: string, drafts: OutboxDraft[]): Promise<OutboxRow[]>;
  /** By id or subject. False if none was open. */
  dismiss(idOrSubject: string): Promise<boolean>;
}
