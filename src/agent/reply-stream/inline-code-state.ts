import type { Fence } from "./code-fence.ts";

/** Whether a growing text is within code, as far as anybody can know. */
export interface InlineCodeState {
  inCodeSpan: boolean;
  inCodeBlock: boolean;
  codeBlockLang?: string;
  /** Of the run that is open; 0 outside of code. */
  backtickCount: number;
}

/** What is held back begins with backticks exactly while nobody knows whether they open something. */
export function inlineCodeOf(at: {
  held: string;
  fence: Fence | undefined;
  lineStart: boolean;
}): InlineCodeState {
  const { marks = /^`*/.exec(at.held)?.[0] ?? "", language } = at.fence ?? {};
  const inCodeBlock = at.fence !== undefined || (at.lineStart && marks.length >= 3);
  return {
    inCodeSpan: !inCodeBlock && marks.length > 0,
    inCodeBlock,
    ...(language === undefined ? {} : { codeBlockLang: language }),
    backtickCount: marks.length,
  };
}
