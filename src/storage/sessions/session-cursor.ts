/** Where a page of the session list ended, as an opaque string. */
import { failure } from "../../infra/failure.ts";
import type { SessionRecord } from "../stores.ts";

export interface SessionPosition {
  updatedAt: string;
  sessionId: string;
}

/** The most that one page may hold. */
export const pageLimit = 1000;

export function formatCursor({ updatedAt, sessionId }: SessionRecord): string {
  return Buffer.from(`${updatedAt} ${sessionId}`).toString("base64url");
}

/** Throws PincerError `usage/bad-argument` for anything that is not a cursor. */
export function parseCursor(cursor: string): SessionPosition {
  const match = /^(\S+) (.+)$/s.exec(Buffer.from(cursor, "base64url").toString());
  if (!match?.[1] || !match[2])
    throw failure("usage/bad-argument", "failure.bad-page", { cursor }, { hint: "failure.bad-page.hint" });
  return { updatedAt: match[1], sessionId: match[2] };
}

/** Folds A to Z only, so that search is the same in every storage. */
export const foldCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
