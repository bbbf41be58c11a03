/** What stands below an answer at the terminal: what was granted, and what a dry run would have done. */
import { dryEffectWords, type ChangesView, type DryRunView } from "@pincer/sdk";
import { reasonTexts } from "../infra/gate-reasons.ts";
import type { Say } from "../infra/texts.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";
import { grantedLines, marked, quoted } from "./approval-words.ts";

/** Empty where there is nothing. What a dry run comes to is a result; the rest is said aside. */
export function closingWords(
  { granted, dryRun }: Pick<AskAnswer, "granted" | "dryRun">,
  say: Say,
): { result: string; aside: string } {
  const aside = granted ? grantedLines(granted, say).map((line) => `${line}\n`) : [];
  return { result: dryRun ? dryRunWords(dryRun, say) : "", aside: aside.join("") };
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
  ...(isWhole ? [] : [say("dry-run.changes.not-whole")]),
];
