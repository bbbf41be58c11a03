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
  ["zm4z", trusted("file:plan.md")],
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
  /** The same, without what its own conversation was told before. */
  freshLabelOf(text: string): Label;
  /** A text with a mark for a label: what a model writes has that of all it was shown. */
  marked(text: string, label: Label, fresh?: Label): string;
}

export function createMarks(): Marks {
  const labels = new Map<string, Label>(worldMarks);
  const freshLabels = new Map<string, Label>(worldMarks);
  const read = (text: string, known: ReadonlyMap<string, Label>): Label =>
    joinLabels((text.match(/zm\w+?z/g) ?? []).map((mark) => known.get(mark) ?? clean));
  return {
    labelOf: (text) => read(text, labels),
    freshLabelOf: (text) => read(text, freshLabels),
    marked(text, label, fresh = label) {
      if (!label.untrusted && label.sources.length === 0) return text;
      const mark = `zmw${labels.size}z`;
      labels.set(mark, label);
      freshLabels.set(mark, fresh);
      return `${text} ${mark}`;
    },
  };
}

/** Marks without any: for runs that are compared letter by letter. */
export const noMarks: Marks = { labelOf: () => clean, freshLabelOf: () => clean, marked: (text) => text };

/** Whether what a grant names holds all of these. The workdir is every file in it. */
export const isNamed = (sources: readonly string[], granted: readonly string[]): boolean =>
  sources.every(
    (source) => granted.includes(source) || (source.startsWith("file:") && granted.includes("workdir")),
  );
