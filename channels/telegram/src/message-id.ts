/**
 * Telegram numbers messages per chat, so our ids include the chat: `chat/number`. Events about a message (an edit, a
 * pressed button) have a suffix after `#`, and so do our own messages whose text is the caption of a file.
 */
export const messageIdOf = (chatId: number | string, number: number): string => `${chatId}/${number}`;

export const editIdOf = (messageId: string, edit: { date: number; updateId: number }): string =>
  `${messageId}#edit-${edit.date}-${edit.updateId}`;

export const pressIdOf = (messageId: string, queryId: string): string => `${messageId}#press-${queryId}`;

export const captionIdOf = (messageId: string): string => `${messageId}#caption`;

export const isCaptionId = (id: string): boolean => id.endsWith("#caption");

/** The number for the network; undefined where the id is not one of a message. */
export function messageNumberOf(id: string): number | undefined {
  const number = /^[^#]*\/(\d{1,10})(?:#|$)/.exec(id)?.[1];
  return number === undefined ? undefined : Number(number);
}
