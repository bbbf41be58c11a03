/** What changed in texts, line by line, as people read it. */

export interface TextChange {
  path: string;
  /** Undefined: there was none. */
  before: string | undefined;
  /** Undefined: there is none. */
  after: string | undefined;
}

export interface UnifiedDiff {
  text: string;
  added: number;
  removed: number;
}

/** Texts that have little in common are shown as removed and added, rather than compared for long. */
const mostEdits = 4000;

export async function unifiedDiff({ path, before, after }: TextChange): Promise<UnifiedDiff> {
  const { structuredPatch } = await import("diff");
  const names = [
    before === undefined ? "/dev/null" : path,
    after === undefined ? "/dev/null" : path,
  ] as const;
  const patch = structuredPatch(...names, before ?? "", after ?? "", "", "", {
    context: 3,
    maxEditLength: mostEdits,
  });
  const hunks = patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${startOf(oldStart, oldLines)} +${startOf(newStart, newLines)} @@`,
    ...lines,
  ]);
  const lines = hunks?.flat() ?? [...marked("-", before), ...marked("+", after)];
  return {
    text: [`--- ${names[0]}`, `+++ ${names[1]}`, ...lines].join("\n"),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** Of no lines the line before them, as other programs write it. */
const startOf = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;

const marked = (mark: string, text = ""): string[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => mark + line);
