/**
 * Patches as models write them:
 *
 *     *** Begin Patch
 *     *** Add File: a.txt        then lines with +
 *     *** Update File: b.txt     then perhaps *** Move to: c.txt, then hunks: @@ with a line to start from, lines with blank, - or +
 *     *** Delete File: d.txt
 *     *** End Patch
 */
export type FileChange =
  | { type: "add"; path: string; text: string }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; to: string | undefined; hunks: Hunk[] };

export interface Hunk {
  /** Search for the hunk after this line. */
  after: string | undefined;
  before: string[];
  instead: string[];
  isAtEnd: boolean;
}

/** Throws an error that says what is wrong, and where. */
export function parsePatch(patch: string): FileChange[] {
  const lines = patch.trim().split(/\r?\n/);
  if (lines[0]?.trim() !== "*** Begin Patch") throw new Error('a patch begins with "*** Begin Patch"');
  if (lines.at(-1)?.trim() !== "*** End Patch") throw new Error('a patch ends with "*** End Patch"');
  const changes: FileChange[] = [];
  for (const [index, line] of lines.slice(1, -1).entries()) {
    const [, verb, path = ""] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    if (verb) changes.push(begun[verb as keyof typeof begun](path.trim()));
    else takeLine(changes.at(-1), line, index + 2);
  }
  refuseTwice(changes);
  return changes;
}

/** All the paths that it would change. */
export const pathsOf = (changes: readonly FileChange[]): string[] =>
  changes.flatMap((change) =>
    change.type === "update" && change.to !== undefined ? [change.path, change.to] : [change.path],
  );

const begun = {
  Add: (path: string): FileChange => ({ type: "add", path, text: "" }),
  Delete: (path: string): FileChange => ({ type: "delete", path }),
  Update: (path: string): FileChange => ({ type: "update", path, to: undefined, hunks: [] }),
};

function takeLine(change: FileChange | undefined, line: string, number: number): void {
  if (change?.type === "add" && line.startsWith("+")) change.text += `${line.slice(1)}\n`;
  else if (change?.type === "update") takeUpdateLine(change, line, number);
  else if (line.trim() !== "")
    throw new Error(`line ${number} of the patch is not understood: ${line.slice(0, 80)}`);
}

function takeUpdateLine(change: Extract<FileChange, { type: "update" }>, line: string, number: number): void {
  const [, to] = /^\*\*\* Move to: (.+)$/.exec(line) ?? [];
  if (to !== undefined && change.hunks.length === 0) {
    change.to = to.trim();
    return;
  }
  if (line.startsWith("@@")) {
    const after = line.slice(2).replace(/^ /, "");
    change.hunks.push(newHunk(after === "" ? undefined : after));
    return;
  }
  if (change.hunks.length === 0) change.hunks.push(newHunk(undefined));
  const hunk = change.hunks.at(-1) ?? newHunk(undefined);
  const [mark, text] = [line.slice(0, 1), line.slice(1)];
  if (line === "*** End of File") hunk.isAtEnd = true;
  else if (mark === "-") hunk.before.push(text);
  else if (mark === "+") hunk.instead.push(text);
  else if (mark === " " || line === "") {
    hunk.before.push(text);
    hunk.instead.push(text);
  } else
    throw new Error(`line ${number} of the patch begins with none of blank, - and +: ${line.slice(0, 80)}`);
}

const newHunk = (after: string | undefined): Hunk => ({ after, before: [], instead: [], isAtEnd: false });

function refuseTwice(changes: readonly FileChange[]): void {
  if (changes.length === 0) throw new Error("the patch changes no file");
  const seen = new Set<string>();
  for (const path of pathsOf(changes)) {
    if (seen.has(path)) throw new Error(`the patch names ${path} twice; put its changes together`);
    seen.add(path);
  }
}
