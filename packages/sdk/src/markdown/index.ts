/** The Markdown tree that every renderer shares. */
export { parseMarkdown } from "./parse-markdown.ts";
export { plainLines } from "./plain-lines.ts";
export { plainText } from "./plain-text.ts";
export { visibleText } from "./visible-text.ts";
export { walk } from "./walk.ts";
