/**
 * Sessions of single requests: a client that sends the whole conversation each time gets one per question, stored for
 * a day.
 */

const prefix = "http-once.";

/** The name of such a session in its key; reserved. */
export const onceName = (id: string): string => `${prefix}${id}`;

export const isOnceName = (name: string): boolean => name.startsWith(prefix);

/** Occurs in their keys and in no others. */
export const onceMark = `:${prefix}`;

export const isOnceSession = (sessionKey: string): boolean => sessionKey.includes(onceMark);
