/** What of the markup of others stays, of what could be kept without being alive. */

/** Whatever else has a class of ours would look like a part of the page: a button, a notice, a question. */
export const isKeptClass = (tag: string, className: string): boolean =>
  tag === "CODE" && /^language-[\w+#.-]+$/.test(className);

/** The boxes of lists are there to be seen; nothing else is there to be written into. */
export const isKeptField = (type: string): boolean => type === "checkbox";

/** Two strokes lead to another host, however they lean. */
export const isOwnPicture = (source: string): boolean => /^\/(?![/\\])/.test(source);
