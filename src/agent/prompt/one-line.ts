/** What comes from a name or a setting, on one line, so that it cannot look like a section of its own. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
