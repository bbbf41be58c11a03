/** What stands below an answer at the terminal: what was granted, what changed, what a dry run would have done. */
import { dryEffectWords, type ChangesView, type DryRunView, type TurnChangesClosing } from "@pincer/sdk";
import { reasonTexts } from "../infra/gate-reasons.ts";
import type { Say } from "../infra/texts.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";
import { grantedLines, marked, quoted } from "./approval-words.ts";

/** Empty where there is nothing. What a dry run comes to is a result; the rest is said aside. */
export function closingWords(
  { granted, changes, dryRun }: Pick<AskAnswer, "granted" | "changes" | "dryRun">,
  say: Say,
): { result: string; aside: string; isDiffShown: boolean } {
  const aside = [
    ...(granted ? grantedLines(granted, say) : []),
    ...(changes ? changedLines(changes, say) : []),
  ];
  return {
    result: dryRun ? dryRunWords(dryRun, say) : "",
    aside: aside.map((line) => `${line}\n`).join(""),
    isDiffShown: changes !== undefined && changes.isWhole && !isLong(changes),
  };
}

/** What nobody reads between two prompts. */
const mostLines = 200;
const isLong = ({ text }: ChangesView): boolean => text.split("\n").length > mostLines;

function changedLines(changes: TurnChangesClosing, say: Say): string[] {
  const { turnId, files, added, removed, text, isWhole, setAside } = changes;
  const how = { show: `pincer undo ${turnId} --show`, undo: `pincer undo ${turnId}` };
  return [
    say("changes.head", { files, added, removed }),
    ...(isLong(changes) ? [say("changes.long", { lines: text.split("\n").length })] : quoted(text)),
    ...(isWhole ? [] : [say("changes.not-whole")]),
    ...setAside.map(({ path, keptAs }) =>
      say("changes.set-aside", { path: marked(path), keptAs: marked(keptAs) }),
    ),
    say("changes.how", how),
  ];
}

function dryRunWords({ effects, changes }: DryRunView, say: Say): string {
  if (effects.length === 0 && !changes) return `${say("dry-run.none")}\n`;
  const texts = reasonTexts(say, marked);
  return [
    say("dry-run.head"),
    ...effects.flatMap((effect) => [`· ${dryEffectWords(effect, texts)}`, ...quoted(effect.shown)]),
    ...(changes ? changeLines(changes, say) : []),
    "",
  ].join("\n");
}

const changeLines = ({ files, added, removed, text, isWhole }: ChangesView, say: Say): string[] => [
  `· ${say("dry-run.changes", { files, added, removed })}`,
  ...quoted(text),
  ...(isWhole ? [] : [say("changes.not-whole")]),
];
