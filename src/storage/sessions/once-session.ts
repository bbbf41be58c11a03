/** Sessions of single requests: a program that tells the whole conversation each time has one for each question, kept for a day. */

const prefix = "http-once.";

/** What such a session is called in its key; nobody else may choose a name like it. */
export const onceName = (id: string): string => `${prefix}${id}`;

export const isOnceName = (name: string): boolean => name.startsWith(prefix);

/** A part of their keys and of no other's. */
export const onceMark = `:${prefix}`;

export const isOnceSession = (sessionKey: string): boolean => sessionKey.includes(onceMark);
