/** What the owner has to know, as it is written down. */

/** What needs the owner. `key` and `parameters` are words of the catalogue. */
export interface NoticeDraft {
  kind: string;
  text: { key: string; parameters: Record<string, string | number> };
  /** Only one open notice per subject. */
  subject: string;
  /** Its words take the place of those of an open one, which is told again if they differ. */
  replaces?: true;
}

export interface Notice extends NoticeDraft {
  id: string;
  createdAt: string;
  dismissedAt: string | null;
}
