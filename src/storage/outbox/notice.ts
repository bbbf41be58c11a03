/** The stored form of a notice to the owner. */

/** `key` and `parameters` refer to the text catalogue. */
export interface NoticeDraft {
  kind: string;
  text: { key: string; parameters: Record<string, string | number> };
  /** Only one open notice per subject. */
  subject: string;
  /** Replaces the words of an open notice, which is sent again if they differ. */
  replaces?: true;
}

export interface Notice extends NoticeDraft {
  id: string;
  createdAt: string;
  dismissedAt: string | null;
}
