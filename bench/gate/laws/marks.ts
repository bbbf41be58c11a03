/**
 * Who wrote a text and what is in it, told by marks that stand in it: a second opinion on labels that does not ask the gate.
 * Marks are lost where a text is written in other letters, so it may say too little, never too much.
 */
import { clean, joinLabels, type Label } from "@pincer/sdk";
import { secretFile } from "./program.ts";

const untrusted = (...sources: string[]): Label => ({ untrusted: true, sources });
const trusted = (...sources: string[]): Label => ({ untrusted: false, sources });

/** Of the texts of `lawWorld`. */
const worldMarks: ReadonlyArray<[mark: string, label: Label]> = [
  ["zm1z", untrusted(`file:${secretFile}`)],
  ["zm2z", untrusted("file:minutes.md")],
  ["zm3z", untrusted("file:notes.md")],
  ["zm4z", untrusted()],
  ["zm5z", trusted("memory")],
  ["zm6z", trusted("user")],
  ["zm7z", untrusted("tool:mail")],
  ["zm8z", untrusted("tool:mail")],
  ["zm9z", untrusted()],
  ["zm10z", untrusted()],
  ["zm11z", untrusted()],
];

export interface Marks {
  /** Of a text, by the marks in it. */
  labelOf(text: string): Label;
  /** A text with a mark for a label: what a model writes has that of all it was shown. */
  marked(text: string, label: Label): string;
}

export function createMarks(): Marks {
  const labels = new Map<string, Label>(worldMarks);
  return {
    labelOf: (text) => joinLabels((text.match(/zm\w+?z/g) ?? []).map((mark) => labels.get(mark) ?? clean)),
    marked(text, label) {
      if (!label.untrusted && label.sources.length === 0) return text;
      const mark = `zmw${labels.size}z`;
      labels.set(mark, label);
      return `${text} ${mark}`;
    },
  };
}

/** Marks without any: for runs that are compared letter by letter. */
export const noMarks: Marks = { labelOf: () => clean, marked: (text) => text };

/** Whether what a grant names holds all of these. The workdir is every file in it. */
export const isNamed = (sources: readonly string[], granted: readonly string[]): boolean =>
  sources.every(
    (source) => granted.includes(source) || (source.startsWith("file:") && granted.includes("workdir")),
  );
