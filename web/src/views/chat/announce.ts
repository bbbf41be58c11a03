/** What a screen reader hears: each answer once, when it is whole. */
import type { Conversation } from "./conversation.ts";
import type { Row } from "./row.ts";

/** Undefined before the first page has come. */
export interface Announced {
  sessionId: string | null;
  /** The newest answer that was read out, or that was there before. */
  seq: number;
  text: string;
}

const mostAnnounced = 2000;

/** What was there when the conversation was opened is not read out, and an older answer that is scrolled to is not either. */
export function announce(
  announced: Announced | undefined,
  { sessionKey, sessionId }: Pick<Conversation, "sessionKey" | "sessionId">,
  rows: readonly Row[],
): Announced | undefined {
  if (sessionKey === "") return undefined;
  const last = rows.findLast((row) => row.type === "answer" && row.isLast);
  const answer = last?.type === "answer" ? last : { seq: 0, text: "" };
  if (!announced) return { sessionId, seq: answer.seq, text: "" };
  // Another session counts from the beginning.
  const heard = announced.sessionId === sessionId ? announced.seq : 0;
  if (answer.seq <= heard) return { sessionId, seq: heard, text: announced.text };
  return { sessionId, seq: answer.seq, text: answer.text.slice(0, mostAnnounced) };
}
