/**
 * Scripts number their lines as they like, so two chats may use the same id. The host identifies a message by its id
 * alone, so here the chat and thread are prepended, and removed again on the way out.
 */
import type { ReceivedMessage } from "@pincer/sdk";

export function messageId(
  { peer, threadId }: Pick<ReceivedMessage, "peer" | "threadId">,
  lineId: string,
): string {
  const place = [peer.kind, peer.id, ...(threadId === undefined ? [] : [threadId])];
  return `${place.map(escape).join(":")}/${lineId}`;
}

/** The id as the line gave it; one that is not ours stays as it is. */
export const lineIdOf = (id: string): string => id.replace(/^(?:user|group|room):[^/]*\//, "");

const escape = (part: string): string =>
  part.replace(/[%:/]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
