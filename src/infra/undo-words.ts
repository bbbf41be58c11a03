/** Texts about changes of the workdir: what a turn changed, and what was restored. */
import type { ChangedPathView, TurnChangesView, UndoReportView } from "@pincer/sdk";
import type { Say } from "./texts.ts";

const mostPaths = 20;
const mostNames = 3;

/** One line for each, as a list shows them. */
export const undoListWords = (turns: readonly TurnChangesView[], say: Say): string =>
  turns
    .map(({ turnId, at, paths, notKept, undoneBy, undoes }) => {
      const names = [...paths.map(({ path }) => path), ...(paths.length === 0 ? notKept : [])];
      const files = [...names.slice(0, mostNames), ...rest(names.length - mostNames, say)].join(", ");
      if (undoes !== undefined) return say("undo.line.undoes", { turnId, at, files, undoes });
      return say(undoneBy === undefined ? "undo.line" : "undo.line.undone", { turnId, at, files });
    })
    .join("\n");

/** What the turn changed, a line for each path. */
export const changesWords = ({ turnId, paths, notKept }: TurnChangesView, say: Say): string =>
  [say("undo.changed", { turnId }), ...pathLines(paths, say), ...notKeptLine(notKept, say)].join("\n");

/** `command` is how one undoes where this is read: `/undo`, `pincer undo`. */
export function undoneWords(
  report: UndoReportView,
  say: Say,
  command: { undo: string; force: string },
): string {
  const { turnId, undoId, restored, conflicts, notKept } = report;
  const done = restored.length > 0 ? "undo.done" : "undo.done.nothing";
  const again = undoId === undefined ? [] : [say("undo.again", { command: `${command.undo} ${undoId}` })];
  const force = say("undo.conflicts.force", { command: `${command.undo} ${turnId} ${command.force}` });
  const left = conflicts.length === 0 ? [] : [say("undo.conflicts", { paths: few(conflicts, say) }), force];
  return [
    say(done, { turnId }),
    ...pathLines(restored, say),
    ...left,
    ...notKeptLine(notKept, say),
    ...again,
  ].join("\n");
}

const pathLines = (paths: readonly ChangedPathView[], say: Say): string[] => [
  ...paths.slice(0, mostPaths).map(({ path, change }) => say(`undo.path.${change}`, { path })),
  ...rest(paths.length - mostPaths, say),
];

const notKeptLine = (paths: readonly string[], say: Say): string[] =>
  paths.length === 0 ? [] : [say("undo.not-kept", { paths: few(paths, say) })];

const few = (paths: readonly string[], say: Say): string =>
  [...paths.slice(0, mostPaths), ...rest(paths.length - mostPaths, say)].join(", ");

const rest = (count: number, say: Say): string[] => (count > 0 ? [say("undo.more", { count })] : []);
