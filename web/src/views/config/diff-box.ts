/** A diff for people. */
import { html, type TemplateResult } from "lit";
import { visibleText } from "../../parts/visible-text.ts";

const marks = { added: "+", removed: "−", same: " ", place: "" } as const;

export const diffBox = (diff: string): TemplateResult => html`
  <div class="code-box diff" tabindex="0">
    ${diffLines(diff).map(({ kind, text }) => html`<div class="diff-line ${kind}"><span>${marks[kind]}</span> ${visibleText(text)}</div>`)}
  </div>
`;

/** A unified diff, line by line. Pure. */
interface DiffLine {
  kind: "added" | "removed" | "same" | "place";
  text: string;
}

/** Without its head, which only repeats the name of the file. */
export function diffLines(diff: string): DiffLine[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const begin = lines.findIndex((line) => line.startsWith("@@"));
  if (begin < 0) return [];
  return lines.slice(begin).flatMap((line): DiffLine[] => {
    if (line.startsWith("\\")) return [];
    const text = line.slice(1);
    if (line.startsWith("@@")) return [{ kind: "place", text: line }];
    if (line.startsWith("+")) return [{ kind: "added", text }];
    if (line.startsWith("-")) return [{ kind: "removed", text }];
    return [{ kind: "same", text }];
  });
}
